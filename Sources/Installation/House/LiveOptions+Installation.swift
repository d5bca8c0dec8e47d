import Carillon

extension LiveOptions {
    /// The options of a session that plays an installation's songs. The patch file is read here.
    ///
    /// - Throws: `patchFile` where it cannot be.
    public init(_ installation: Installation) throws(LiveError) {
        self.init()
        if let path = installation.sound.patch {
            do throws(PatchFileError) { patch = try PatchFile.playable(path: path) } catch { throw .patchFile(error) }
            patchPath = path
        }
        instrument = .soundFont(installation.sound.soundFonts)
        gain = installation.sound.gain
        settings = installation.sound.settings
        devices = installation.device.names
        (inputDevice, layout) = (installation.device.input, installation.device.layout)
        sampleRate = installation.device.sampleRate
        period = installation.device.period
        periods = installation.device.periods
        threads = installation.device.threads
        interruption = installation.device.onLoss
        ports = installation.buttons.isEmpty ? 0 : 1
        connections = installation.buttons
        keyboardsPlay = false
        follows = installation.master
        waitsForDevice = true
        hasFader = true
        (sends, clock) = (installation.sends, installation.clock)
        layers = installation.layers.map(\.layer)
    }
}
