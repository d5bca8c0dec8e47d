import ALSA
import AudioFiles
import Carillon
import Foundation
import Glibc
import RemoteIO
import TestFolders
import Testing

@testable import CarillonCommand
@testable import EngineCore
@testable import Sessions
@testable import SongRendering

/// `carillon record`: in simulated time, where its input is known, and as somebody calls it.
@Suite struct RecordTests {
    private let folder = TemporaryFolder()

    /// A sine of 440 Hz on the left, half as loud on the right, at -12 dBFS.
    private static func port() -> SimulatedPort {
        let port = SimulatedPort()
        port.captures = { frame, channel in
            Float(0.25 * sin(2 * .pi * 440 * Double(frame) / 48_000)) / Float(channel + 1)
        }
        return port
    }

    private func record(_ options: RecordSession.Options, seconds: Double) throws -> (RecordSession, SimulatedPort) {
        let session = try RecordSession(options), port = Self.port()
        _ = try session.start(on: .simulated(port))
        port.advance(seconds: seconds)
        try session.maintain()
        return (session, port)
    }

    @Test func theInputStandsInTheFileAsItCame() throws {
        let path = folder.file("take.wav")
        let (session, _) = try record(RecordSession.Options(path: path), seconds: 2)
        let view = session.view
        #expect(view.state == .recording && view.seconds > 1.8 && view.bytes > 600_000, "\(view)")
        #expect(abs(view.input[0].peak + 12.04) < 0.1 && abs(view.input[1].peak + 18.06) < 0.1 && view.recorded.isEmpty)
        try session.finish()
        let take = try AudioFileReader(path: path)
        #expect(take.sampleRate == 48_000 && take.channels == 2 && take.frames > 85_000)
        let sound = try take.readAll()
        // As floating point, sample for sample: it obeys the sine's own recurrence.
        let step = Float(2 * cos(2 * .pi * 440.0 / 48_000))
        var worst: Float = 0, unlike: Float = 0
        for frame in 10_000..<20_000 {
            let next = step * sound[0][frame] - sound[0][frame - 1]
            worst = max(worst, abs(sound[0][frame + 1] - next))
            unlike = max(unlike, abs(sound[0][frame] - 2 * sound[1][frame]))
        }
        #expect(worst < 1e-5 && unlike < 1e-6, "\(worst), \(unlike)")
    }

    @Test func nothingIsPlayedUnlessItIsMonitored() throws {
        for monitors in [false, true] {
            var options = RecordSession.Options(path: folder.file("monitor-\(monitors).wav"))
            options.monitors = monitors
            let (session, port) = try record(options, seconds: 1)
            let heard = port.played[0].suffix(24_000).map(abs).max() ?? 0
            #expect(monitors ? abs(heard - 0.25) < 0.01 : heard == 0, "\(heard)")
            try session.finish()
        }
    }

    @Test func aPatchLiesBetweenInputAndFile() throws {
        var options = RecordSession.Options(path: folder.file("voice.wav"))
        let text = """
            version: 1
            units:
              voice: {unit: input}
              quiet: {unit: graphic-equalizer, level: -20 dB}
            connections:
              - voice -> quiet
            outputs: quiet
            """
        options.patch = try PatchFile(text: text, units: UnitCatalog.entries).patch
        let (session, _) = try record(options, seconds: 2)
        let view = session.view
        #expect(abs(view.input[0].peak + 12.04) < 0.1 && abs(view.recorded[0].peak + 32.04) < 0.1)
        try session.finish()
        let sound = try AudioFileReader(path: options.path).readAll()
        #expect(abs((sound[0].suffix(24_000).map(abs).max() ?? 0) - 0.025) < 0.001)
        // One that hears no device is refused.
        options.patch = try PatchFile(text: PatchSamples.organ, units: UnitCatalog.entries).patch
        #expect(throws: Fault.self) { try RecordSession(options) }
    }

    @Test(arguments: [1, 6, 8]) func everyChannelOfTheDeviceIsRecorded(_ channels: Int) throws {
        var options = RecordSession.Options(path: folder.file("band-\(channels).wav"))
        options.channels = channels
        let (session, _) = try record(options, seconds: 2)
        let view = session.view
        #expect(view.input.count == channels && view.recorded.isEmpty)
        for (channel, level) in view.input.enumerated() {
            #expect(abs(level.peak + 12.04 + 20 * log10(Double(channel + 1))) < 0.1)
        }
        try session.finish()
        let reader = try AudioFileReader(path: options.path), sound = try reader.readAll()
        // Microphones are no loudspeakers: the file says nothing of them.
        #expect(reader.channels == channels && reader.layout == (channels == 1 ? .mono : nil))
        for channel in 1..<max(channels, 1) {
            let worst =
                (10_000..<20_000).map { (frame: Int) -> Float in
                    abs(sound[0][frame] - Float(channel + 1) * sound[channel][frame])
                }.max() ?? 1
            #expect(worst < 1e-6)
        }
    }

    /// Six channels go in and a patch for 5.1 comes out, in the file's order.
    @Test func aSurroundPatchIsRecordedWhole() throws {
        var options = RecordSession.Options(path: folder.file("room.wav"))
        let text = """
            version: 1
            units:
              array: {unit: input, properties: {channels: 6}}
              guard: {unit: limiter, properties: {channels: 6}}
            connections:
              - array -> guard
            outputs: guard
            """
        options.patch = try PatchFile(text: text, units: UnitCatalog.entries).patch
        options.monitors = true
        let session = try RecordSession(options), port = Self.port()
        #expect(session.played == (6, SpeakerLayout.surround51))
        _ = try session.start(on: .simulated(port, channels: 6, layout: .surround51))
        port.advance(seconds: 2)
        try session.maintain()
        let view = session.view
        #expect(view.input.count == 6 && view.recorded.count == 6 && view.layout == .surround51)
        #expect(view.format == "wav, 32-bit float, 5.1")
        #expect(port.played.count == 6 && port.played[5].contains { abs($0) > 0.03 })
        try session.finish()
        let reader = try AudioFileReader(path: options.path), sound = try reader.readAll()
        #expect(reader.layout == .surround51)
        for channel in 0..<6 {
            let peak = sound[channel].suffix(24_000).map(abs).max() ?? 0
            #expect(abs(peak - 0.25 / Float(channel + 1)) < 0.001)
        }
        // A format that cannot hold them is refused before anything is touched.
        options.format = try AudioFileFormat(path: "room.mp3")
        options.replaces = true
        let refused = try RecordSession(options)
        let error = #expect(throws: Fault.self) { try refused.start(on: .simulated(Self.port())) }
        #expect("\(error!)".contains("cannot hold the layout 5.1") && !refused.engine.isRunning)
    }

    @Test func itEndsAtItsTimeAndStandsStillInPauses() throws {
        var options = RecordSession.Options(path: folder.file("second.flac"))
        options.duration = 1
        let (session, _) = try record(options, seconds: 2)
        #expect(session.view.state == .finished && session.view.seconds == 1)
        session.togglePause()
        #expect(session.view.state == .finished)
        try session.finish()
        #expect(try AudioFileReader(path: options.path).frames == 48_000)
        options = RecordSession.Options(path: folder.file("pause.wav"))
        let (other, port) = try record(options, seconds: 1)
        other.togglePause()
        port.advance(seconds: 1)
        #expect(other.view.state == .paused && other.view.seconds < 1.1)
        other.togglePause()
        port.advance(seconds: 1)
        #expect(other.view.state == .recording)
        try other.finish()
        #expect(abs(try AudioFileReader(path: options.path).frames - 94_000) < 4_000)
    }

    @Test func nothingIsReplacedUnlessItIsForced() throws {
        let path = folder.file("take.wav")
        folder.add("take.wav", Array("mine".utf8))
        var options = RecordSession.Options(path: path)
        let refused = try RecordSession(options)
        #expect(throws: Fault(AudioFileError.exists(path: path))) { try refused.start(on: .simulated(Self.port())) }
        #expect(!refused.engine.isRunning && folder.bytes(of: "take.wav") == Array("mine".utf8))
        options.replaces = true
        // A device that cannot be had leaves it alone, too.
        let deviceless = try RecordSession(options)
        #expect(throws: Fault.self) {
            try deviceless.start(on: DeviceChoice(ALSAPort(), DeviceRequest(devices: ["hw:Nowhere"])))
        }
        #expect(folder.bytes(of: "take.wav") == Array("mine".utf8))
        // So does a rate that the format has not.
        options.format = try AudioFileFormat(path: "take.mp3")
        options.sampleRate = 96_000
        let tooFine = try RecordSession(options)
        #expect(throws: Fault.self) { try tooFine.start(on: .simulated(Self.port())) }
        #expect(!tooFine.engine.isRunning && folder.bytes(of: "take.wav") == Array("mine".utf8))
        #expect(folder.names == ["take.wav"])
        (options.format, options.sampleRate) = (nil, 48_000)
        let (session, _) = try record(options, seconds: 1)
        try session.finish()
        #expect(folder.bytes(of: "take.wav").starts(with: Array("RIFF".utf8)))
    }

    // MARK: - The screen

    private static var view: RecordView {
        var view = RecordView()
        (view.path, view.format, view.seconds, view.bytes) = ("take.flac", "flac, 24 bit", 3_725.46, 4_200_000)
        view.state = .recording
        view.input = [.init(peak: -6.2, average: -18.4), .init(peak: -12, average: -23.1)]
        view.device = "hw:0,0: 48000 Hz, 256 frames x 3 periods, int32, 2 channels, capture 2 channels"
        view.deviceState = "running"
        return view
    }

    private func text(_ view: RecordView, _ columns: Int, rows: Int = .max) -> [String] {
        RecordScreen.lines(view, columns: columns, rows: rows, style: ScreenStyle(hasUnicode: false, hasColour: false)).map {
            var text = $0.text
            while text.last == " " { text.removeLast() }
            return text
        }
    }

    @Test(arguments: [40, 80, 140]) func theScreenShowsWhatMattersAtEveryWidth(_ columns: Int) {
        let lines = text(Self.view, columns)
        #expect(lines.allSatisfy { $0.count <= columns })
        #expect(lines[0].hasPrefix("file      take.flac"))
        #expect(lines.contains { $0.hasPrefix("time      1:02:05.4") && $0.contains("recording") })
        #expect(lines.contains { $0.hasPrefix("left      [") && $0.contains("-18.4 peak  -6.2") })
        #expect(lines.contains { $0.hasPrefix("device    hw:0,0: 48000 Hz") })
        #expect(lines.last?.hasPrefix("keys      space: pause") == true && !lines.contains { $0.hasPrefix("faults") })
    }

    @Test func inputAndFileHaveTheirOwnBarsBehindAPatch() {
        var view = Self.view
        view.recorded = [.init(peak: -3, average: -9), .init(peak: -120, average: -120)]
        let lines = text(view, 80)
        #expect(
            lines.filter { $0.contains("] ") }.map { String($0.prefix(9)) } == [
                "in left  ", "in right ", "out left ", "out right",
            ])
        #expect(lines.contains { $0.hasPrefix("out left  [####") && $0.hasSuffix("  -9.0 peak  -3.0") })
    }

    @Test(arguments: [40, 80, 140]) func everyChannelHasItsBar(_ columns: Int) {
        var view = Self.view
        view.input = (0..<8).map { .init(peak: -6 - Double($0), average: -18) }
        func labels() -> [String] {
            let lines = text(view, columns)
            #expect(lines.allSatisfy { $0.count <= columns })
            return lines.filter { $0.contains("peak") }.map { String($0.prefix(10)).trimmingCharacters(in: .whitespaces) }
        }
        #expect(labels() == (1...8).map { "channel \($0)" })
        #expect(RecordLoop.line(view).contains("peak-1=-6.0 peak-2=-7.0") && RecordLoop.line(view).contains("peak-8=-13.0"))
        view.recorded = (0..<6).map { .init(peak: -3 - Double($0), average: -9) }
        view.layout = .surround51
        #expect(labels() == (1...8).map { "in \($0)" } + ["left", "right", "rear L", "rear R", "centre", "LFE"])
        view.layout = nil
        #expect(labels().suffix(6) == (1...6).map { "out \($0)" })
        #expect(text(view, columns, rows: 8).count <= 8)
    }

    @Test func aFileOfOneChannelHasOnePeak() {
        var view = Self.view
        view.input = [.init(peak: -6.2, average: -18.4)]
        let line = RecordLoop.line(view)
        #expect(line.contains(" peak=-6.2 ") && !line.contains("peak-"), "\(line)")
    }

    @Test(arguments: [40, 80, 140]) func aDeafDeviceIsToldOnTheScreenInTheLogAndInTheEnd(_ columns: Int) {
        var view = Self.view
        (view.deafness, view.isSilent) = ("nothing is captured: no source is linked, or it sleeps; link one", true)
        let lines = text(view, columns)
        #expect(lines.allSatisfy { $0.count <= columns })
        let words = lines.map { $0.dropFirst(10) }.joined(separator: " ")
        #expect(words.contains("nothing is captured: no source is linked"), "\(lines)")
        #expect(RecordLoop.line(view).contains(" fault=\"nothing is captured: no source is linked"))
        #expect(RecordCommand.summary(view).hasSuffix("nothing captured: it is silent"))
    }

    @Test func faultsAndTheTimeStayWhereThereIsLittleRoom() {
        var view = Self.view
        (view.overs, view.missing, view.duration) = (3, 512, 60)
        view.state = .failed(.writeFailed(path: "take.flac", SystemFault(code: ENOSPC)))
        let lines = text(view, 60, rows: 5)
        #expect(lines.count == 5 && lines.contains { $0.hasPrefix("time      1:02:05.4 of 1:00.0  failed") })
        #expect(lines.contains { $0.contains("No space left") })
        #expect(text(view, 80).contains("faults    3 samples at full scale  512 frames not captured"))
        #expect(RecordLoop.line(view).hasPrefix("event=recording state=failed file=take.flac seconds=3725.5 peak-left=-6.2"))
        #expect(RecordCommand.summary(view).hasSuffix("3 at full scale, 512 frames not captured"))
    }

    // MARK: - The program

    @Test func controlCEndsItWithAWholeFile() throws {
        for (signal, code) in [(SIGINT, Int32(0)), (SIGTERM, 143)] {
            let name = "take-\(signal).wav"
            let run = Program.start([Program.path, "record", "--device", "null", "-o", name], in: folder)
            while !run.hasEnded && !run.errorsSoFar.contains("state=recording") { sched_yield() }
            kill(run.id, signal)
            let ended = run.end()
            #expect(ended.exitCode == code && ended.text.hasPrefix("\(name): 0:0"), "\(ended.errors)")
            #expect(ended.errors.contains("no device captures: the file will be silent"))
            #expect(try AudioFileReader(path: folder.file(name)).channels == 2)
        }
    }

    /// A limit of the size of files stands for a disk that is full: the system says no in the same place.
    @Test func aFullDiskEndsItAndLeavesWhatWasWritten() throws {
        let run = Program.shell("ulimit -f 300; exec \"$CARILLON\" record --device null --duration 60s -o take.wav", in: folder)
        #expect(run.exitCode == 74 && run.errors.contains("carillon: take.wav: "), "\(run.exitCode ?? -1): \(run.errors)")
        #expect(run.errors.contains("state=failed"))
        #expect(folder.bytes(of: "take.wav").starts(with: Array("RIFF".utf8)) && folder.bytes(of: "take.wav").count > 100_000)
    }

    @Test func asManyChannelsAsAreToldAreWritten() throws {
        let run = Program.run(
            ["record", "--device", "null", "--channels", "6", "--duration", "0.5s", "-o", "six.wav"], in: folder)
        #expect(run.exitCode == 0 && run.text.contains("wav, 32-bit float, 6 channels, "), "\(run.text)\(run.errors)")
        let reader = try AudioFileReader(path: folder.file("six.wav"))
        #expect(reader.channels == 6 && reader.frames == 24_000)
    }

    @Test(arguments: [("1", "mono"), ("2", "stereo"), ("6", "6 channels")])
    func whatIsWrittenIsToldAtTheBeginningAndInTheEnd(_ number: String, _ told: String) {
        let run = Program.run(
            ["record", "--device", "null", "--channels", number, "--duration", "0.5s", "-o", "take.wav"], in: folder)
        #expect(run.exitCode == 0 && run.text.contains("wav, 32-bit float, \(told), "), "\(run.text)\(run.errors)")
        #expect(run.errors.contains("from null: wav, 32-bit float, \(told), 48000 Hz; no device captures"), "\(run.errors)")
    }

    @Test func itLastsAsLongAsItIsTold() throws {
        let run = Program.run(["record", "--device", "null", "--duration", "0.5s", "-o", "half.flac"], in: folder)
        #expect(run.exitCode == 0 && run.text.hasPrefix("half.flac: 0:00.5 recorded, flac, 24 bit"), "\(run.text)\(run.errors)")
        #expect(try AudioFileReader(path: folder.file("half.flac")).frames == 24_000)
    }

    @Test func whatCannotBeEndsWithItsOwnCode() {
        folder.add("organ.yaml", Array(PatchSamples.organ.utf8))
        folder.add("there.wav", [1])
        func run(_ words: String...) -> ProgramRun { Program.run(["record"] + words, in: folder) }
        let cases: [(ProgramRun, Int32, String)] = [
            (run("--device", "hw:Nowhere"), 69, "hw:Nowhere"),
            (run("--device", "null", "-o", "there.wav"), 73, "there.wav: already exists; choose another name, or use --force"),
            (run("--device", "null", "-o", "take.xyz"), 64, "take.xyz"),
            (run("--device", "null", "-o", "no/take.wav"), 73, "no/take.wav"),
            (
                run("--device", "null", "--patch", "organ.yaml"), 78,
                "organ.yaml: no unit hears the device; add one of the type input"
            ),
            (run("--device", "null", "--patch", "none.yaml"), 66, "none.yaml: cannot be read"),
            (run("--channels", "9"), 64, "channels"),
            (run("--channels", "4", "--patch", "organ.yaml"), 64, "with --patch its unit input says it"),
            (run("--device", "null", "--channels", "6", "-o", "take.mp3"), 64, "mp3: cannot hold 6 channels; use 1 to 2"),
            (run("--device", "null", "--input-device", "hw:Nowhere"), 69, "hw:Nowhere"),
            (run("--device", "null", "--input-device", "null"), 64, "null captures nothing; leave the capture"),
            (run("--duration", "0s"), 64, "duration"), (run("-o", "-"), 64, "standard output is not for this"),
        ]
        for (run, code, text) in cases {
            #expect(run.exitCode == code && run.errors.contains(text), "\(run.exitCode ?? -1): \(run.errors)")
            #expect(run.errors.split(separator: "\n").filter { $0.hasPrefix("carillon: ") }.count >= 1)
        }
        #expect(folder.names == ["organ.yaml", "there.wav"])
    }
}
