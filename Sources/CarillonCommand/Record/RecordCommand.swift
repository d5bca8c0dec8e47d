import ALSA
import ArgumentParser
import Carillon
import Glibc
import Reports

/// `carillon record`: what a device captures, into a file.
struct RecordCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Record what the audio device captures, straight or through a patch.",
        discussion: """
            A terminal shows the input level, the length and the format; space pauses and resumes, q and Ctrl-C end \
            with a complete file. The file is completed once a second, so after any failure everything recorded up to \
            then is kept. Without a patch the input is recorded as it comes, all of its --channels; with one, the patch's \
            unit input gets the device's sound, and the patch's output is recorded, in its own layout. \
            Nothing is played without --monitor, since a loudspeaker next to a microphone feeds back; a device that only \
            captures is enough.

            Examples:
              carillon record
              carillon record --device hw:0,0 --output take.flac --duration 2s
              carillon record --input-device hw:Webcam --output talk.wav
              carillon record --device hw:Interface --channels 8 --output band.wav
              carillon record --patch voice.yaml --monitor --output voice.wav
            """)

    @OptionGroup(title: "Recording") var recorded: RecordedArguments

    @OptionGroup(title: "Output") var file: RecordFileArguments

    @OptionGroup(title: "Output") var existing: SettingGroup<ForceSettings>

    @OptionGroup(title: "Device") var devices: RecordDeviceArguments

    @OptionGroup(title: "Report") var log: LogArguments

    func run() throws {
        Interruption.reportClosedPipes()
        let path = output ?? Self.freeName(format)
        var options = RecordSession.Options(path: path)
        (options.sampleRate, options.monitors, options.duration, options.replaces) = (
            stream.rate, monitor, duration, existing.force
        )
        do { options.format = try recordedFormat(path) } catch { throw Failure.report(Fault(error)) }
        options.channels = channels ?? options.channels
        options.patch = try PatchLoading.patch(patch)
        let session: RecordSession
        do { session = try RecordSession(options) } catch { throw Self.failure(error, patch: patch) }
        let signals: Int32
        do { signals = try SignalPipe.install() } catch { throw Failure.report(error) }
        let played = session.played
        let request = DeviceRequest(
            devices: device.isEmpty ? ["default"] : device, sampleRate: stream.rate, periodFrames: stream.period,
            periods: stream.periods, channels: played.channels, layout: played.layout, playback: monitor, capture: true,
            captureDevice: inputDevice, followsCapture: inputDevice.map { !device.contains($0) } ?? false)
        do {
            let grant = try session.start(on: DeviceChoice(ALSAPort.ofEverySystem(), request))
            if !ScreenStyle.canRedraw || grant.isNull {
                let device =
                    grant.isNull
                    ? "null: \(session.view.format), \(grant.sampleRate) Hz; no device captures: the file will be silent"
                    : grant.description
                StandardError.print(OneLine.text("carillon: recording \(path) from \(device)"))
            }
        } catch { throw Self.failure(error, patch: patch) }
        var loop = RecordLoop(session, signals: signals, output: LogOutput(least: log.logLevel))
        var ending: Int32 = 0, fault: Fault?
        do { ending = try loop.run() } catch { fault = error }
        do { try session.finish(onEnd: SignalPipe.expectEnd) } catch { fault = error }
        let view = session.view
        if let fault { throw Self.failure(fault, patch: patch) }
        try StandardOutput.print(OneLine.text(Self.summary(view)))
        // Ctrl-C is the usual way to end a recording; any other signal shows in the exit code.
        if ending != 0, ending != SIGINT { throw ExitCode(128 + ending) }
    }

    private var output: String? { file.output }
    private var format: String? { file.format }
    private var bits: BitsName? { file.bits }
    private var device: [String] { devices.device }
    private var inputDevice: String? { devices.inputDevice }
    private var stream: StreamArguments { devices.stream }
    private var patch: String? { recorded.patch }
    private var channels: Int? { recorded.channels }
    private var monitor: Bool { recorded.monitor }
    private var duration: Double? { recorded.duration }

    /// Returns the format that is requested, with its finest samples if no bits are given.
    private func recordedFormat(_ path: String) throws(AudioFileError) -> AudioFileFormat {
        let named = try AudioFileFormat(path: path, name: format, bits: bits?.encoding)
        let offered = named.container.encodings
        guard bits == nil, let finest = [AudioFileFormat.Encoding.float32, .int24].first(where: offered.contains) else {
            return named
        }
        return try AudioFileFormat(path: path, name: format, bits: finest)
    }

    static func summary(_ view: RecordView) -> String {
        var parts = ["\(view.path): \(RecordScreen.clock(view.seconds)) recorded", view.format, RecordScreen.size(view.bytes)]
        func add(_ count: Int, _ what: String) { if count > 0 { parts.append("\(count) \(what)") } }
        add(view.overs, "at full scale")
        add(view.clipped, "clipped")
        if view.isSilent { parts.append("nothing captured: it is silent") } else { add(view.missing, "frames not captured") }
        add(view.dropped, "frames lost by the disk")
        return parts.joined(separator: ", ")
    }

    private static func freeName(_ format: String?) -> String {
        NumberedName.free("recording-\(NumberedName.now).\(format?.lowercased() ?? "wav")")
    }

    static func failure(_ fault: Fault, patch: String?) -> ExitCode {
        switch fault.origin {
        case AudioFileError.layoutNotOffered(let container, let layout)?:
            // Nothing is folded here: what is recorded is recorded whole.
            return Failure.report(
                "\(container.rawValue): cannot hold the layout \(layout.rawValue); choose another format, such as wav or flac",
                exitCode: 64)
        case is AudioFileError, is DeviceError: return Failure.report(fault)
        default:
            if fault.kind == .deaf {
                return Failure.report("\(patch ?? "the patch"): \(fault)", exitCode: fault.exitCode)
            }
            return patch.map { Failure.report(fault, ofPatch: $0) } ?? Failure.report("\(fault)", exitCode: 70)
        }
    }
}

extension Fault.Kind {
    fileprivate static let deaf = Self("deaf", .configuration)
}

extension Fault {
    /// The patch has no unit that gets the device's input.
    static let deaf = Fault("no unit hears the device", .deaf, remedy: "add one of the type input, and connect it")
}
