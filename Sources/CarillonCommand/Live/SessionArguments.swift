import ALSA
import ArgumentParser
import Carillon
import DSP

/// The options that `live` and `play` have in common: what sounds, and on which device.
struct SessionArguments: ParsableArguments {
    @OptionGroup var sound: SoundArguments

    @Option(
        help: ArgumentHelp(
            """
            The patch that plays, with its keyboards' zones, in the place of soundfont, strips and effects. Live, give it \
            again for a set list: b and n go back and on in it while it sounds.
            """,
            valueName: "file"),
        completion: .file(extensions: ["yaml", "yml"]))
    var patch: [String] = []

    @Flag(help: "Follow the patch files: what is saved changes what sounds, without a click; a broken one changes nothing.")
    var watch = false

    @Option(
        help: ArgumentHelp(
            """
            The audio device; give it again for others to fall back on, best first. carillon devices lists them; jack, \
            jack:CLIENT, pipewire and pipewire:NODE play through a sound server; null is none, in real time. (default: default)
            """, valueName: "name"))
    var device: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            The device to capture from, for the unit input of the patch. Another one than --device has a clock of its own; \
            it is kept in step.
            """, valueName: "name"))
    var inputDevice: String?

    @Option(
        help: ArgumentHelp(
            """
            The loudspeakers of the device: \(SpeakerLayout.names.joined(separator: ", ")). What the patch makes for others is \
            folded down. (default: the patch's)
            """, valueName: "name"),
        completion: .list(SpeakerLayout.names), transform: LayoutName.init)
    var layout: LayoutName?

    @OptionGroup var stream: StreamArguments

    @Option(
        parsing: .unconditional, help: EngineSetting.threads.help(), transform: EngineSetting.threads.spec.wholeNumber)
    var threads = LiveOptions().threads

    @Option(
        help: ArgumentHelp(
            """
            A MIDI port that gets the beat, MIDI clock with start, stop and song position: a part of its name, or an identity \
            that carillon devices prints. Give it again for more.
            """, valueName: "port"))
    var clock: [String] = []

    @OptionGroup var network: NetworkArguments

    @OptionGroup var log: LogArguments

    @Flag(help: "Where no device can be had yet, wait for one: time passes, and it sounds as soon as one is there.")
    var wait = false

    @Option(
        help: ArgumentHelp(
            "What songs do while the device is gone: go-on, pause (until it is back) or stop.", valueName: "policy"))
    var onLoss = LiveOptions().interruption

    @Option(
        help: ArgumentHelp(
            """
            The music of the song that s and save-recording write: keys, or notes: what instruments heard, such as what an \
            arpeggiator made of the keys.
            """, valueName: "music"))
    var recorded = LiveOptions().recording.music

    @Flag(help: "At the end, print how exact everything was in time: histograms, and xruns with their causes.")
    var timingReport = false

    func validate() throws {
        if Double(stream.rate) > sound.highestRate {
            throw ValidationError(
                "--rate: \(stream.rate): --instrument \(sound.instrument.rawValue) plays up to "
                    + "\(Quantity(sound.highestRate, .hertz)); the device converts where it must")
        }
        if !patch.isEmpty, sound.dry || !sound.isDefaultInstrument {
            throw ValidationError(
                "--patch says what plays; leave \(sound.dry ? "--dry" : "--instrument") out, or change the patch")
        }
        if patch.contains("") { throw ValidationError("--patch: the name is empty") }
        if patch.count > 1, let setting = sound.set.first {
            throw ValidationError("--set \(setting): several patches play; set it in the file of the one that is meant")
        }
        if watch, patch.isEmpty { throw ValidationError("--watch: name the file with --patch") }
        for name in clock {
            do { _ = try ConnectionRule(name) } catch { throw ValidationError("--clock: \(error)") }
            if name.lowercased() == "any" { throw ValidationError("--clock: name a MIDI port; carillon devices lists them") }
        }
        if inputDevice == "" { throw ValidationError("--input-device: the name is empty; carillon devices lists names") }
        if device.contains("") { throw ValidationError("--device: the name is empty; carillon devices lists names") }
    }

    /// The options of a session, as the arguments ask for them.
    var options: LiveOptions {
        var options = LiveOptions()
        options.instrument = sound.player
        options.hasEffects = !sound.dry
        options.settings = sound.set
        if !device.isEmpty { options.devices = device }
        options.inputDevice = inputDevice
        options.layout = layout?.layout
        options.sampleRate = stream.rate
        options.period = stream.period
        options.periods = stream.periods
        options.threads = threads
        options.waitsForDevice = wait
        options.clock = clock
        options.interruption = onLoss
        options.recording.music = recorded
        options.measuresUnits = timingReport
        options.gain = sound.gain ?? (patch.isEmpty ? options.instrument.referenceGain : options.gain)
        return options
    }
}

extension InterruptionPolicy: ExpressibleByArgument {}
extension RecordedMusic: ExpressibleByArgument {}
