import EngineCore
import Patches
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
    private let midi: MIDILoops
    /// By track, what it records.
    private var kinds = [Session.LoopKind](repeating: .audio, count: Looper.tracks)
    private let keeper: LoopKeeper
    private let stretching: LoopStretching
    private let lock: LoopLock
    /// The track that requests without one mean: that of the last request.
    private var chosen = 0
    private var press: Press?
    /// True while the second of two quick presses is down: what is held then is not cleared.
    private var isDouble = false
    /// True until the unit was made for pedals, whose first press would come before it.
    private var owesUnit: Bool
    /// What is to play once saved loops are there.
    private var waiting: [Waiting] = []
    /// The track that records from the next key or sound on.
    private var armed: Int? { didSet { if armed == nil, oldValue != nil { audio.endListening() } } }

    private enum Waiting {
        case action(Session.LoopAction, track: Int)
        case row(String)
    }

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
        + [
            .looperKind, .looperCapture, .looperMove, .looperMultiply, .looperRow, .looperLevel, .looperPan, .looperFeedback,
            .looperOutput,
            .looperBeats,
            .looperStretch, .looperSave, .looperLoad,
        ] + LoopNoteVerbs.all

    init(_ core: SessionCore, _ metronome: MetronomePart) {
        (self.core, self.metronome) = (core, metronome)
        owesUnit = core.options.allButtons.contains { button in
            guard case .request(let command) = button.action else { return false }
            return [Verb.looper(.pedal), .looper(.record), .looper(.arm)].contains(command.verb)
        }
        audio = AudioLoops(core, metronome)
        midi = MIDILoops(core, metronome)
        keeper = LoopKeeper(core, audio, midi, metronome)
        stretching = LoopStretching(core, audio, metronome)
        lock = LoopLock(core, audio, metronome)
        stretching.isBlocked = { [unowned keeper] in keeper.isBusy }
        keeper.isBlocked = { [unowned stretching] in stretching.isBusy }
        keeper.onKind = { [unowned self] in kinds[$0] = $1 }
        metronome.onTempo { [unowned midi] in midi.follow(tempo: $0, at: $1) }
        midi.isAlone = { [unowned audio] in audio.loops.allSatisfy { $0.length == 0 } }
        audio.isAlone = { [unowned midi] in midi.loops.allSatisfy { $0.length == 0 } }
        core.stage.loopPorts = { [unowned midi] in midi.ports }
        core.stage.keepsLoops = { [unowned self] in (audio.loops + midi.loops).contains { !$0.isEmpty && !$0.isSaved } }
    }

    /// The loops of a track's kind.
    private func tracks(_ index: Int) -> any LoopTracks { kinds[index] == .midi ? midi : audio }

    /// Says what a track records from now on. - Throws: if it has a loop.
    func set(_ kind: Session.LoopKind, track number: Int?) throws(Fault) {
        choose(number)
        if kinds[chosen] == kind { return }
        try needsEmpty("looper kind")
        kinds[chosen] = kind
    }

    /// Chooses a track; nil means the one of the last request.
    private func choose(_ number: Int?) { if let number { chosen = number - 1 } }

    /// Chooses a track of MIDI.
    private func chooseMIDI(_ number: Int?, _ name: String, _ remedy: String) throws(Fault) {
        choose(number)
        if kinds[chosen] != .midi { throw .option(name: name, value: "\(chosen + 1)", remedy: remedy) }
    }

    private func needsEmpty(_ name: String) throws(Fault) {
        if tracks(chosen).loops[chosen].state == .empty { return }
        let number = chosen + 1
        throw .option(
            name: name, value: "\(number)", remedy: "the track has a loop; clear it with looper clear \(number)")
    }

    /// Makes the last bars that keyboards played a MIDI loop, on an empty track.
    func capture(bars: Int, track number: Int?) throws(Fault) {
        choose(number)
        try needsEmpty("looper capture")
        try midi.capture(chosen, bars: bars)
        kinds[chosen] = .midi
    }

    /// Gives a MIDI loop to the patch in hand.
    func move(track number: Int?) throws(Fault) {
        try chooseMIDI(number, "looper move", "a loop of sound has no instrument")
        try midi.move(chosen) { core.graph.ports.engine(part: core.stage.patchPart($0)) }
    }

    /// Changes the notes of a MIDI loop by a layer, which undo takes back.
    func edit(track number: Int?, _ change: (inout SongEdits) throws(Fault) -> Void) throws(Fault) {
        try chooseMIDI(number, "looper", "a loop of sound has no notes; looper kind midi makes one")
        midi.update(chosen)
        try midi.callOff(chosen)
        try midi.needsLoop(chosen)
        if midi.loops[chosen].writes || midi.present(chosen).writes { throw AudioLoops.records(chosen) }
        guard let layer = midi.present(chosen).layer else { throw AudioLoops.noLoop(chosen) }
        midi.put(try layer.edited(tempo: metronome.tempo, sampleRate: core.options.sampleRate, change), chosen)
    }

    /// The first key begins the recording that waits for it.
    func hear(_ performance: Performance) {
        midi.hear(performance)
        guard let index = armed else { return }
        for command in performance.live {
            guard case .music(.message(let message)) = command.event, message.beginsNote else { continue }
            return beginArmed(index, at: command.time)
        }
    }

    private func beginArmed(_ index: Int, at time: SampleTime) {
        armed = nil
        do throws(Fault) { try tracks(index).begin(.recording, index, at: time) } catch { core.tell(["\(error)"]) }
    }

    func turn() throws(Fault) {
        makeUnit()
        if let index = armed, kinds[index] == .audio, let time = audio.takeOnset() {
            beginArmed(index, at: time + -audio.latency)
        }
        try again(audio.turn)
        midi.turn()
        keeper.turn()
        playWaiting()
        stretching.turn()
        try again(lock.turn)
    }

    /// A full queue is tried again in the next turn.
    private func makeUnit() {
        if !owesUnit { return }
        do throws(Fault) { _ = try audio.desk() } catch {
            if error.kind == .queueFull { return }
            core.tell(["\(error)"])
        }
        owesUnit = false
    }

    private func playWaiting() {
        if keeper.isLoading || waiting.isEmpty { return }
        let requests = waiting
        waiting = []
        for request in requests {
            do throws(Fault) {
                switch request {
                case .action(let action, let track): try act(action, track: track)
                case .row(let text): try play(row: text)
                }
            } catch { core.tell(["\(error)"]) }
        }
    }

    func silence() throws(Fault) {
        waiting = []
        var faults = Attempts()
        for index in audio.loops.indices where ![.empty, .stopped].contains(audio.loops[index].state) {
            faults.attempt { () throws(Fault) in try audio.end(index, .stopped) }
        }
        faults.attempt { () throws(Fault) in try midi.stopAll() }
        try faults.finish()
    }
    func release(at stop: SampleTime) { midi.stop(at: stop) }
    func makeWhole() {
        keeper.finish()
        stretching.finish()
    }

    /// Says whether loops of sound are stretched to another tempo; else it is refused while they play.
    func stretch(_ isOn: Bool) { stretching.isOn = isOn }

    /// Saves all loops as `NAME.yaml` and a folder of that name.
    func save(_ name: String) throws(Fault) { try keeper.save(name) }
    /// Brings saved loops back, stopped.
    func load(_ name: String) throws(Fault) { try keeper.load(name) }

    /// Carries out an action on a track, which counts from 1; nil means the one of the last request.
    func act(_ action: Session.LoopAction, track number: Int?) throws(Fault) {
        choose(number)
        let index = chosen, moment = core.requestTime ?? core.now, tracks = tracks(index)
        if keeper.isLoading, [.play, .once, .retrigger].contains(action) {
            return waiting.append(.action(action, track: index + 1))
        }
        waiting.removeAll { request in
            if case .action(_, let track) = request { track == index + 1 } else { action == .stop || action == .clear }
        }
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
        case .play: try tracks.begin(.playing, index, at: moment)
        case .stop:
            if tracks.loops[index].state == .empty { throw AudioLoops.noLoop(index) }
            try tracks.end(index, .stopped)
        case .clear: try tracks.end(index, .empty)
        case .undo: try tracks.undo(index, by: 1)
        case .redo: try tracks.undo(index, by: -1)
        case .mute: try tracks.flip(.mute, index)
        case .solo: try solo(index)
        case .reverse: try tracks.flip(.reverse, index)
        case .half: try tracks.set(speed: 0, index)
        case .double: try tracks.set(speed: 2, index)
        case .once, .retrigger: try tracks.restart(index, isOnce: action == .once, at: moment)
        case .arm:
            let hears = kinds[index] == .audio
            if hears { try audio.listen() }
            armed = index
            core.tell(["loop \(index + 1) records from the next key\(hears && !metronome.followsSong ? " or sound" : "") on"])
        case .pedal, .hold, .lift: break
        }
    }

    /// Begins to write, or ends that and plays.
    private func toggle(_ state: LoopState, _ index: Int, at moment: SampleTime) throws(Fault) {
        let tracks = tracks(index)
        try tracks.begin(tracks.loops[index].state == state ? .playing : state, index, at: moment)
    }

    /// Loops of both kinds are silent while another is soloed.
    private func solo(_ index: Int) throws(Fault) {
        try tracks(index).flip(.solo, index)
        if kinds[index] == .audio {
            midi.isOtherSoloed = kinds.indices.contains { kinds[$0] == .audio && audio.value(.solo, $0) >= 0.5 }
        } else if audio.isThere {
            // The unit's own track is empty: so all its others are silent.
            try audio.set(.solo, midi.isSoloed(index) ? 1 : 0, index)
        }
    }

    /// Plays these loops together from the next bar on, or at once where there is none; all others stop then.
    func play(row text: String) throws(Fault) {
        let tracks = PartList(text)?.parts ?? []
        if tracks.isEmpty || tracks.contains(where: { $0 >= Looper.tracks }) {
            throw .option(name: "looper row", value: text, remedy: "choose tracks from 1 to \(Looper.tracks), such as 1,3-4")
        }
        if keeper.isLoading { return waiting = [.row(text)] }
        let moment = core.requestTime ?? core.now
        (press, armed) = (nil, nil)
        for index in tracks.sorted() where self.tracks(index).loops[index].isEmpty { throw AudioLoops.noLoop(index) }
        var faults = Attempts()
        for index in kinds.indices {
            self.tracks(index).update(index)
            let loop = self.tracks(index).loops[index], plays = !loop.isEmpty && loop.state != .stopped
            let wanted: LoopState = tracks.contains(index) ? .playing : .stopped
            if wanted == .playing ? loop.state == .playing : !plays { continue }
            faults.attempt { () throws(Fault) in try self.tracks(index).begin(wanted, index, at: moment) }
        }
        try faults.finish()
    }

    /// Makes the loop so many times as long as its first recording.
    func multiply(_ times: Int, track number: Int?) throws(Fault) {
        let index = number.map { $0 - 1 } ?? chosen
        try tracks(index).multiply(index, by: times)
    }

    func set(_ parameter: Looper.Parameter, _ value: Double, track number: Int) throws(Fault) {
        try tracks(number - 1).set(parameter, Float(value), number - 1, at: nil)
    }

    /// Corrects how many beats the loop has that has set the tempo.
    func set(beats: Int) throws(Fault) { try (midi.hasTempo ? midi : audio as any LoopTracks).set(beats: beats) }

    // The one pedal.

    private func step(_ index: Int, at moment: SampleTime) throws(Fault) {
        armed = nil
        tracks(index).update(index)
        isDouble = false
        if let press, press.track == index, moment - press.time <= core.options.sampleRate * 35 / 100 {
            (self.press, isDouble) = (nil, true)
            try takeBack(press)
            return try tracks(index).end(index, press.before == .empty ? .empty : .stopped)
        }
        let loop = tracks(index).loops[index], before = loop.isEmpty ? .empty : loop.state
        press = Press(track: index, time: moment, before: before)
        if loop.wasUndone {
            press?.waits = true
        } else if try !tracks(index).callOff(index) {
            try begin(index, at: moment)
        }
    }

    /// What a press begins: record, play, overdub, play.
    private func begin(_ index: Int, at moment: SampleTime) throws(Fault) {
        switch press?.before ?? .empty {
        case .empty: try tracks(index).begin(.recording, index, at: moment)
        case .playing:
            try tracks(index).begin(.overdubbing, index, at: moment)
            press?.beganLayer = true
        default: try tracks(index).begin(.playing, index, at: moment)
        }
    }

    /// A press turns out to be the first half of something else.
    private func takeBack(_ press: Press) throws(Fault) {
        if press.waits { return }
        if try tracks(press.track).callOff(press.track) { return }
        if press.beganLayer { try tracks(press.track).undo(press.track, by: 1) }
    }

    /// The pedal has been down long enough: the press is taken back.
    private func hold(_ index: Int, at moment: SampleTime) throws(Fault) {
        let loop = tracks(index).loops[index], wasUndone = loop.wasUndone
        var before = loop.isEmpty ? .empty : loop.state
        if let press, press.track == index {
            before = press.before
            try takeBack(press)
        }
        press = nil
        if !wasUndone, !isDouble, before == .stopped || before == .empty { return try tracks(index).end(index, .empty) }
        if isDouble, loop.isEmpty { return }
        try tracks(index).undo(index, by: wasUndone ? -1 : 1)
        tracks(index).note(wasUndone: !wasUndone, index)
    }

    private func lift(_ index: Int) throws(Fault) {
        guard let press, press.track == index, press.waits else { return }
        self.press?.waits = false
        try begin(index, at: press.time)
    }

    // What is shown.

    var shown: [SessionSnapshot.Loop] {
        if !audio.isThere, !midi.isThere, kinds.allSatisfy({ $0 == .audio }) { return [] }
        return kinds.indices.map { index in
            var shown = tracks(index).shown(index)
            let asked = tracks(index).loops[index], isWaiting = asked.time > core.moment && "\(asked.state)" != shown.state
            shown.coming = isWaiting ? "\(asked.state)" : nil
            return shown
        }
    }
}
