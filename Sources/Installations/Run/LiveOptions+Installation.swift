import Carillon
import Patches

extension LiveOptions {
    /// The options of a session that plays an installation's songs. The patch file is read here.
    ///
    /// - Throws: `PatchFileError` if the file cannot be used, or if the installation captures an input that no unit plays.
    public init(_ installation: Installation) throws(Fault) {
        self.init()
        if let path = installation.sound.patch {
            do throws(PatchFileError) { patch = try PatchFile.playable(path: path) } catch { throw Fault(error) }
            patchPath = path
        }
        if let error = installation.inputError(for: patch) { throw Fault(error) }
        instrument = .soundFont(installation.sound.soundFonts)
        loudness = installation.sound.songLoudness
        gain = installation.sound.gain ?? usualGain
        (settings, seed) = (installation.sound.settings, installation.sound.seed)
        (device, sampleRate) = (installation.device, installation.sampleRate)
        device.isAwaited = true
        ports = installation.buttons.isEmpty ? 0 : 1
        (connections.sources, connections.master) = (installation.buttons, installation.master)
        connections.buttons = installation.cueButtons
        (connections.sends, connections.clock) = (installation.sends, installation.clock)
        keyboardsPlay = false
        faderLevel = 0
        layers = installation.layers.map(\.layer)
        if installation.sound.gain == nil { trimPlugIns() }
    }
}

extension Installation.Sound {
    /// An installation does not wait: a song that was not measured in time plays as it is.
    fileprivate var songLoudness: SongLoudnessOptions? {
        var options: SongLoudnessOptions
        switch loudness {
        case .off: return nil
        case .level(let loudness): options = SongLoudnessOptions(LoudnessTarget(loudness: loudness))
        case nil:
            if gain != nil { return nil }
            options = SongLoudnessOptions()
        }
        options.waitsForFirst = false
        return options
    }
}

extension Installation {
    /// Returns why the device that is to be captured from cannot be, with its place in the file; nil if it can.
    fileprivate func inputError(for patch: Patch?) -> PatchFileError? {
        guard device.input != nil, let error = unheardInput else { return nil }
        let hears = patch?.units.contains { $0.component == DeviceInput.descriptor.name } ?? false
        return hears ? nil : error
    }
}
