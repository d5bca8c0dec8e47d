import ArgumentParser
import Carillon
import Control

/// The options that `live` and `play` have in common: what sounds, and on which device.
struct SessionArguments: ParsableArguments {
    @OptionGroup(title: "Sound") var sound: SettingGroup<SoundSettings>

    @OptionGroup(title: "Sound") var played: SessionPatchArguments

    @OptionGroup(title: "Keys and ports") var buttons: ButtonArguments

    @OptionGroup(title: "Device") var devices: DeviceArguments

    @OptionGroup(title: "Remote control") var network: NetworkArguments

    @OptionGroup(title: "Report") var report: SessionReportArguments

    func validate() throws {
        if Double(devices.stream.rate) > sound.highestRate {
            throw ValidationError(
                "--rate: \(devices.stream.rate): --instrument \(sound.instrument.rawValue) plays up to "
                    + "\(Quantity(sound.highestRate, .hertz)); the device converts where it must")
        }
        try SettingRefusal.asked { try sound.value.check(beside: patch) }
        if patch.contains("") { throw ValidationError("--patch: the name is empty") }
        if patch.count > 1, let setting = sound.set.first {
            throw ValidationError("--set \(setting): several patches play; set it in the file of the one that is meant")
        }
    }

    var options: LiveOptions {
        var options = LiveOptions()
        options.instrument = sound.player
        options.hasEffects = !sound.dry
        options.settings = sound.set
        options.seed = sound.seed
        if !devices.device.isEmpty { options.device.names = devices.device }
        options.device.input = devices.inputDevice
        options.device.layout = devices.layout?.layout
        options.sampleRate = devices.stream.rate
        options.device.period = devices.stream.period
        options.device.periods = devices.stream.periods
        options.device.threads = devices.threads
        options.device.loopSeconds = devices.loopSeconds
        options.device.loopLatency = devices.loopLatency
        options.device.isAwaited = devices.wait
        options.connections.clock = devices.clock
        options.device.onLoss = devices.onLoss
        options.recording.music = report.recorded
        options.measuresUnits = report.timingReport
        options.connections.buttons = buttons.button
        return options
    }

    /// Sets tuning and gain: that of the caller, else the one at which a session has its usual level. Returns the gain that was
    /// measured for its SoundFonts, in decibels.
    func setLevel(of options: inout LiveOptions) throws -> Double? {
        options.tuning = try sound.value.readTuning()
        if let gain = sound.gain {
            options.gain = gain
            return nil
        }
        let loading = StuckCall(over: "SoundFonts", patience: StuckCall.loadPatience)
        defer { loading.stop() }
        let measured = options.soundFontGain()
        options.gain = measured.map { Float($0) } ?? options.usualGain
        options.trimPlugIns()
        options.trimPatches()
        return measured
    }
}

/// The buttons of `live` and `play`.
struct ButtonArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Assign a button of any MIDI keyboard, a controller that passes its middle, a key or a program, to a request as \
            for carillon ctl: controller-80="patch next". After a comma: hold, double, release, toggle, channel-16, \
            keyboard-NAME, passes. Can be given more than once; what a button sends plays nothing.
            """, valueName: "button=request"),
        transform: {
            do throws(Fault) { return try ControlGrammar.standard.button($0) } catch { throw ValidationError("\(error)") }
        })
    var button: [Session.Button] = []
}

/// The patches of `live` and `play`.
struct SessionPatchArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            The patch that plays, with its keyboard zones, instead of SoundFont, strips and effects. In live, give several \
            for a set list: b and n step back and forth through it while it sounds.
            """,
            valueName: "file"),
        completion: .file(extensions: ["yaml", "yml"]))
    var patch: [String] = []

    @Flag(help: "Follow the patch files: saving one changes the sound without a click; a broken one changes nothing.")
    var watch = false
}

extension SessionArguments {
    var patch: [String] { played.patch }
    var watch: Bool { played.watch }
}

extension InterruptionPolicy: ExpressibleByArgument {}
extension RecordedMusic: ExpressibleByArgument {}
