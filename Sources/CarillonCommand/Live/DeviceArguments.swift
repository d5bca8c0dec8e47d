import ALSA
import ArgumentParser
import Carillon
import DSP

/// The options of `live` and `play` for the device that sounds, and for the one that is captured from.
struct DeviceArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            The audio device; give several as fallbacks, best first. carillon devices lists them; jack, \
            jack:CLIENT, pipewire and pipewire:NODE play through a sound server; null is none, in real time. (default: default)
            """, valueName: "name"))
    var device: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            The device to capture from, for the patch's unit input. If it is not that of --device, its clock is kept in \
            step.
            """, valueName: "name"))
    var inputDevice: String?

    @Option(
        help: ArgumentHelp(
            """
            The loudspeakers of the device: \(SpeakerLayout.names.joined(separator: ", ")). A patch made for others is \
            folded down. (default: the patch's)
            """, valueName: "name"),
        completion: .list(SpeakerLayout.names), transform: LayoutName.init)
    var layout: LayoutName?

    @OptionGroup var stream: StreamArguments

    @Option(
        parsing: .unconditional, help: EngineSetting.threads.help(), transform: EngineSetting.threads.spec.wholeNumber)
    var threads = LiveOptions().device.threads

    @Option(
        help: ArgumentHelp(
            """
            A MIDI port to send MIDI clock to, with start, stop and song position: a part of its name, or an identity \
            that carillon devices prints. Can be given more than once.
            """, valueName: "port"))
    var clock: [String] = []

    @Option(
        help: ArgumentHelp(
            "Seconds of sound that each of the eight tracks of the looper may hold on average, 1 to 600.", valueName: "seconds"),
        transform: LiveOptions.Device.loopSeconds.number)
    var loopSeconds = LiveOptions().device.loopSeconds

    @Option(
        help: ArgumentHelp(
            """
            How much earlier what is recorded in loops is placed, such as 12ms: the way from the loudspeaker through the player \
            to the input. Left out, it is the device's round trip where the patch plays its input alone, else none.
            """, valueName: "time"), transform: LiveOptions.Device.loopLatency.number)
    var loopLatency: Double?

    @Flag(help: "If no device is available, wait for one: time runs on, and sound starts when one appears.")
    var wait = false

    @Option(
        help: ArgumentHelp(
            "What songs do while the device is lost: go-on, pause (until it is back) or stop.", valueName: "policy"))
    var onLoss = LiveOptions().device.onLoss

    func validate() throws {
        for name in clock {
            do { _ = try ConnectionRule(name) } catch { throw ValidationError("--clock: \(error)") }
            if name.lowercased() == "any" { throw ValidationError("--clock: name a MIDI port; carillon devices lists them") }
        }
        if inputDevice == "" { throw ValidationError("--input-device: the name is empty; carillon devices lists names") }
        if device.contains("") { throw ValidationError("--device: the name is empty; carillon devices lists names") }
    }
}

/// The options of `live` and `play` for reports: the log, and what is written at the end.
struct SessionReportArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            The music that s and save-recording write: keys, or notes: what the instruments received, such as what an \
            arpeggiator made of the keys.
            """, valueName: "music"))
    var recorded = LiveOptions().recording.music

    @OptionGroup var log: LogArguments

    @Flag(help: "At the end, print timing statistics: histograms, and xruns with their causes.")
    var timingReport = false
}
