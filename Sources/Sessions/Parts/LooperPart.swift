import EngineCore
import RealtimeCore
import Reports
import Units

/// Loops of what keys and songs play. The metronome is not heard there.
///
/// A request counts from the moment at which it was made, as by a foot switch, and is carried out as soon as it can be, with what
/// came in since then. While the metronome runs or a song plays, what begins or ends does so on the next bar; a press less than
/// 100 ms late is meant for the bar that has passed. What waits for its bar is called off by another press.
final class LooperPart: SessionPart {
    private let core: SessionCore
    private let metronome: MetronomePart
    private let audio: AudioLoops
    private let keeper: LoopKeeper
    /// The track that requests without one mean: that of the last request.
    private var chosen = 0
    private var press: Press?
    /// The track that records from the next key on.
    private var armed: Int?

    /// A press of the one pedal.
    private struct Press {
        let track: Int
        let time: SampleTime
        /// The state before it, and whether it began a layer.
        let before: LoopState
        var beganLayer = false
        /// True if nothing has begun, because it may be held to redo.
        var waits = false
    }

    static let isMissing = Fault.noPart("looper")
    static let verbs: [Verb] =
        Verb.loopActions
        + [.looperMultiply, .looperLevel, .looperPan, .looperFeedback, .looperBeats, .looperSave, .looperLoad]

    init(_ core: SessionCore, _ metronome: MetronomePart) {
        (self.core, self.metronome) = (core, metronome)
        audio = AudioLoops(core, metronome)
        keeper = LoopKeeper(core, audio, metronome)
    }

    /// The first key begins the recording that waits for it.
    func hear(_ performance: Performance) {
        guard let index = armed else { return }
        for command in performance.commands {
            guard case .music(.message(let message)) = command.event, message.beginsNote else { continue }
            armed = nil
            do throws(Fault) { return try audio.begin(.recording, index, at: command.time) } catch { core.tell(["\(error)"]) }
        }
    }

    func turn() { keeper.turn() }
    func makeWhole() { keeper.finish() }

    /// Saves all loops as `NAME.yaml` and a folder of that name.
    func save(_ name: String) throws(Fault) { try keeper.save(name) }
    /// Brings saved loops back, stopped.
    func load(_ name: String) throws(Fault) { try keeper.load(name) }

    /// Carries out an action on a track, which counts from 1; nil means the one of the last request.
    func act(_ action: Session.LoopAction, track number: Int?) throws(Fault) {
        if let number { chosen = number - 1 }
        let index = chosen, moment = core.requestTime ?? core.now
        switch action {
        case .pedal: return try step(index, at: moment)
        case .hold: return try hold(index, at: moment)
        case .lift: return try lift(index)
        default: (press, armed) = (nil, nil)
        }
        switch action {
        case .record: try toggle(.recording, index, at: moment)
        case .overdub: try toggle(.overdubbing, index, at: moment)
        case .replace: try toggle(.replacing, index, at: moment)
        case .play: try audio.begin(.playing, index, at: moment)
        case .stop: try audio.end(index, .stopped)
        case .clear: try audio.end(index, .empty)
        case .undo: try audio.undo(index, by: 1)
        case .redo: try audio.undo(index, by: -1)
        case .mute: try audio.flip(.mute, index)
        case .solo: try audio.flip(.solo, index)
        case .reverse: try audio.flip(.reverse, index)
        case .half: try audio.set(speed: 0, index)
        case .double: try audio.set(speed: 2, index)
        case .once, .retrigger: try audio.restart(index, isOnce: action == .once, at: moment)
        case .arm:
            armed = index
            core.tell(["loop \(index + 1) records from the next key on"])
        case .pedal, .hold, .lift: break
        }
    }

    /// Begins to write, or ends that and plays.
    private func toggle(_ state: LoopState, _ index: Int, at moment: SampleTime) throws(Fault) {
        try audio.begin(audio.loops[index].state == state ? .playing : state, index, at: moment)
    }

    /// Makes the loop so many times as long as its first recording.
    func multiply(_ times: Int, track number: Int?) throws(Fault) {
        try audio.multiply(number.map { $0 - 1 } ?? chosen, by: times)
    }

    func set(_ parameter: Looper.Parameter, _ value: Double, track number: Int) throws(Fault) {
        try audio.set(parameter, Float(value), number - 1)
    }

    /// Corrects how many beats the loop has that has set the tempo.
    func set(beats: Int) throws(Fault) { try audio.set(beats: beats) }

    // The one pedal.

    private func step(_ index: Int, at moment: SampleTime) throws(Fault) {
        armed = nil
        audio.update(index)
        if let press, press.track == index, moment - press.time <= core.options.sampleRate * 35 / 100 {
            self.press = nil
            try takeBack(press)
            return try audio.end(index, press.before == .empty ? .empty : .stopped)
        }
        let loop = audio.loops[index], before = loop.isEmpty ? .empty : loop.state
        press = Press(track: index, time: moment, before: before)
        if loop.wasUndone {
            press?.waits = true
        } else if try !audio.callOff(index) {
            try begin(index, at: moment)
        }
    }

    /// What a press begins: record, play, overdub, play.
    private func begin(_ index: Int, at moment: SampleTime) throws(Fault) {
        switch press?.before ?? .empty {
        case .empty: try audio.begin(.recording, index, at: moment)
        case .playing:
            try audio.begin(.overdubbing, index, at: moment)
            press?.beganLayer = true
        default: try audio.begin(.playing, index, at: moment)
        }
    }

    /// A press turns out to be the first half of something else.
    private func takeBack(_ press: Press) throws(Fault) {
        if press.waits { return }
        if try audio.callOff(press.track) { return }
        if press.beganLayer { try audio.undo(press.track, by: 1) }
    }

    /// The pedal has been down long enough: the press is taken back.
    private func hold(_ index: Int, at moment: SampleTime) throws(Fault) {
        let loop = audio.loops[index], wasUndone = loop.wasUndone
        var before = loop.isEmpty ? .empty : loop.state
        if let press, press.track == index {
            before = press.before
            try takeBack(press)
        }
        press = nil
        if !wasUndone, before == .stopped || before == .empty { return try audio.end(index, .empty) }
        try audio.undo(index, by: wasUndone ? -1 : 1)
        audio.note(wasUndone: !wasUndone, index)
    }

    private func lift(_ index: Int) throws(Fault) {
        guard let press, press.track == index, press.waits else { return }
        self.press?.waits = false
        try begin(index, at: press.time)
    }

    // What is shown.

    var shown: [SessionSnapshot.Loop] {
        if !audio.isThere { return [] }
        let rate = Double(core.options.sampleRate)
        return audio.loops.indices.map { index in
            let seconds = Double(audio.reading(index, "length")) / rate
            let state = LoopState(number: audio.reading(index, "state"))
            return SessionSnapshot.Loop(
                track: index + 1, state: "\(state)", seconds: seconds,
                beats: seconds * metronome.tempo / 60, position: Double(audio.reading(index, "position")) / rate,
                layers: audio.reading(index, "layers"), undone: audio.reading(index, "undone"),
                isMuted: audio.value(.mute, index) >= 0.5, isSoloed: audio.value(.solo, index) >= 0.5)
        }
    }
}
