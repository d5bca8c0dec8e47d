import EngineCore
import Graphs
import RealtimeCore
import Reports
import Sequencer
import UnitAPI
import Units

/// Audio loops: a unit that is added to the end of the graph with the first request, and records what keys and songs play. The
/// metronome is not heard there.
///
/// A request counts from the moment at which it was made, as by a foot switch, and is carried out as soon as it can be, with what
/// came in since then. While the metronome runs or a song plays, what begins or ends does so on the next bar; a press less than
/// 100 ms late is meant for the bar that has passed.
final class LooperPart: SessionPart {
    private let core: SessionCore
    private let metronome: MetronomePart
    private var node: NodeID?
    /// What each track was asked to do last; the unit does it a little later.
    private var tracks = [Track](repeating: Track(), count: Looper.tracks)
    /// The track that requests without one mean: that of the last request.
    private var chosen = 0
    /// The frames of the loop that has set the tempo.
    private var measure: Int?
    private var press: Press?

    /// What a track was asked to do, in the unit's words.
    private struct Track {
        var state = LoopState.empty
        /// When its recording begins or began, and how long the loop is.
        var start = SampleTime.zero
        var length = 0
        var undone = 0
        /// When the last request takes effect.
        var time = SampleTime.zero
        var isRestarted = false
        /// True if the last request took a layer back: the pedal's next hold brings it back.
        var wasUndone = false
    }

    /// A press of the one pedal.
    private struct Press {
        let track: Int
        let time: SampleTime
        /// The state before it, and whether it began a layer.
        let before: LoopState
        let beganLayer: Bool
        let wasUndone: Bool
    }

    static let isMissing = Fault.noPart("looper")
    static let verbs: [Verb] =
        Verb.loopActions + [Verb.looperMultiply, Verb.looperLevel, Verb.looperPan, Verb.looperFeedback, Verb.looperBeats]
    static let fields: [PartField<LooperPart>] = [
        PartField(\.loops, "loops", "The tracks of the looper; empty until one is asked for.") { $0.loops }
    ]

    init(_ core: SessionCore, _ metronome: MetronomePart) { (self.core, self.metronome) = (core, metronome) }

    private var sampleRate: Int { core.options.sampleRate }

    /// Carries out an action on a track, which counts from 1; nil means the one of the last request.
    func act(_ action: Session.LoopAction, track number: Int?) throws(Fault) {
        if let number { chosen = number - 1 }
        let index = chosen, moment = core.requestTime ?? core.now
        if action != .pedal, action != .lift { press = nil }
        switch action {
        case .pedal: return try step(index, at: moment)
        case .lift: return try lift(index, at: moment)
        case .record: try begin(.recording, index, at: moment)
        case .play: try begin(.playing, index, at: moment)
        case .overdub: try begin(.overdubbing, index, at: moment)
        case .replace: try begin(.replacing, index, at: moment)
        case .stop: try end(index, .stopped)
        case .clear: try end(index, .empty)
        case .undo: try undo(index, by: 1)
        case .redo: try undo(index, by: -1)
        case .mute: try flip(.mute, index)
        case .solo: try flip(.solo, index)
        case .reverse: try flip(.reverse, index)
        case .half: try set(.speed, value(.speed, index) == 0 ? 1 : 0, index)
        case .double: try set(.speed, value(.speed, index) == 2 ? 1 : 2, index)
        case .once, .retrigger: try restart(index, isOnce: action == .once, at: moment)
        }
    }

    /// Makes the loop so many times as long as its first recording.
    func multiply(_ times: Int, track number: Int?) throws(Fault) {
        let index = number.map { $0 - 1 } ?? chosen
        try needsLoop(index)
        try set(.times, Float(times), index)
        tracks[index].undone = 0
    }

    func set(_ parameter: Looper.Parameter, _ value: Double, track number: Int) throws(Fault) {
        try set(parameter, Float(value), number - 1)
    }

    /// Corrects how many beats the loop has that has set the tempo.
    func set(beats: Int) throws(Fault) {
        guard let measure else {
            throw .option(name: "looper beats", value: "\(beats)", remedy: "record a first loop without a tempo")
        }
        try metronome.set(tempo: Double(beats) * 60 * Double(sampleRate) / Double(measure), ofSongs: false)
    }

    // The one pedal.

    private func step(_ index: Int, at moment: SampleTime) throws(Fault) {
        update(index)
        let before = tracks[index].state, wasUndone = tracks[index].wasUndone
        if let press, press.track == index, moment - press.time <= sampleRate * 35 / 100 {
            self.press = nil
            if press.beganLayer { try undo(index, by: 1) }
            return try end(index, press.before == .empty ? .empty : .stopped)
        }
        switch before {
        case .empty: try begin(.recording, index, at: moment)
        case .playing: try begin(.overdubbing, index, at: moment)
        default: try begin(.playing, index, at: moment)
        }
        press = Press(track: index, time: moment, before: before, beganLayer: before == .playing, wasUndone: wasUndone)
    }

    /// The pedal goes up: if it was held, the press is taken back.
    private func lift(_ index: Int, at moment: SampleTime) throws(Fault) {
        guard let press, press.track == index, moment - press.time >= sampleRate * 6 / 10 else { return }
        self.press = nil
        switch press.before {
        case .stopped, .empty: try end(index, .empty)
        default:
            if press.beganLayer {
                try begin(.playing, index, at: moment, isAtOnce: true)
                try undo(index, by: 1)
            }
            try undo(index, by: press.wasUndone ? -1 : 1)
        }
    }

    // What the unit is asked to do.

    /// The next frame at which something may begin that was meant for `moment`.
    private func start(of moment: SampleTime) -> SampleTime { metronome.next(.bar, after: moment - sampleRate / 10) ?? moment }

    /// Says to the unit how long ago what comes next was meant to begin. Returns the frame from which it counts, and when it takes
    /// effect.
    private func place(_ meant: SampleTime) throws(Fault) -> (from: SampleTime, time: SampleTime) {
        let time = max(meant, core.soon)
        // No earlier than what the unit still knows: the first request makes it, which takes a while.
        let frames = min(time - meant, Int(Looper.longestEarly * Double(sampleRate)))
        try core.engine.set(Looper.Parameter.early, Float(Double(frames) / Double(sampleRate)), of: try unit(), at: time)
        return (time + -frames, time)
    }

    private func begin(_ state: LoopState, _ index: Int, at moment: SampleTime, isAtOnce: Bool = false) throws(Fault) {
        update(index)
        let isRecording = state == .recording, before = tracks[index].state
        if !isRecording { try needsLoop(index) }
        _ = try unit()
        let (from, time) = try place(isAtOnce ? moment : start(of: moment))
        if isRecording {
            for parameter in [Looper.Parameter.undone, .once, .reverse] { try set(parameter, 0, index, at: time) }
            try set(.times, 1, index, at: time)
            try set(.speed, 1, index, at: time)
            (tracks[index].start, tracks[index].undone) = (from, 0)
        }
        if state == .overdubbing || state == .replacing {
            tracks[index].undone = 0
            try set(.undone, 0, index, at: time)
        }
        if before == .stopped { try set(.once, 0, index, at: time) }
        try ask(state, index, at: time)
        if before == .recording, !isRecording { try close(index, at: from) }
    }

    /// A recording ends: the first one without a tempo gives the session its own.
    private func close(_ index: Int, at end: SampleTime) throws(Fault) {
        let isFirst = tracks.enumerated().allSatisfy { $0.offset == index || $0.element.length == 0 }
        tracks[index].length = end - tracks[index].start
        guard isFirst, metronome.next(.bar, after: end) == nil, let beats = Self.beats(of: tracks[index].length, sampleRate)
        else { return }
        measure = tracks[index].length
        do throws(Fault) { try set(beats: beats) } catch { core.tell(["\(error)"]) }
    }

    /// The beats of a loop, so that they are 70 to 160 a minute: rather whole bars of four, rather neither fast nor slow.
    static func beats(of frames: Int, _ sampleRate: Int) -> Int? {
        let minutes = Double(frames) / Double(sampleRate) / 60
        func rank(_ beats: Int) -> Int { beats % 4 == 0 ? 0 : beats % 2 == 0 ? 1 : 2 }
        let fitting = (1...512).filter { (70...160).contains(Double($0) / minutes) }
        return fitting.min { one, other in
            let (first, second) = (rank(one), rank(other))
            if first != second { return first < second }
            return abs(Double(one) / minutes - 106) < abs(Double(other) / minutes - 106)
        }
    }

    private func end(_ index: Int, _ state: LoopState) throws(Fault) {
        update(index)
        if node == nil || tracks[index].state == .empty { return }
        let time = core.soon, wasRecording = tracks[index].state == .recording
        try core.engine.set(Looper.Parameter.early, 0, of: try unit(), at: time)
        try ask(state, index, at: time)
        if wasRecording, state == .stopped { try close(index, at: time) }
        if state == .empty { (tracks[index].length, tracks[index].undone) = (0, 0) }
    }

    private func undo(_ index: Int, by layers: Int) throws(Fault) {
        try needsLoop(index)
        let undone = tracks[index].undone + layers
        guard (0...4).contains(undone) else { return }
        tracks[index].undone = undone
        try set(.undone, Float(undone), index, at: core.soon)
        tracks[index].wasUndone = layers > 0
    }

    private func restart(_ index: Int, isOnce: Bool, at moment: SampleTime) throws(Fault) {
        try needsLoop(index)
        let (_, time) = try place(start(of: moment))
        try set(.once, isOnce ? 1 : 0, index, at: time)
        if tracks[index].state == .playing {
            tracks[index].isRestarted.toggle()
            try set(.restart, tracks[index].isRestarted ? 1 : 0, index, at: time)
        }
        try ask(.playing, index, at: time)
    }

    private func ask(_ state: LoopState, _ index: Int, at time: SampleTime) throws(Fault) {
        try set(.state, Float(state.rawValue), index, at: time)
        (tracks[index].state, tracks[index].time, tracks[index].wasUndone) = (state, time, false)
    }

    private func needsLoop(_ index: Int) throws(Fault) {
        if node != nil, tracks[index].state != .empty { return }
        throw .option(name: "looper", value: "\(index + 1)", remedy: "record a loop on this track first")
    }

    private func flip(_ parameter: Looper.Parameter, _ index: Int) throws(Fault) {
        try set(parameter, value(parameter, index) >= 0.5 ? 0 : 1, index)
    }

    private func value(_ parameter: Looper.Parameter, _ index: Int) -> Float {
        guard let node, let block = core.engine.graph[node]?.instance.parameters else { return parameter.spec.initial }
        return block.target(parameter.rawValue, index)
    }

    private func set(
        _ parameter: Looper.Parameter, _ value: Float, _ index: Int, at time: SampleTime? = nil
    ) throws(Fault) { try core.engine.set(parameter, value, element: index, of: try unit(), at: time) }

    /// What the unit does by itself: a recording without memory plays.
    private func update(_ index: Int) {
        if tracks[index].state == .recording, core.now > tracks[index].time + 8192, reading(index, "state") == 2 {
            tracks[index].state = .playing
            tracks[index].length = reading(index, "length")
        }
    }

    private func reading(_ index: Int, _ name: String) -> Int {
        guard let node, let value = core.engine.graph[node]?.instance.readout("\(name)-\(index + 1)") else { return 0 }
        return Int(value)
    }

    /// The unit, at the end of the graph.
    private func unit() throws(Fault) -> NodeID {
        if let node, core.engine.graph[node] != nil { return node }
        let seconds = core.options.device.loopSeconds
        let made = try core.engine.edit { (graph) throws(Fault) in
            let node = try graph.add(
                named: Looper.descriptor.name, startValues: [:], properties: ["seconds": .number(seconds)])
            try graph.append(node)
            graph.give([node], to: .sound)
            return node
        }
        core.engine.forgetHistory()
        node = made
        let bytes = seconds * Double(Looper.tracks * sampleRate * 8)
        core.tell(["loops: \(Looper.tracks) tracks, \(Int(bytes / 1e6)) MB for \(Int(seconds)) s each"])
        return made
    }

    private var loops: [SessionSnapshot.Loop] {
        if node == nil { return [] }
        let rate = Double(sampleRate)
        return tracks.indices.map { index in
            let seconds = Double(reading(index, "length")) / rate
            let state = LoopState(rawValue: reading(index, "state")) ?? .empty
            return SessionSnapshot.Loop(
                track: index + 1, state: "\(state)", seconds: seconds,
                beats: seconds * metronome.tempo / 60, position: Double(reading(index, "position")) / rate,
                layers: reading(index, "layers"), undone: reading(index, "undone"), isMuted: value(.mute, index) >= 0.5,
                isSoloed: value(.solo, index) >= 0.5)
        }
    }
}

extension SnapshotKeys {
    /// The tracks of the looper; empty until one is asked for.
    public var loops: SnapshotKey<[SessionSnapshot.Loop]> { SnapshotKey([]) }
}

extension SessionSnapshot {
    /// A track of the looper.
    public struct Loop: Sendable, Hashable {
        /// From 1 on.
        public var track: Int
        /// `empty`, `stopped`, `playing`, `recording`, `overdubbing` or `replacing`.
        public var state: String
        /// The length of the loop, in seconds and in beats of the session's tempo.
        public var seconds: Double
        public var beats: Double
        /// The place in the loop, in seconds.
        public var position: Double
        /// Layers that sound, and layers that were taken back.
        public var layers: Int
        public var undone: Int
        public var isMuted: Bool
        public var isSoloed: Bool
    }
}

extension SessionSnapshot.Loop: Fielded {
    package static let fields: [Field<Self>] = [
        Field("track", \.track, "The number of the track, from 1 on."),
        Field("state", \.state, "What it does: empty, stopped, playing, recording, overdubbing, replacing."),
        Field("seconds", \.seconds, "The length of the loop in seconds."),
        Field("beats", \.beats, "The length of the loop in beats of the session's tempo."),
        Field("position", \.position, "The place in the loop in seconds."),
        Field("layers", \.layers, "The layers that sound."),
        Field("undone", \.undone, "The layers that were taken back."),
        Field("isMuted", \.isMuted, "Whether it is muted."),
        Field("isSoloed", \.isSoloed, "Whether it is soloed."),
    ]
}

extension Verb {
    /// The requests that need a track at most.
    static let loopActions = Session.LoopAction.allCases.map { action in
        Verb(
            "looper \(action.rawValue)", [.init("TRACK", .whole(loopTrack), isOptional: true)], help: action.help,
            "looper \(action.rawValue) 1"
        ) { (looper: LooperPart, values) throws(Fault) in try looper.act(action, track: values.optionalWhole(0)) }
    }
    static func looper(_ action: Session.LoopAction) -> Verb {
        loopActions[Session.LoopAction.allCases.firstIndex(of: action) ?? 0]
    }
    private static let loopTrack = ParameterSpec("track", 1...Float(Looper.tracks), default: 1, help: "A track of the looper.")
    private static let loopNumber = VerbArgument("TRACK", .whole(loopTrack))

    static let looperMultiply = Verb(
        "looper multiply", [.whole("N", 1...64), .init("TRACK", .whole(loopTrack), isOptional: true)],
        help: "Makes a loop N times as long as its first recording.", "looper multiply 2 1"
    ) { (looper: LooperPart, values) throws(Fault) in
        try looper.multiply(values.whole(0), track: values.optionalWhole(1))
    }
    static let looperLevel = setting("level", "LEVEL", .level, "Sets the level of a loop.", "looper level 1 -6dB")
    static let looperPan = setting("pan", "PAN", .pan, "Sets where a loop is heard.", "looper pan 1 -50")
    static let looperFeedback = setting(
        "feedback", "FEEDBACK", .feedback, "Sets how much of a loop stays where a layer is added.", "looper feedback 1 80%")
    private static func setting(
        _ word: String, _ name: String, _ parameter: Looper.Parameter, _ help: String, _ example: String
    ) -> Verb {
        Verb("looper \(word)", [loopNumber, .init(name, .number(parameter.spec))], help: help, example) {
            (looper: LooperPart, values) throws(Fault) in
            try looper.set(parameter, values.number(1), track: values.whole(0))
        }
    }
    static let looperBeats = Verb(
        "looper beats", [.whole("N", 1...512)], help: "Corrects how many beats the loop has that has set the tempo.",
        "looper beats 8"
    ) { (looper: LooperPart, values) throws(Fault) in try looper.set(beats: values.whole(0)) }
}

extension ControlCommand {
    /// Asks a track of the looper, 1...8, for something; nil means the track of the last request.
    public static func looper(_ action: Session.LoopAction, track: Int? = nil) -> ControlCommand { Verb.looper(action)(track) }
    /// Makes a loop so many times as long as its first recording, 1...64.
    public static func looperMultiply(_ times: Int, track: Int? = nil) -> ControlCommand { Verb.looperMultiply(times, track) }
    /// Corrects how many beats the loop has that has set the tempo, 1...512.
    public static func looperBeats(_ beats: Int) -> ControlCommand { Verb.looperBeats(beats) }

    /// Sets the level of a loop, -60...12 decibels.
    public static func looper(level decibels: Double, track: Int) -> ControlCommand { Verb.looperLevel(track, decibels) }
    /// Sets where a loop is heard, from -100, left, to 100.
    public static func looper(pan: Double, track: Int) -> ControlCommand { Verb.looperPan(track, pan) }
    /// Sets how much of a loop stays where a layer is added, 0...100 percent.
    public static func looper(feedback percent: Double, track: Int) -> ControlCommand { Verb.looperFeedback(track, percent) }

    /// The request that the pedal of a loop makes when it goes up; nil for any other request.
    var lifting: ControlCommand? {
        verb == Verb.looper(.pedal) ? ControlCommand(Verb.looper(.lift), values) : nil
    }
}
