import AudioFiles
import Carillon
import Foundation
import MIDI
import RealtimeCore
import Testing

@testable import EngineCore
@testable import Sessions

/// A value that a program computed and that is no finite number ends no process: what throws refuses it by a typed error, and
/// elsewhere it counts as 0. Each public function of the library that takes a number stands here.
@Suite struct NonFiniteValueTests {
    /// What a function makes of such a value.
    enum Way: Sendable {
        /// It throws.
        case refuses(@Sendable (Double) throws -> Void)
        /// It does what it does with 0, as the text says.
        case countsAsZero(@Sendable (Double) throws -> String)
        /// It is shown, or held to a bound that its comment names.
        case returns(@Sendable (Double) throws -> Void)
    }

    /// A function, by its file and its name.
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let way: Way
        init(_ name: String, _ way: Way) { (self.name, self.way) = (name, way) }
        var testDescription: String { name }
    }

    private static let spec = ParameterSpec("level", 0...10, default: 5, help: "A level.")

    /// An engine with a square wave, offline.
    private static func engine(rate: Double = 48_000) throws -> (engine: Engine, node: NodeID) {
        let engine = Engine(sampleRate: rate)
        let node = try engine.edit { (graph) throws(Fault) in
            let node = try graph.add(SquareWave.self)
            try graph.setOutput(node)
            return node
        }
        try engine.start(on: .offline)
        return (engine, node)
    }

    /// A track of one note stays one whose beats are numbers.
    private static func edited(_ change: (inout Song.Arrangement.Track) -> Void) {
        var track = Song.Arrangement.Track()
        track.add(note: 60, at: 0, length: 1)
        change(&track)
        #expect(!track.events.isEmpty && track.events.allSatisfy { $0.beat.isFinite } && track.length.isFinite)
    }

    /// Tracks that play, and whose beat stays a number.
    private static func played(_ change: (SongPlayback.Tracks) throws -> Void) throws {
        let engine = try engine().engine
        let tracks = try SongPlayback.Tracks(Song.Arrangement(tracks: [Song.Arrangement.Track()]), on: engine)
        try tracks.play()
        try change(tracks)
        _ = try engine.render(frames: 1_000)
        #expect(tracks.beat.isFinite && (0.001...1000).contains(tracks.tempo))
    }

    private static func player() throws -> (engine: Engine, player: FilePlayer) {
        let engine = Engine(sampleRate: 48_000)
        let player = try engine.edit { (graph) throws(Fault) in
            let player = try graph.add(player: MemoryReader([[0.5, 0.5]]))
            try graph.setOutput(player.node)
            return player
        }
        return (engine, player)
    }

    private static func port() throws -> (engine: Engine, port: SimulatedPort) {
        let (engine, port) = (try engine().engine, SimulatedPort())
        try engine.stop()
        try engine.start(on: .simulated(port))
        return (engine, port)
    }

    private static let song = Song(division: .ticksPerQuarter(480), tracks: [Track(name: "", events: [], endTick: 480)])
    private static let timeline = try? Timeline(song, sampleRate: 48_000)

    private static let analysis: [Row] = [
        Row("PitchDetector.swift init", .countsAsZero { "\(PitchDetector(sampleRate: $0, rate: $0).range)" }),
        Row(
            "SpectrumAnalyzer.swift init",
            .countsAsZero { value in
                var analyzer = SpectrumAnalyzer(sampleRate: value, size: 512, rate: value)
                let sound = TapBlock(time: .zero, channels: [[Float](repeating: 0.5, count: 2_048)])
                return "\(analyzer.take(sound).map(\.resolution))"
            }),
        Row(
            "SpectrumAnalyzer.swift line",
            .countsAsZero { value in
                var analyzer = SpectrumAnalyzer(sampleRate: 48_000, size: 512)
                let sound = TapBlock(time: .zero, channels: [[Float](repeating: 0.5, count: 2_048)])
                return "\(analyzer.take(sound)[0].line(at: value))"
            }),
        Row("LoudnessReader.swift init?", .returns { #expect(LoudnessReader(sampleRate: $0) == nil) }),
        Row("ImpulseResponse.swift init", .countsAsZero { "\(ImpulseResponse(decay: $0, sampleRate: $0).planes)" }),
        Row(
            "ImpulseResponse.swift cut",
            .countsAsZero { value in
                var response = ImpulseResponse(decay: 0.1, sampleRate: 8_000)
                response.cut(to: value)
                return "\(response.planes)"
            }),
        Row("AudioFileFormat.swift init", .refuses { _ = try AudioFileFormat(.opus, quality: $0) }),
        Row(
            "AudioFileWriter.swift init",
            .refuses {
                _ = try AudioFileWriter(path: "/tmp/none.wav", format: AudioFileFormat(.wav), channels: 2, sampleRate: $0)
            }),
        Row("TimeStretch.swift init", .refuses { _ = try TimeStretch(sampleRate: 48_000, channels: 1, ratio: $0) }),
        Row(
            "TimeStretch.swift stretch",
            .refuses { _ = try TimeStretch.stretch([[0]], sampleRate: 48_000, ratio: 1, semitones: $0) }),
        Row("LimiterWork.swift reducedShare", .countsAsZero { "\(LimiterWork().reducedShare(of: $0))" }),
        Row("LimiterWork.swift pressedShare", .countsAsZero { "\(LimiterWork().pressedShare(of: $0))" }),
        Row("LimiterWork.swift idleGain", .countsAsZero { "\(LimiterWork().idleGain(insteadOf: Float($0)) as Int?)" }),
    ]

    private static let music: [Row] = [
        Row("MusicEvent+Words.swift pitchBend", .countsAsZero { "\(MusicEvent.pitchBend(Float($0)))" }),
        Row("EffectParameter.swift byte", .countsAsZero { "\(EffectParameter.reverbLevel.byte(of: Float($0)))" }),
        Row("SystemExclusive+Effects.swift message", .countsAsZero { "\(EffectParameter.reverbLevel.message(Float($0)) ?? [])" }),
        Row(
            "PlaybackRate.swift init",
            .returns { value in #expect((0.001...1000).contains(PlaybackRate(nearest: value).factor)) }),
        Row(
            "ClockPassage.swift init",
            .returns { value in
                let passage = ClockPassage(
                    start: .zero, tempo: value, sampleRate: 48_000, position: value, isCounted: true)
                #expect(!"\(passage)".contains("nan"))
            }),
        Row(
            "Arrangement.swift init",
            .returns { value in
                let note = Song.Arrangement.Event(value, note: 60, length: value)
                #expect(note.beat.isFinite && note.end.isFinite)
            }),
        Row(
            "Arrangement+Editing.swift add",
            .returns { value in
                var track = Song.Arrangement.Track()
                #expect(track.add(note: 60, at: value, length: value) == 0 && track.length.isFinite)
            }),
        Row("Arrangement+Editing.swift move", .returns { value in edited { $0.move(0..<1, by: value) } }),
        Row("Arrangement+Editing.swift insert", .returns { value in edited { $0.insert(0..<1, of: $0, at: value) } }),
        Row("Arrangement+Editing.swift merge", .returns { value in edited { $0.merge(0..<1, of: $0, at: value) } }),
        Row("SongLayer.swift init", .refuses { _ = try SongLayer(song, level: Float($0)) }),
        Row("TempoMap+Pulses.swift time", .returns { _ = timeline?.tempoMap.time(ofPulses: $0) }),
        Row(
            "Transport+Clock.swift passages",
            .returns { value in if let timeline { _ = Transport(timeline).passages(otherwise: value) } }),
        Row("SongPlayback.swift setTempo", .refuses { try engine().engine.play(song: song).setTempo($0) }),
    ]

    private static let units: [Row] = [
        Row("KeyTuning.swift init", .countsAsZero { "\(KeyTuning(ofSession: 60, cents: $0))" }),
        Row("Tuning.swift init", .refuses { _ = try Tuning(frequency: $0) }),
        Row("ParameterBlock.swift clamped", .returns { #expect(spec.range.contains(spec.clamped(Float($0)))) }),
        Row("ParameterBlock.swift value", .countsAsZero { "\(spec.value(atFraction: Float($0)))" }),
        Row("ParameterText.swift text", .returns { _ = spec.text(Float($0)) }),
        Row("ParameterText.swift check", .refuses { try spec.check($0) }),
        Row(
            "Quantity.swift init",
            .returns { value in
                for unit in [ParameterSpec.Unit.none, .hertz, .seconds, .toggle, .choice(["a", "b"])] {
                    _ = Quantity(value, unit).description + Quantity(value, unit).exactDescription
                }
            }),
        Row("StreamFormat.swift init", .returns { _ = StreamFormat(sampleRate: $0, channels: 2).description }),
        Row("UnitSetup.swift init", .refuses { _ = try UnitInstance.make(Reverb.self, UnitSetup(sampleRate: $0)) }),
    ]

    private static let engines: [Row] = [
        Row(
            "Graph.swift init",
            .refuses { value in
                var graph = Graph(sampleRate: value); try graph.add(Reverb.self)
            }),
        Row("Engine.swift init", .refuses { _ = try engine(rate: $0) }),
        Row("Engine+Patch.swift init", .refuses { _ = try Engine(patch: engine().engine.patch, sampleRate: $0) }),
        Row(
            "Engine.swift set",
            .refuses { value in
                let (engine, node) = try engine()
                try engine.set(SquareWave.Parameter.gain, Float(value), of: node)
            }),
        Row(
            "Engine+Ramp.swift ramp",
            .refuses { value in
                let (engine, node) = try engine()
                try engine.ramp(SquareWave.Parameter.gain, to: -6, of: node, over: value)
            }),
        Row(
            "Engine+Players.swift fade",
            .refuses {
                let (engine, player) = try player(); try engine.fade(player, to: Float($0), over: .zero)
            }),
        Row(
            "Engine+Players.swift setRate",
            .refuses {
                let (engine, player) = try player(); try engine.setRate(Float($0), of: player)
            }),
        Row("TrackPlayback.swift seek", .returns { value in try played { try $0.seek(toBeat: value) } }),
        Row("TrackPlayback.swift setTempo", .returns { value in try played { try $0.setTempo(value) } }),
        Row("TrackPlayback.swift time", .returns { value in try played { _ = $0.time(ofBeat: value) } }),
        Row(
            "TrackPlayback.swift hostTime",
            .returns { value in
                try played { tracks in #expect(throws: Fault.self) { try tracks.hostTime(ofBeat: value) } }
            }),
        Row("Engine+File.swift render", .refuses { try engine().engine.render(seconds: $0, to: "/proc/nowhere/x.wav") }),
        Row(
            "Engine+Record.swift record",
            .refuses { value in
                let (engine, node) = try engine()
                let path = FileManager.default.temporaryDirectory.path + "/record-\(UUID()).wav"
                defer { unlink(path) }
                _ = try engine.record(node, to: path, seconds: value)
            }),
        Row(
            "Engine+Tap.swift tap",
            .refuses {
                let (engine, node) = try engine(); _ = try engine.tap(node, seconds: $0)
            }),
        Row(
            "GraphReport+Measurement.swift init",
            .refuses { value in
                var options = LiveOptions()
                options.instrument = .squareWave
                _ = try GraphReport(live: options, measuring: value)
            }),
        Row(
            "SimulatedPort.swift advance",
            .countsAsZero { value in
                let (engine, port) = try port()
                port.advance(seconds: value)
                return withExtendedLifetime(engine) { "\(port.played)" }
            }),
        Row(
            "SimulatedHardware.swift init",
            .countsAsZero { value in
                let (engine, port) = try port()
                try engine.stop()
                port.hardware = SimulatedHardware(drift: value, timer: value, captureDrift: value)
                port.troubles = [.holdUp(at: value, lasting: value)]
                port.renderLoad = value
                try engine.start(on: .simulated(port))
                port.advance(seconds: 0.1)
                return "\(port.played.map(\.count))"
            }),
    ]

    @Test(arguments: analysis + music + units + engines) func noValueEndsTheProcess(_ row: Row) throws {
        for value in [Double.nan, .infinity, -.infinity] {
            switch row.way {
            case .refuses(let call): #expect(throws: (any Error).self, "\(value)") { try call(value) }
            case .countsAsZero(let call): #expect(try call(value) == call(0), "\(value)")
            case .returns(let call): try call(value)
            }
        }
    }

    @Test(arguments: [Double.nan, .infinity, 0, -48_000, 999, 1e12]) func anEngineOfAnImpossibleRateSaysSo(_ rate: Double) throws
    {
        let engine = Engine(sampleRate: rate)
        func isRefused(_ call: () throws -> Void) -> Bool {
            do { try call() } catch {
                return (error as? Fault)?.kind == .sampleRate
            }
            return false
        }
        #expect(isRefused { try engine.edit { (graph) throws(Fault) in _ = try graph.add(Reverb.self) } })
        #expect(isRefused { try engine.edit { (graph) throws(Fault) in _ = try graph.add(source: "s") { _ in .silent } } })
        #expect(isRefused { try engine.edit { (graph) throws(Fault) in _ = try graph.add(player: "none.wav") } })
        #expect(isRefused { try engine.start(on: .offline) })
        #expect(isRefused { try engine.start(on: .simulated(SimulatedPort())) })
        #expect(isRefused { _ = try engine.offlineOutput() })
        #expect(isRefused { try engine.play(song: Self.song) })
        #expect(isRefused { _ = try engine.render(seconds: 1, to: "/proc/nowhere/x.wav") })
        _ = (engine.snapshot, engine.frames(.seconds(1)), engine.time(after: .seconds(1)), GraphReport(engine).text())
    }

    @Test(arguments: [1_000.0, 768_000]) func theRangeOfRatesIsOffered(_ rate: Double) throws {
        let (engine, node) = try Self.engine(rate: rate)
        try engine.send(.noteOn(60), to: node)
        #expect(try engine.render(frames: 4_096)[0].contains { $0 != 0 })
    }

    @Test func whatCountedAsZeroIsCounted() {
        let before = NonFiniteValues.count
        _ = MusicEvent.pitchBend(.nan)
        #expect(NonFiniteValues.count > before)
    }

    /// Functions that stand in no row: why they need none.
    private static let apart: [String: String] = [
        "TimingHistogram.swift percentile": "TimingHistogramTests",
        "ParameterSpec.swift init": "a declaration: refused when the unit is made", "ParameterSpec.swift tempo": "a declaration",
        "UnitDescriptor.swift init": "a declaration",
        "UnitPreset.swift init": "a declaration",
        "SongList.swift init": "shown",
        "SongsPart.swift fade": "a ramp", "SongsPart+Verbs.swift crossFade": "a command",
        "KeysPart+Verbs.swift note": "a command", "MetronomePart.swift metronome": "a command",
        "MetronomePart.swift tempo": "a command", "KeysPart+Verbs.swift bend": "a command",
        "LooperPart+Verbs.swift looper": "a command",
        "MixPart+Verbs.swift volume": "a command", "MixPart+Verbs.swift fade": "a command",
        "LoudnessTarget.swift init": "refused by render",
    ]

    /// What `import Carillon` gives, but for DSP, whose callers are units with a rate that was checked, and for files of the
    /// render side, where nothing throws.
    @Test func everyPublicFunctionThatTakesANumberStandsHere() throws {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources")
        let exports = try String(contentsOf: sources.appending(path: "Carillon/Exports.swift"), encoding: .utf8)
        let modules = Set(exports.matches(of: /@_exported import (?:[a-z]+ )?(\w+)/).map { String($0.output.1) })
        #expect(modules.count > 15)
        let covered = Set((Self.analysis + Self.music + Self.units + Self.engines).map(\.name)).union(Self.apart.keys)
        var found: Set<String> = []
        for module in modules where module != "DSP" {
            let folder = sources.appending(path: module).path()
            for case let path as String in FileManager.default.enumerator(atPath: folder) ?? .init()
            where path.hasSuffix(".swift") {
                let text = try String(contentsOfFile: folder + "/" + path, encoding: .utf8)
                if text.hasPrefix("// [render]") && !text.contains("Control side") { continue }
                let file = path.split(separator: "/").last ?? ""
                found.formUnion(Self.functions(of: text).map { "\(file) \($0)" })
            }
        }
        #expect(found.count > 40)
        #expect(found.subtracting(covered).sorted() == [])
        #expect(Set(Self.apart.keys).subtracting(found).sorted() == [], "these are no more")
    }

    /// The names of public functions of a text that take a Double or a Float by itself.
    private static func functions(of text: String) -> [String] {
        text.matches(
            of: /public (?:[a-z]+ )*(?:func (\w+)|(init\??))(?:<[^(]*>)?\(([^{]*?)\)(?: throws| async| ->| where| \{|\n)/
        )
        .filter { match in
            !match.output.0.contains("@_noLocks")
                && match.output.3.contains(/: (?:sending )?(?:Double|Float)\??(?: =|,|$|\n)/)
        }
        .map { String($0.output.1 ?? $0.output.2 ?? "") }
    }
}
