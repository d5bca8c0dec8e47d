import EngineCore
import Graphs
import RealtimeCore
import Reports
import Sequencer
import UnitAPI
import Units

/// The tracks of the looper's unit, which is added to the end of the graph with the first request. Session's thread.
final class AudioLoops: LoopTracks {
    let core: SessionCore
    let metronome: MetronomePart
    private var node: NodeID? { core.loops }
    var loops = [AskedLoop](repeating: AskedLoop(), count: Looper.tracks)
    /// The loop that has set the tempo, and its beats.
    var measure: (index: Int, beats: Int)?
    /// Returns true if there are no MIDI loops.
    var isAlone: () -> Bool = { true }
    /// By track, when the last order of its desk is carried out, and the tracks whose desks still have to be given back.
    private var deskTimes: [Int: SampleTime] = [:], givenBack: Set<Int> = []
    /// By track: what it was, and its values, before the last request.
    private var former: [Int: (loop: AskedLoop, values: [(Looper.Parameter, Float)])] = [:]
    /// By track, when the values come back that a request was called off with: what is set meanwhile is set then, too.
    private var calledOff: [Int: SampleTime] = [:]

    init(_ core: SessionCore, _ metronome: MetronomePart) {
        (self.core, self.metronome) = (core, metronome)
        metronome.held = { [unowned self] in held }
    }

    var sampleRate: Int { core.options.sampleRate }
    /// True once there is the unit.
    var isThere: Bool { node != nil }

    // Requests, for a track from 0 on.

    func begin(_ state: LoopState, _ index: Int, at moment: SampleTime) throws(Fault) {
        update(index)
        try callOff(index)
        let before = loops[index], writes = state == .overdubbing || state == .replacing
        if state != .recording { try needsLoop(index) }
        if writes, value(.speed, index) != 1 { throw Self.hasOtherSpeed(index) }
        if state == .recording || writes { try setLatency(index) }
        let counted = state == .recording ? try metronome.countIntoLoop() : nil
        let (from, time) = try place(counted ?? start(of: moment), index)
        var next = before, values: [(Looper.Parameter, Float)] = [(.state, Float(state.number))]
        if state == .recording {
            values += [(.undone, 0), (.once, 0), (.reverse, 0), (.times, 1), (.speed, 1), (.fraction, 0)]
            next.start = from
            next.beat = metronome.quarters(at: from)
            (next.tempo, next.fraction) = (nil, 0)
            next.forget()
        } else if before.state == .recording {
            next.length = from - before.start
            next.add(AskedLoop.Layer())
            measure(&next, until: from)
            values.append((.fraction, next.fraction))
        }
        if writes {
            values.append((.undone, 0))
            next.add(next.layer ?? AskedLoop.Layer())
        }
        if before.state == .stopped, state != .recording { values.append((.once, 0)) }
        (next.state, next.time, next.wasUndone) = (state, time, false)
        former[index] = (before, values.map { ($0.0, value($0.0, index)) })
        for (parameter, value) in values { try set(parameter, value, index, at: time) }
        loops[index] = next
        if before.state == .recording, state != .recording { try setTempo(by: index, at: from) }
    }

    func end(_ index: Int, _ state: LoopState) throws(Fault) {
        update(index)
        try callOff(index)
        let before = loops[index]
        if node == nil || before.state == .empty || state == .stopped && before.isEmpty { return }
        let time = soon(index)
        try core.engine.set(Looper.Parameter.early, 0, of: try unit(), at: time)
        try set(.state, Float(state.number), index, at: time)
        (loops[index].state, loops[index].time, loops[index].wasUndone) = (state, time, false)
        if state == .empty {
            loops[index].length = 0
            loops[index].forget()
        } else if before.state == .recording {
            loops[index].length = time - before.start
            loops[index].add(AskedLoop.Layer())
            try setTempo(by: index, at: time)
        }
    }

    @discardableResult
    func callOff(_ index: Int) throws(Fault) -> Bool {
        guard let former = former.removeValue(forKey: index), loops[index].time > core.soon else { return false }
        for (parameter, value) in former.values { try set(parameter, value, index, at: loops[index].time) }
        calledOff[index] = max(loops[index].time, calledOff[index] ?? .zero)
        loops[index] = former.loop
        return true
    }

    func undo(_ index: Int, by layers: Int) throws(Fault) {
        update(index)
        if layers > 0, loops[index].writes, try callOff(index) { return }
        var loop = loops[index]
        if loop.state == .empty { throw Self.noLoop(index) }
        let time = soon(index)
        if loop.state == .recording {
            loop.length = time - loop.start
            loop.add(AskedLoop.Layer())
        }
        try Self.undo(layers, of: &loop, index)
        if loop.writes {
            loop.state = .playing
            try set(.state, Float(LoopState.playing.number), index, at: time)
        }
        try set(.undone, Float(loop.undone), index, at: time)
        if let layer = loop.layer { try set(.times, Float(layer.times), index, at: time) }
        loop.time = time
        former[index] = nil
        loops[index] = loop
    }

    func restart(_ index: Int, isOnce: Bool, at moment: SampleTime) throws(Fault) {
        update(index)
        try needsLoop(index)
        if loops[index].state == .recording { return try begin(.playing, index, at: moment) }
        former[index] = nil
        let (_, time) = try place(start(of: moment), index)
        try set(.once, isOnce ? 1 : 0, index, at: time)
        if loops[index].state != .stopped {
            loops[index].isRestarted.toggle()
            try set(.restart, loops[index].isRestarted ? 1 : 0, index, at: time)
        }
        try set(.state, Float(LoopState.playing.number), index, at: time)
        (loops[index].state, loops[index].time) = (.playing, time)
    }

    func multiply(_ index: Int, by times: Int) throws(Fault) {
        update(index)
        try needsLoop(index)
        guard var layer = loops[index].layer else { throw Self.noLoop(index, "end its recording first") }
        if layer.times == times { return }
        let room = Int(core.options.device.loopSeconds * Double(Looper.tracks * sampleRate)) / max(loops[index].length, 1)
        guard times <= room else {
            throw .option(
                name: "looper multiply", value: "\(times)", remedy: "its memory is for \(room); give loops more seconds")
        }
        layer.grown.removeAll { $0 >= times }
        if times > layer.times {
            guard layer.grown.count < AskedLoop.Layer.mostGrown else {
                throw .option(
                    name: "looper multiply", value: "\(times)",
                    remedy: "it was made longer twice already; take that back with looper undo \(index + 1)")
            }
            layer.grown.append(layer.times)
        }
        layer.times = times
        let time = soon(index)
        try set(.times, Float(times), index, at: time)
        // The layers that were taken back are gone by then.
        try set(.undone, 0, index, at: time + 1)
        former[index] = nil
        loops[index].add(layer)
        loops[index].time = time + 1
    }

    func flip(_ parameter: Looper.Parameter, _ index: Int) throws(Fault) {
        try set(parameter, value(parameter, index) >= 0.5 ? 0 : 1, index)
    }

    func set(speed: Float, _ index: Int) throws(Fault) {
        if loops[index].writes { throw Self.records(index) }
        try set(.speed, value(.speed, index) == speed ? 1 : speed, index)
    }

    // Saving and loading.

    /// The desks of the unit, if it is there.
    private var madeDesk: LoopDesk? {
        node.flatMap { core.engine.graph[$0] }.map { node in
            guard let desk = node.instance.companion as? LoopDesk else {
                preconditionFailure("a looper's companion is its desks")
            }
            return desk
        }
    }

    /// The desks of the unit, which is made if it is not there: the graph before has none.
    func desk() throws(Fault) -> LoopDesk {
        _ = try unit()
        guard let madeDesk else { preconditionFailure("the unit was made") }
        return madeDesk
    }

    /// Begins to listen for sound that comes in.
    func listen() throws(Fault) { try desk().listen() }

    /// Listens for sound no more.
    func endListening() { madeDesk?.endListening() }

    /// The frame on which the sound began that was listened for; nil if it has not. What a song plays is not meant.
    func takeOnset() -> SampleTime? {
        guard let desk = madeDesk, let time = desk.takeOnset() else { return nil }
        if !metronome.followsSong { return time }
        desk.listen()
        return nil
    }

    /// Asks something of a track's desk, at a time that `deskTime` gives. `frames` and `scale`: as `LoopDesk.prepare`.
    func ask(
        _ order: LoopDesk.Order, _ index: Int, frames: Int = 0, scale: Double = 1, at given: SampleTime? = nil
    ) throws(Fault) {
        let time = given ?? deskTime(index)
        try desk().prepare(index, order, frames: frames, scale: scale)
        try set(.desk, Float(order.number), index, at: time)
        deskTimes[index] = time
        givenBack.remove(index)
    }

    /// The earliest time at which a track's desk can be asked for something: two orders of one frame would be one.
    func deskTime(_ index: Int) -> SampleTime { max(core.soon, (deskTimes[index] ?? .zero) + 1) }

    /// Gives desks back in the next turn, where nothing else is asked of them before.
    func giveBack(_ tracks: some Sequence<Int>) { givenBack.formUnion(tracks) }

    func turn() throws(Fault) {
        if !isThere { return }
        for index in loops.indices where mayChange(index) { update(index) }
        for index in givenBack.sorted() {
            let holds = [LoopDesk.Order.held, .reserved].contains { Float($0.number) == value(.desk, index) }
            if holds { try ask(.closed, index) } else { givenBack.remove(index) }
        }
    }

    /// When the round of a loop exactly began that is heard; nil before the second.
    func turn(_ index: Int) -> (start: SampleTime, part: Double)? { madeDesk?.turn(index) }

    /// How many times as fast as recorded a loop plays.
    func pace(_ index: Int) -> Double { Double(LoopFile.Item.speeds[Int(value(.speed, index))]) }

    /// Makes each further round longer by so many frames, if that is another number by more than a step.
    func set(fraction: Float, _ index: Int, atLeast step: Double) throws(Fault) {
        if Double(abs(fraction - value(.fraction, index))) > step { try set(.fraction, fraction, index) }
    }

    /// A loop as a file has it.
    func item(_ index: Int, folder: String) -> LoopFile.Item {
        func said(_ parameter: Looper.Parameter) -> Float? {
            let value = value(parameter, index)
            return value == parameter.spec.initial ? nil : value
        }
        return LoopFile.Item(
            track: index + 1, file: "\(folder)/\(index + 1).wav", times: loops[index].layer?.times ?? 1,
            fraction: loops[index].fraction == 0 ? nil : loops[index].fraction, level: said(.level), pan: said(.pan),
            feedback: said(.feedback), output: said(.output), isOfBars: loops[index].tempo != nil,
            tempo: loops[index].tempo.flatMap { $0 == metronome.tempo ? nil : Float($0) },
            isMuted: value(.mute, index) >= 0.5, isReversed: value(.reverse, index) >= 0.5,
            speed: LoopFile.Item.speeds[Int(value(.speed, index))])
    }

    /// Makes what lies on a track's desk its loop, stopped at its beginning.
    func take(_ item: LoopFile.Item, _ desk: LoopDesk) throws(Fault) {
        let index = item.track - 1, time = deskTime(index), frames = desk.frames(index)
        let values: [(Looper.Parameter, Float?)] = [
            (.state, Float(LoopState.stopped.number)), (.undone, 0), (.once, 0), (.solo, 0),
            (.reverse, item.isReversed ? 1 : 0), (.speed, Float(LoopFile.Item.speeds.firstIndex(of: item.speed) ?? 1)),
            (.times, Float(item.times)), (.fraction, item.fraction ?? 0), (.mute, item.isMuted ? 1 : 0), (.level, item.level),
            (.pan, item.pan), (.feedback, item.feedback), (.output, item.output),
        ]
        for (parameter, value) in values { try set(parameter, value ?? parameter.spec.initial, index, at: time) }
        try ask(.taken, index, at: time)
        former[index] = nil
        loops[index].replace(
            by: AskedLoop.Layer(times: item.times), .stopped, length: frames / item.times, fraction: item.fraction ?? 0,
            tempo: item.isOfBars ? item.tempo.map(Double.init) ?? metronome.tempo : nil, isSaved: true, at: time)
    }

    /// Lets a loop go on with what lies on its desk, in another tempo, from a time on. What could be taken back is gone.
    func exchange(_ index: Int, by loop: LoopLength, at time: SampleTime) throws(Fault) {
        let fraction = Float(loop.exact - Double(loop.frames))
        try set(.fraction, fraction, index, at: time)
        // The layers that were taken back are gone by then.
        try set(.undone, 0, index, at: time + 1)
        try ask(.exchanged, index, scale: loop.exact / exact(index), at: time)
        former[index] = nil
        let before = loops[index], layer = AskedLoop.Layer(times: before.layer?.times ?? 1)
        loops[index].replace(
            by: layer, before.state, length: loop.frames, fraction: fraction, tempo: loop.tempo, isSaved: before.isSaved,
            at: time + 1)
    }

    /// The exact frames of a loop's first recording.
    func exact(_ index: Int) -> Double { Double(loops[index].length) + Double(loops[index].fraction) }

    // The unit.

    /// The value that was asked for last.
    func value(_ parameter: Looper.Parameter, _ index: Int) -> Float {
        guard let node, let block = core.engine.graph[node]?.instance.parameters else { return parameter.spec.initial }
        return core.engine.asked[node, parameter.rawValue, index] ?? block.target(parameter.rawValue, index)
    }

    func set(_ parameter: Looper.Parameter, _ value: Float, _ index: Int, at time: SampleTime? = nil) throws(Fault) {
        if parameter == .output, !hasOutput(value) {
            let channels = core.engine.outputLayout.channels
            throw .option(
                name: "looper output", value: "\(Quantity(Double(value), .none))",
                remedy: "choose a pair from 1 to \(max(channels / 2, 1)): \(channels) channels are played")
        }
        if parameter == .output, loops[index].writes { throw Self.records(index) }
        let unit = try unit()
        try core.engine.set(parameter, value, element: index, of: unit, at: time)
        guard let then = calledOff[index] else { return }
        if core.soon > then {
            calledOff[index] = nil
        } else if time ?? core.soon < then {
            try core.engine.set(parameter, value, element: index, of: unit, at: then)
        }
    }

    /// True for a pair of channels that is played.
    func hasOutput(_ pair: Float) -> Bool {
        pair == 1 || pair == pair.rounded() && pair > 1 && 2 * pair <= Float(core.engine.outputLayout.channels)
    }

    /// True if the unit may do something by itself that was not looked at since the last request.
    private func mayChange(_ index: Int) -> Bool {
        let loop = loops[index]
        if loop.state == .recording || loop.writes || loop.state == .playing && value(.once, index) >= 0.5 { return true }
        return !loop.isSeen
    }

    /// What the unit does by itself: a recording without memory plays, an overdub without memory gives up old layers.
    func update(_ index: Int) {
        guard core.now > loops[index].time + 8192 else { return }
        loops[index].isSeen = true
        if loops[index].state == .recording {
            if reading(index, "state") != LoopState.playing.number { return }
            loops[index].state = .playing
            loops[index].length = reading(index, "length")
            loops[index].add(AskedLoop.Layer())
        } else if loops[index].state != .empty {
            loops[index].follow(layers: reading(index, "layers") + reading(index, "undone"))
            // One that was played once has ended.
            guard loops[index].state == .playing, value(.once, index) >= 0.5,
                reading(index, "state") == LoopState.stopped.number
            else { return }
            do throws(Fault) {
                let time = soon(index)
                try set(.state, Float(LoopState.stopped.number), index, at: time)
                (loops[index].state, loops[index].time) = (.stopped, time)
            } catch { core.tell(["\(error)"]) }
        }
    }

    func shown(_ index: Int) -> SessionSnapshot.Loop {
        let rate = Double(sampleRate), seconds = Double(reading(index, "length")) / rate
        return SessionSnapshot.Loop(
            track: index + 1, state: "\(LoopState(number: reading(index, "state")))", seconds: seconds,
            beats: seconds * metronome.tempo / 60, position: Double(reading(index, "position")) / rate,
            layers: reading(index, "layers"), undone: reading(index, "undone"), isMuted: value(.mute, index) >= 0.5,
            isSoloed: value(.solo, index) >= 0.5, isSaved: loops[index].isSaved)
    }

    /// What the unit shows of a track.
    func reading(_ index: Int, _ name: String) -> Int {
        guard let node, let value = core.engine.graph[node]?.instance.readout("\(name)-\(index + 1)") else { return 0 }
        return Int(value)
    }

    /// The unit, at the end of the graph.
    func unit() throws(Fault) -> NodeID {
        if let node, core.engine.graph[node] != nil { return node }
        let seconds = core.options.device.loopSeconds
        let volume = Looper.Parameter.volume.spec, fader = Looper.Parameter.fader.spec
        let start = [
            volume.name: core.volume.map { volume.clamped(Float($0)) } ?? volume.initial,
            fader.name: core.mix.fader.map(fader.clamped) ?? fader.initial,
        ]
        let made = try core.engine.edit { (graph) throws(Fault) in
            let wide = graph.output.flatMap { graph[$0.node]?.instance.descriptor.outputs[$0.bus].channels } ?? 2
            var properties = ["seconds": PropertyValue.number(seconds)]
            if wide > 2 { properties[UnitDescriptor.widthProperty] = .integer(wide) }
            let node = try graph.add(named: Looper.descriptor.name, startValues: start, properties: properties)
            try graph.append(node, withMeters: true)
            graph.give([node], to: .sound)
            return node
        }
        core.engine.forgetHistory()
        core.loops = made
        let bytes = seconds * Double(Looper.tracks * sampleRate * 8)
        core.tell(["loops: \(Looper.tracks) tracks, \(Int(bytes / 1e6)) MB for \(Int(seconds)) s each"])
        return made
    }
}
