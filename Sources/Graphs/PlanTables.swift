// [render]
import CRealtime
import MIDI
import RealtimeCore
import UnitAPI

/// A plan as the render thread sees it: flat lists with resolved pointers, steps in order, sources first.
struct PlanTables: BitwiseCopyable {
    let steps: UnsafeMutableBufferPointer<RenderStep>
    let feeds: UnsafeMutableBufferPointer<Feed>
    let routes: UnsafeMutableBufferPointer<PartRoute>
    let portRoutes: UnsafeMutableBufferPointer<PartRoute>
    let timeRoute: PartRoute
    let routeTargets: UnsafeMutableBufferPointer<Int32>
    /// Ascending, and the step of each that takes its events: what a graph has been through leaves no gaps here.
    let nodes: UnsafeMutableBufferPointer<Int32>
    let stepOfNode: UnsafeMutableBufferPointer<Int32>
    /// Music edges that were removed, whose notes have not been ended yet.
    let partings: UnsafeMutableBufferPointer<Parting>
    /// The buffers that the MIDI units play into, even slices first.
    let music: UnsafeMutableBufferPointer<UnsafeMutablePointer<MusicBuffer>>
    let followers: UnsafeMutableBufferPointer<Int32>
    /// The steps whose buffers a step reads, in a row for each step.
    let origins: UnsafeMutableBufferPointer<Int32>
    let solos: UnsafeMutableBufferPointer<SoloSwitch>
    let soloGates: UnsafeMutableBufferPointer<SoloGate>
    let soloRows: UnsafeMutableBufferPointer<Int32>
    let queue: StepQueue
    let outside: Int
    let loops: UnsafeMutableBufferPointer<Int32>
    /// A row for each slice that is rendered in one go, with an entry for each step.
    let rows: UnsafeMutablePointer<StepSlice>
    let pool: UnsafeMutablePointer<SliceEvent>
    /// Events that fit into one slice; more of them cut it shorter. Always more than one event to every unit takes.
    let poolCapacity: Int32
    let state: UnsafeMutablePointer<State>
    let maximumFrames: Int
    let sampleRate: Double
    /// Frames by which the output is later than the events.
    let latency: Int
    /// Frames that an edge takes to appear or vanish, and those before that.
    let fade: Int32
    let hold: Int
    var slice = 0

    struct State: BitwiseCopyable {
        var poolUsed: Int32 = 0
        /// True if nothing sounded in the last slice and nothing was on its way: without an event the next one is the same.
        var isAtRest = false
    }

    /// Slices that are rendered in one go, at most.
    static var sliceLimit: Int { @_noLocks get { 16 } }

    @_noLocks func clearEvents() { state.pointee.poolUsed = 0 }

    /// Events that are added from now on belong to slice `number` of those that are rendered in one go.
    @_noLocks func begin(_ number: Int) -> PlanTables {
        var plan = self
        plan.slice = number
        let row = plan.row
        for i in 0..<steps.count { row[i] = StepSlice() }
        return plan
    }

    private var row: UnsafeMutablePointer<StepSlice> { @_noLocks get { rows + slice &* steps.count } }

    /// Room for one event to every unit that can receive it, and for others before that.
    @_noLocks func hasRoom(for others: Int = 0) -> Bool {
        state.pointee.poolUsed < poolCapacity &- Int32(truncatingIfNeeded: steps.count &+ others)
    }

    @_noLocks func step(of node: NodeID) -> Int {
        var low = 0, high = nodes.count
        while low < high {
            let middle = (low &+ high) / 2
            if nodes[middle] < node.rawValue { low = middle &+ 1 } else { high = middle }
        }
        return low < nodes.count && nodes[low] == node.rawValue ? Int(stepOfNode[low]) : -1
    }

    /// Adds an event for one unit and applies solo; false if the plan has no such unit, or the unit no such parameter.
    @_noLocks func add(_ event: UnitEvent, to node: NodeID, offset: Int) -> Bool {
        let step = step(of: node)
        if step < 0 || !steps[step].takesEvents { return false }
        switch event {
        case .parameter(let index, let element, _), .ramp(let index, let element, _, _, _):
            if !(steps.baseAddress.unsafelyUnwrapped + step).hasParameter(index, element) { return false }
        case .music, .reset, .shed, .adopted: break
        }
        append(event, step: step, offset: offset)
        obeySolo(event, step: step)
        return true
    }

    @_noLocks func plays(_ event: UnitEvent, _ node: NodeID) -> Bool {
        if case .music = event { steps[step(of: node)].isInstrument } else { false }
    }

    struct Reach: BitwiseCopyable {
        var isHeard = false
        /// True if an instrument is among them, which plays the music itself.
        var isPlayed = false
    }

    /// Adds music for the units of its part, or of its port if it has no part.
    @_noLocks func add(_ music: MusicEvent, offset: Int) -> Reach {
        var reach = Reach()
        var route = portRoutes[Int(music.port)]
        if case .time = music { route = timeRoute } else if let part = music.part { route = routes[part] }
        for k in 0..<Int(route.count) {
            let entry = routeTargets[Int(route.first) &+ k]
            // One that leaves begins nothing any more.
            if entry < 0, music.beginsNote { continue }
            let target = Int(entry < 0 ? ~entry : entry)
            if steps[target].takesEvents, (steps.baseAddress.unsafelyUnwrapped + target).hears(music) {
                append(.music(music), step: target, offset: offset)
                reach.isHeard = true
                if steps[target].isInstrument { reach.isPlayed = true }
            }
        }
        return reach
    }

    /// Sends the music's position at `time`, the start of the slice, to units that follow it and have missed the last message:
    /// new ones, or those that have come back. `isSaid`: all units were sent it just now, so that none has missed it.
    @_noLocks func tell(_ clock: MusicClock, at time: SampleTime, isSaid: Bool = false) {
        for k in 0..<Int(timeRoute.count) {
            let entry = routeTargets[Int(timeRoute.first) &+ k], target = Int(entry < 0 ? ~entry : entry)
            let memory = steps[target].memory
            // A bypassed unit does not count; it gets the position when it plays again.
            if !steps[target].takesEvents || steps[target].isPassing || memory.pointee.timesTold == clock.timesSaid { continue }
            if !isSaid {
                if !hasRoom(for: MusicClock.sayings) { continue }
                for number in 0..<MusicClock.sayings {
                    append(.music(.time(clock.saying(number, at: time, sampleRate: sampleRate))), step: target, offset: 0)
                }
            }
            memory.pointee.timesTold = clock.timesSaid
        }
    }

    @_noLocks func shed(_ level: UInt8, offset: Int) {
        for step in 0..<steps.count where steps[step].takesEvents {
            append(.shed(level: level), step: step, offset: offset)
        }
    }

    /// Ends the notes of removed music edges, as many as there is room for, at the start of a slice.
    @_noLocks func part() {
        for index in 0..<partings.count {
            let parting = partings.baseAddress.unsafelyUnwrapped + index
            while parting.pointee.place >= 0 && hasRoom() {
                guard let (off, place) = parting.pointee.sent.off(from: parting.pointee.place) else {
                    parting.pointee.place = -1
                    break
                }
                let step = Int(parting.pointee.step)
                if steps[step].takesEvents { append(.music(off), step: step, offset: 0) }
                parting.pointee.place = place &+ 1
            }
        }
    }

    /// Takes the number of events that were lost because too much was played in one slice. Between two slices.
    @_noLocks func takeLostMusic() -> Int {
        var lost = 0
        for index in 0..<music.count {
            for side in 0..<2 {
                lost &+= Int(music[index][side].lost)
                music[index][side].lost = 0
            }
        }
        return lost
    }

    @_noLocks private func append(_ event: UnitEvent, step: Int, offset: Int) {
        let index = state.pointee.poolUsed
        if index >= poolCapacity { return }    // hasRoom() was asked before
        state.pointee.poolUsed = index &+ 1
        pool[Int(index)] = SliceEvent(offset: Int32(truncatingIfNeeded: offset), next: -1, event: event)
        let entry = row + step
        if entry.pointee.lastEvent >= 0 {
            pool[Int(entry.pointee.lastEvent)].next = index
        } else {
            entry.pointee.firstEvent = index
        }
        entry.pointee.lastEvent = index
    }

    /// From frame `offset` on: channel by channel, silence beyond it, a single channel on all. Returns whether it sounds.
    @_noLocks func write(
        to channels: UnsafePointer<UnsafeMutablePointer<Float>>, _ channelCount: Int, from offset: Int, _ frames: Int
    ) -> Bool {
        let output = steps[outside].ports.pointee.inputs, isMono = output.pointee.channelCount == 1
        for c in 0..<channelCount {
            let to = channels[c] + offset
            if c < output.pointee.channelCount || isMono {
                rt_copy(to, output.pointee.channels[isMono ? 0 : c], frames)
            } else {
                rt_zero(to, frames)
            }
        }
        return !output.pointee.isSilent
    }

    /// Renders `frames` frames of every unit, sources first: slice `number` of all.
    @_noLocks func render(_ frames: Int, at time: SampleTime, number: Int) {
        if state.pointee.isAtRest && state.pointee.poolUsed == 0 { return }
        var rests = !hasLoops && music.isEmpty
        for index in 0..<steps.count where !run(index, slice: 0, frames, at: time, number: number) { rests = false }
        // No helper runs here, so the state of edges and shares may be read.
        for index in 0..<steps.count where rests { rests = (steps.baseAddress.unsafelyUnwrapped + index).edgesRest(feeds) }
        state.pointee.isAtRest = rests
        if hasLoops { closeLoops(frames) }
    }

    /// Slice `number` of all; its inputs are there. Returns whether nothing came of it, and its unit slept or was not asked.
    @_noLocks @discardableResult
    func run(_ index: Int, slice: Int, _ frames: Int, at time: SampleTime, number: Int) -> Bool {
        let start = queue.weights.start()
        let rests = runUnit(index, slice: slice, frames, at: time, number: number)
        queue.weights.add(index, since: start)
        steps[index].ports.pointee.music?.pointee.tell(at: time)
        return rests
    }

    @_noLocks private func runUnit(_ index: Int, slice: Int, _ frames: Int, at time: SampleTime, number: Int) -> Bool {
        let step = steps.baseAddress.unsafelyUnwrapped + index, row = rows + slice &* steps.count, side = slice & 1
        let first = row[Int(step.pointee.eventStep)].firstEvent
        step.pointee.turn(to: side)
        step.pointee.ports.pointee.music?.pointee.count = 0
        if step.pointee.isReturning { step.startAfresh() }
        if step.pointee.shareCount > 1 && !step.pointee.isJoin { step.restartIfDue(isOdd: number & 1 == 1) }
        var events = SliceEvents(
            pool: pool, first: first, links: step.pointee.links, linkCount: step.pointee.linkCount, side: side)
        if !step.pointee.isHeard {
            if step.pointee.isResting {
                // A unit that sounds and sends music too: the notes of its receivers have to be ended.
                step.endNotes(at: 0)
                step.applyEvents(&events, at: time)
            }
            return true
        }
        if step.pointee.isPassing {
            step.pass(&events, frames, at: time)
            return false
        }
        step.startPassing(false, at: 0)
        let isQuiet = listen(step, side, frames, at: time)
        if step.pointee.isWire {
            if step.pointee.isJoin { joinShares(step, before: index, row, isOdd: number & 1 == 1) }
            return isQuiet
        }
        let isTold = events.advance(step)
        if isQuiet && step.pointee.memory.pointee.isAsleep && !isTold && step.pointee.movingCount.pointee == 0 {
            step.silence(maximumFrames)
            return true
        }
        row[index].nanoseconds = step.renderSegments(frames, at: time, &events, isTold: isTold)
        if step.pointee.shareCount == 1 { step.addTime(row[index].nanoseconds) }
        step.settle(maximumFrames)
        if step.pointee.isScanned && !step.isFinite(frames) {
            mute(step, frames)
            row[index].isFaulty = true
        }
        return false
    }

    /// The shares of a unit come before the step that adds them up: their nanoseconds count as those of the unit, and where
    /// one had to start afresh, all do, two slices later: they may be at the next already, and must be at one to stay alike.
    @_noLocks private func joinShares(
        _ join: UnsafeMutablePointer<RenderStep>, before index: Int, _ row: UnsafeMutablePointer<StepSlice>, isOdd: Bool
    ) {
        let steps = steps.baseAddress.unsafelyUnwrapped
        var sum: Int64 = 0, isFaulty = false
        let first = index &- Int(join.pointee.shareCount)
        for share in first..<index {
            sum &+= row[share].nanoseconds
            if row[share].isFaulty { isFaulty = true }
        }
        (steps + first).addTime(sum)
        if !isFaulty { return }
        for share in first..<index {
            if isOdd {
                steps[share].memory.pointee.restartsOdd = true
            } else {
                steps[share].memory.pointee.restartsEven = true
            }
        }
    }

    /// Reports the units that were muted in a slice. Returns their number.
    @_noLocks func report(slice: Int, at time: SampleTime, to faults: borrowing SPSCQueue<RenderFault>) -> Int {
        let row = rows + slice &* steps.count
        var count = 0
        for i in 0..<steps.count where row[i].isFaulty {
            count &+= 1
            // With the queue full the fault is counted all the same.
            _ = faults.push(RenderFault(.notFinite, node: steps[i].id, time: time))
        }
        return count
    }

    /// Points every input bus of a unit at what it receives. Returns true if all of them are silent.
    @_noLocks private func listen(
        _ step: UnsafeMutablePointer<RenderStep>, _ side: Int, _ frames: Int, at time: SampleTime
    ) -> Bool {
        if step.pointee.closesLoop, let ring = step.pointee.memory.pointee.loop {
            return recall(step, ring, frames, at: time)
        }
        return gather(step, side, frames)
    }

    /// Points every input bus of a unit at what is led there. Returns true if all of them are silent.
    @_noLocks func gather(_ step: UnsafeMutablePointer<RenderStep>, _ side: Int, _ frames: Int) -> Bool {
        var isQuiet = true
        let ports = step.pointee.ports
        if step.pointee.isJoin {
            // Most of an instrument's time nothing sounds, and it has many buses.
            let isAtRest = step.sharesRest(side)
            if isAtRest && ports.pointee.isAtRest { return true }
            ports.pointee.isAtRest = isAtRest
        }
        for b in 0..<ports.pointee.inputCount {
            let bus = ports.pointee.inputs + b
            let inlet = step.pointee.inlets + b
            let first = feeds.baseAddress.unsafelyUnwrapped + inlet.pointee.firstFeed
            if inlet.pointee.feedCount == 1, first.pointee.delay == 0, first.pointee.gain.pointee.isSteady,
                first.pointee.gain.pointee.target == 1, first.pointee.gate.pointee.isSteady,
                first.pointee.gate.pointee.target == 1,
                first.source(side).pointee.channelCount >= bus.pointee.channelCount
            {
                bus.pointee.channels = first.source(side).pointee.channels
                bus.pointee.isSilent = first.source(side).pointee.isSilent
            } else {
                bus.pointee.channels = inlet.pointee.sum
                bus.pointee.isSilent = sum(inlet, side, bus.pointee.channelCount, frames)
            }
            if !bus.pointee.isSilent { isQuiet = false }
        }
        return isQuiet
    }

    @_noLocks private func sum(
        _ inlet: UnsafeMutablePointer<Inlet>, _ side: Int, _ channels: Int, _ frames: Int
    ) -> Bool {
        var isSilent = true
        let first = feeds.baseAddress.unsafelyUnwrapped + inlet.pointee.firstFeed
        for feed in first..<first + inlet.pointee.feedCount where !feed.isResting(side) {
            if feed.add(side, to: inlet.pointee.sum, channels: channels, frames: frames, isFirst: isSilent) { isSilent = false }
        }
        if isSilent {
            clear(inlet, channels)
        } else {
            inlet.pointee.isClear = false
        }
        return isSilent
    }

    /// Zeros for an input bus, once.
    @_noLocks func clear(_ inlet: UnsafeMutablePointer<Inlet>, _ channels: Int) {
        if inlet.pointee.isClear { return }
        for c in 0..<channels { rt_zero(inlet.pointee.sum[c], maximumFrames) }
        inlet.pointee.isClear = true
    }

    /// Silence for this slice, and a fresh start; the notes that it plays for others end with the slice.
    @_noLocks private func mute(_ step: UnsafeMutablePointer<RenderStep>, _ frames: Int) {
        let ports = step.pointee.ports
        for b in 0..<ports.pointee.outputCount {
            ports.pointee.outputs[b].isSilent = true
            ports.pointee.outputs[b].isClear = false
        }
        step.settle(maximumFrames)
        step.pointee.instance._withUnsafeGuaranteedRef { $0.countFault() }
        step.pointee.memory.pointee.isAsleep = false
        step.restartUnit(at: frames &- 1)
    }
}
