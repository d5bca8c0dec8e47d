import RealtimeCore
import Reports
import TimePitch
import UnitAPI
import Units

/// Stretches loops of sound that have a tempo to another one: while a thread of its own works, everything plays on as it is, and then
/// tempo and loops change on one frame. Loops that stand follow the tempo of the session when it has been the same for a while.
/// Session's thread.
final class LoopStretching {
    private let core: SessionCore
    private let loops: AudioLoops
    private let metronome: MetronomePart
    /// False: where loops play, their tempo stays.
    var isOn = true
    /// Returns true while the desks are used for files.
    var isBlocked: () -> Bool = { false }
    private var work: Work?
    /// The tempo that was asked for last; it waits for loops that play.
    private var wanted: Double?
    /// By track, what was played, as long as nothing else was.
    private var played: [Int: (edition: Int, loop: PlayedLoop)] = [:]
    /// The share by which the tempo of a song may differ from that of loops.
    private static let near = 0.003
    /// A tempo to which loops that follow by themselves cannot be stretched, and their editions then.
    private var refused: (tempo: Double, editions: [Int])?
    /// The session's tempo, and since when it is that.
    private var steady = (tempo: 0.0, since: SampleTime.zero)

    private struct Work {
        enum Step { case holding, making, reserving, writing }

        let order: LoopStretchOrder
        let desk: LoopDesk
        /// By track, the edition that is stretched.
        let editions: [Int: Int]
        /// True if the session's tempo changes with it.
        let isAsked: Bool
        var step = Step.holding
        var thread: LoopThread?
    }

    init(_ core: SessionCore, _ loops: AudioLoops, _ metronome: MetronomePart) {
        (self.core, self.loops, self.metronome) = (core, loops, metronome)
        metronome.waitsForLoops = { [unowned self] (tempo) throws(Fault) in try ask(tempo) }
        metronome.onSet = { [unowned self] in
            wanted = nil
            if work?.isAsked == true { work?.order.callOff() }
        }
    }

    /// True while it uses desks.
    var isBusy: Bool { work != nil }

    /// Asks for a tempo. Returns true if it comes later, once loops that play are stretched. - Throws: if they cannot be.
    private func ask(_ tempo: Double) throws(Fault) -> Bool {
        guard let held = loops.held else { return false }
        if wanted == nil, abs(held.tempo - tempo) < 1e-9 { return false }
        if !isOn {
            throw .option(
                name: "tempo", value: "loop \(held.loop) has \(Quantity(held.tempo, .none)) and is not stretched",
                remedy: "stop it first, or say looper stretch on")
        }
        if isBlocked() {
            throw .option(name: "tempo", value: "\(tempo)", remedy: "loops are being saved or loaded; wait a moment")
        }
        if let index = loops.loops.firstIndex(where: \.writes) { throw AudioLoops.records(index) }
        for index in tracks where loops.loops[index].state != .stopped {
            let own = length(index).tempo, range = TimeStretch.ratios
            guard range.contains(own / tempo) else {
                let bounds = [range.upperBound, range.lowerBound].map { Quantity((own / $0 * 100).rounded() / 100, .none) }
                throw .outOfRange(
                    name: "tempo", value: "\(tempo)",
                    remedy: "choose from \(bounds[0]) to \(bounds[1]) while loop \(index + 1) plays, or stop it first")
            }
        }
        if wanted == nil { core.tell(["the tempo changes once the loops are stretched"]) }
        wanted = tempo
        if work?.order.tempo != tempo { work?.order.callOff() }
        return true
    }

    /// The loops that have a tempo.
    private var tracks: [Int] { loops.loops.indices.filter { !loops.loops[$0].isEmpty && loops.loops[$0].tempo != nil } }

    /// The length of a loop as it was played.
    private func length(_ index: Int) -> LoopLength {
        if let played = played[index], played.edition == loops.loops[index].edition { return played.loop.length }
        return LoopLength(tempo: loops.loops[index].tempo ?? metronome.tempo, exact: loops.exact(index))
    }

    func turn() {
        if !loops.isThere { return }
        for index in played.keys where played[index]?.edition != loops.loops[index].edition { played[index] = nil }
        let tempo = metronome.tempo
        if tempo != steady.tempo, !metronome.followsSong || abs(tempo / steady.tempo - 1) > Self.near / 2 {
            steady = (tempo, core.now)
        }
        do throws(Fault) {
            if work != nil { try goOn() } else if let tempo = nextTempo { try begin(tempo) }
        } catch {
            // What was asked for is asked for again.
            if error.kind == .queueFull { return drop() }
            core.tell([wanted == nil ? "loops keep their tempo: \(error)" : "the tempo stays: \(error)"])
            if wanted == nil { refused = (steady.tempo, loops.loops.map(\.edition)) }
            wanted = nil
            drop()
        }
    }

    /// The tempo to which loops are to be stretched next.
    private var nextTempo: Double? {
        if isBlocked() { return nil }
        if let wanted { return wanted }
        guard isOn, core.now - steady.since > 2 * core.options.sampleRate else { return nil }
        if let refused, refused == (steady.tempo, loops.loops.map(\.edition)) { return nil }
        // Where loops play, a song has another tempo, or a clock from outside: what is near is kept by `LoopLock`.
        let isLed = metronome.followsSong, plays = loops.held != nil
        if plays, !isLed { return nil }
        let isLeft = tracks.contains { index in
            let loop = loops.loops[index], own = length(index).tempo
            return (loop.state == .stopped || plays && !loop.writes)
                && abs((loop.tempo ?? steady.tempo) / steady.tempo - 1) > (isLed ? Self.near : 1e-9)
                && TimeStretch.ratios.contains(own / steady.tempo)
        }
        return isLeft ? steady.tempo : nil
    }

    private func begin(_ tempo: Double) throws(Fault) {
        let desk = try loops.desk()
        // What was asked for has to be done, and what was played until then to have come in.
        let settled = core.now + -(loops.latency + core.options.sampleRate / 50)
        let all = self.tracks
        if wanted != nil, let index = loops.loops.firstIndex(where: \.writes) { throw AudioLoops.records(index) }
        if all.contains(where: { loops.loops[$0].time > settled }) { return }
        let tracks = all.filter { index in
            !loops.loops[index].writes && abs((loops.loops[index].tempo ?? tempo) - tempo) > 1e-9
                && TimeStretch.ratios.contains(length(index).tempo / tempo)
        }
        let order = LoopStretchOrder(
            tracks.map { index in
                LoopStretchOrder.Track(
                    index: index, length: length(index), times: loops.loops[index].layer?.times ?? 1,
                    played: played[index]?.loop)
            }, tempo: tempo, sampleRate: core.options.sampleRate, desk)
        let editions = Dictionary(uniqueKeysWithValues: tracks.map { ($0, loops.loops[$0].edition) })
        work = Work(order: order, desk: desk, editions: editions, isAsked: wanted != nil)
        for index in tracks where played[index] == nil { try loops.ask(.held, index) }
        try goOn()
    }

    private func goOn() throws(Fault) {
        guard let work else { return }
        switch work.step {
        case .holding:
            let unread = work.editions.keys.filter { played[$0] == nil }
            if !unread.allSatisfy(work.desk.isServed) { return }
            guard try isUpToDate(work), unread.allSatisfy({ work.desk.frames($0) > 0 }) else { return drop() }
            run(.making) { $0.make() }
        case .making:
            guard let tracks = try results(of: work) else { return }
            for track in tracks {
                guard let loop = track.played, let edition = work.editions[track.index] else { continue }
                if loops.loops[track.index].edition == edition { played[track.index] = (edition, loop) }
            }
            // Another tempo was asked for meanwhile, or a loop is another one.
            guard try isUpToDate(work) else { return drop() }
            for track in tracks { try loops.ask(.reserved, track.index, frames: track.made[0].count) }
            self.work?.step = .reserving
        case .reserving:
            if !work.editions.keys.allSatisfy(work.desk.isServed) { return }
            if work.editions.keys.contains(where: { work.desk.frames($0) == 0 }) {
                throw .option(
                    name: "tempo", value: "\(work.order.tempo)",
                    remedy: "no memory is left to stretch loops; give loops more seconds")
            }
            run(.writing) { $0.write() }
        case .writing:
            guard let tracks = try results(of: work) else { return }
            guard try isUpToDate(work) else { return drop() }
            try exchange(tracks, work)
        }
    }

    /// False if another tempo was asked for, or a loop has changed. - Throws: if a loop records by now.
    private func isUpToDate(_ work: Work) throws(Fault) -> Bool {
        let writing = loops.loops.firstIndex(where: \.writes)
        if work.isAsked, let writing { throw AudioLoops.records(writing) }
        return (!work.isAsked || wanted == work.order.tempo)
            && work.editions.allSatisfy { loops.loops[$0.key].edition == $0.value }
    }

    /// Changes the tempo and all loops on one frame, when no request waits for its bar.
    private func exchange(_ tracks: [LoopStretchOrder.Track], _ work: Work) throws(Fault) {
        let time = work.editions.keys.map(loops.deskTime).max() ?? core.soon
        if work.editions.keys.contains(where: { loops.loops[$0].time >= time }) { return }
        if work.isAsked { try metronome.set(tempo: work.order.tempo, at: time) }
        for track in tracks {
            let length = track.length.at(tempo: work.order.tempo)
            try loops.exchange(track.index, by: length, at: time)
            if let loop = track.played { played[track.index] = (loops.loops[track.index].edition, loop) }
        }
        if work.isAsked {
            core.tell(["the tempo is \(Quantity(work.order.tempo, .none)), and the loops are stretched to it"])
        }
        (self.work, wanted) = (nil, nil)
    }

    /// What has come of a step; nil while it is under way.
    private func results(of work: Work) throws(Fault) -> [LoopStretchOrder.Track]? {
        guard let thread = work.thread, thread.isDone else { return nil }
        let state = work.order.state.withLock { $0 }
        if let fault = state.fault { throw fault }
        if state.isWanted { return state.tracks }
        drop()
        return nil
    }

    private func run(_ step: Work.Step, _ body: @escaping @Sendable (LoopStretchOrder) -> Void) {
        guard let order = work?.order else { return }
        work?.step = step
        work?.thread = LoopThread(core) { body(order) }
    }

    /// Gives up what is under way, and the desks.
    private func drop() {
        guard let work else { return }
        work.order.callOff()
        loops.giveBack(work.editions.keys)
        self.work = nil
    }

    /// Waits for the thread: the session ends.
    func finish() {
        work?.order.callOff()
        (wanted, isOn) = (nil, false)
        work?.thread?.wait()
        work = nil
    }
}
