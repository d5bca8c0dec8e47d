// [render]
import CRealtime
import MIDI
import RealtimeCore
import UnitAPI

extension UnsafeMutablePointer<RenderStep> {
    /// Notes for an instrument, the controller of a parameter, a message to the effects, a reset.
    @_noLocks func hears(_ music: MusicEvent) -> Bool {
        if case .time = music { return pointee.followsTime }
        if pointee.acceptsMusic { return true }
        if let effects = pointee.effects.shared {
            switch music {
            case .effect(_, let parameter, _): return effects[Int(parameter.rawValue)].index >= 0
            case .reset, .standard: return true
            default: break
            }
        }
        if let insertion = pointee.effects.insertion {
            switch music {
            case .insertion(_, let number, let slot, _): return insertion.pointee.hears(number, slot: slot)
            case .reset, .standard: return true
            default: return false
            }
        }
        guard let map = pointee.controllerParameters else { return false }
        switch music {
        case .message(let message): return message.status & 0xF0 == 0xB0 && map[Int(message.data1 & 127)] >= 0
        case .reset, .standard: return true
        default: return false
        }
    }

    @_noLocks func hasParameter(_ index: Int32, _ element: Int32) -> Bool {
        index >= 0 && Int(index) < pointee.parameterCount && element >= 0 && Int(element) < pointee.ports.pointee.elements
    }

    /// Events fall between two calls of the unit, never inside one. Returns the nanoseconds that it took, while that is measured.
    /// `events` are at the first; `isTold`: there is one.
    @_noLocks func renderSegments(
        _ frames: Int, at time: SampleTime, _ events: inout SliceEvents, isTold: Bool
    ) -> Int64 {
        let isMeasured = pointee.instance._withUnsafeGuaranteedRef { $0.isMeasured }
        let start = isMeasured ? rt_monotonic_nanoseconds() : 0
        let ports = pointee.ports
        ports.pointee.isAtRest = false
        for b in 0..<ports.pointee.outputCount { ports.pointee.outputs[b].isSilent = true }
        var done = 0
        var isTold = isTold
        while isTold {
            let offset = gridOffset(events.offset, at: time, limit: frames)
            if offset > done {
                segment(done, offset &- done, at: time)
                done = offset
            }
            apply(events.event, at: done, time)
            isTold = events.advance(self)
        }
        if done < frames { segment(done, frames &- done, at: time) }
        pointee.instance._withUnsafeGuaranteedRef { $0.showRest(pointee.memory.pointee.isAsleep) }
        return start == 0 ? 0 : rt_monotonic_nanoseconds() &- start
    }

    @_noLocks func applyEvents(_ events: inout SliceEvents, at time: SampleTime) {
        while events.advance(self) { apply(events.event, at: 0, time) }
    }

    /// Passes music around a MIDI unit that is bypassed; the unit gets all other events.
    @_noLocks func pass(_ events: inout SliceEvents, _ frames: Int, at time: SampleTime) {
        startPassing(true, at: 0)
        while events.advance(self) {
            if case .music(let music) = events.event {
                if music.isTime { continue }
                pointee.ports.pointee.music?.pointee.add(music, at: events.offset)
            } else {
                apply(events.event, at: events.offset, time)
            }
        }
        if pointee.movingCount.pointee > 0 { advanceParameters(frames) }
    }

    /// Forgets what a MIDI unit was in the middle of when it left: the notes that it had sent have been ended.
    @_noLocks func startAfresh() {
        pointee.isReturning = false
        pointee.memory.pointee.sent?.forget()
        pointee.memory.pointee.isAsleep = false
        resetUnit()
    }

    /// Begins or ends to let music pass by: notes that sound until now end, and the unit starts afresh.
    @_noLocks func startPassing(_ isPassing: Bool, at offset: Int) {
        if pointee.memory.pointee.isPassed == isPassing { return }
        pointee.memory.pointee.isPassed = isPassing
        pointee.memory.pointee.isAsleep = false
        restartUnit(at: offset)
    }

    @_noLocks func addTime(_ nanoseconds: Int64) {
        if nanoseconds == 0 { return }
        if let renderTime = pointee.memory.pointee.renderTime {
            renderTime._withUnsafeGuaranteedRef { $0.add(nanoseconds) }
        }
    }

    /// The frame at which an event takes effect: its own, or the next on the unit's grid of sample time.
    @_noLocks private func gridOffset(_ offset: Int, at time: SampleTime, limit: Int) -> Int {
        let grid = Int64(pointee.granularity)
        if grid <= 1 { return offset }
        let wanted = time.rawValue &+ Int64(offset)
        let late = wanted % grid
        let shift = late == 0 ? 0 : Int(grid &- late)
        return Swift.min(offset &+ shift, limit)
    }

    @_noLocks private func segment(_ offset: Int, _ frames: Int, at time: SampleTime) {
        let ports = pointee.ports
        for b in 0..<ports.pointee.outputCount { ports.pointee.outputs[b].isMarkedSilent = false }
        let status = pointee.instance.trustedRender(
            RenderIO(UnsafePointer(ports), offset: offset, frames: frames, sampleTime: time + offset))
        pointee.memory.pointee.isAsleep = status == .silent
        for b in 0..<ports.pointee.outputCount {
            let bus = ports.pointee.outputs + b
            if status == .silent || bus.pointee.isMarkedSilent {
                if !bus.pointee.isClear {
                    for c in 0..<bus.pointee.channelCount { rt_zero(bus.pointee.channels[c] + offset, frames) }
                }
            } else {
                bus.pointee.isSilent = false
                bus.pointee.isClear = false
            }
        }
        if pointee.movingCount.pointee > 0 { advanceParameters(frames) }
    }

    @_noLocks private func advanceParameters(_ frames: Int) {
        var moving = 0
        let ports = pointee.ports
        for i in 0..<(pointee.parameterCount &* ports.pointee.elements) where !ports.pointee.parameters[i].isSteady {
            ports.pointee.parameters[i].advance(frames)
            if !ports.pointee.parameters[i].isSteady { moving &+= 1 }
        }
        pointee.movingCount.pointee = moving
    }

    @_noLocks private func apply(_ event: UnitEvent, at offset: Int, _ time: SampleTime) {
        pointee.memory.pointee.isAsleep = false
        switch event {
        case .music(.time(let time)):
            if case .tempo(let tempo) = time { follow(tempo) }
            pointee.instance.trustedHandle(.time(time))
        case .music(let music):
            if let map = pointee.controllerParameters { follow(music, map) }
            if let effects = pointee.effects.shared { obey(music, effects) }
            if let insertion = pointee.effects.insertion { obey(music, insertion) }
            if pointee.acceptsMusic {
                if pointee.ports.pointee.music != nil {
                    pointee.instance.trustedHandle(
                        music, MusicOutlet(UnsafePointer(pointee.ports), offset: offset, sampleTime: time + offset))
                } else {
                    pointee.instance.trustedHandle(music)
                }
            }
        case .parameter(let index, let element, let value):
            if hasParameter(index, element) {
                if element == 0 { pointee.settings[Int(index)] = value }
                move(Int(index), Int(element), to: value)
            }
        case .ramp(let index, let element, let value, let frames, let curve):
            if hasParameter(index, element) {
                if element == 0 { pointee.settings[Int(index)] = value }
                move(Int(index), Int(element), to: value, over: frames, along: curve)
            }
        case .reset:
            restartUnit(at: offset)
        case .shed(let level):
            pointee.instance.trustedShed(Int(min(level, 3)))
        case .adopted:
            break
        }
    }

    /// A controller moves the parameter that declares it; a reset of the standards puts such parameters back.
    @_noLocks private func follow(_ music: MusicEvent, _ map: UnsafeMutablePointer<Int16>) {
        switch music {
        case .message(let message):
            guard message.status & 0xF0 == 0xB0, let values = pointee.controllerValues else { return }
            let controller = Int(message.data1 & 127)
            if map[controller] >= 0 {
                move(Int(map[controller]), 0, to: values[controller &* 128 &+ Int(message.data2 & 127)])
            }
        case .reset, .standard:
            for controller in 0..<128 where map[controller] >= 0 {
                move(Int(map[controller]), 0, to: pointee.initials[Int(map[controller])])
            }
        default: break
        }
    }

    @_noLocks private func follow(_ tempo: Float) {
        let place = pointee.tempo
        if place < 0 || tempo.isNaN { return }
        let low = pointee.lowestTempo, high = pointee.highestTempo
        move(place, 0, to: tempo > low ? (tempo < high ? tempo : high) : low)
    }

    /// A message to the effects moves the parameter that declares it; a reset puts such parameters back to what was set.
    @_noLocks private func obey(_ music: MusicEvent, _ effects: UnsafeMutablePointer<EffectTarget>) {
        switch music {
        case .effect(let value, let parameter, _):
            let link = effects[Int(parameter.rawValue)]
            if link.index >= 0 { move(link.index, 0, to: link.target(value, set: pointee.settings[link.index])) }
        case .reset, .standard:
            for place in 0..<EffectParameter.count where effects[place].index >= 0 {
                let index = effects[place].index, set = pointee.settings[index]
                if pointee.ports.pointee.parameters[index &* pointee.ports.pointee.elements].target != set {
                    move(index, 0, to: set)
                }
            }
        default: break
        }
    }

    /// A message to an insertion effect moves the parameter of its unit; after a reset no part goes through it.
    @_noLocks private func obey(_ music: MusicEvent, _ insertion: UnsafeMutablePointer<InsertionTargets>) {
        switch music {
        case .insertion(let value, let number, _, _): insert(value, number, insertion)
        case .reset, .standard: for number in UInt8(0)..<32 { insert(EffectParameter.asSet, number, insertion) }
        default: break
        }
    }

    @_noLocks private func insert(_ value: Float, _ number: UInt8, _ insertion: UnsafeMutablePointer<InsertionTargets>) {
        let target = insertion.pointee.targets[Int(number)]
        let set = target.index >= 0 ? pointee.settings[target.index] : 0
        guard let wanted = insertion.pointee.value(value, number: number, set: set), target.index >= 0 else { return }
        let place = target.index &* pointee.ports.pointee.elements &+ target.element
        if pointee.ports.pointee.parameters[place].target != wanted { move(target.index, target.element, to: wanted) }
    }

    /// Moves a parameter to `value`; 0 frames: as long as it is declared.
    @_noLocks private func move(
        _ index: Int, _ element: Int, to value: Float, over frames: Int32 = 0, along curve: RampCurve = .linear
    ) {
        let ports = pointee.ports, place = index &* ports.pointee.elements &+ element
        if frames > 0 {
            ports.pointee.parameters[place].move(to: value, over: frames, along: curve)
        } else {
            ports.pointee.parameters[place].move(to: value, over: pointee.glides[index])
        }
        pointee.targets[place].publish(value)
        var moving = 0
        for i in 0..<(pointee.parameterCount &* ports.pointee.elements) where !ports.pointee.parameters[i].isSteady {
            moving &+= 1
        }
        pointee.movingCount.pointee = moving
    }

    /// Starts afresh if another share of the unit had to.
    @_noLocks func restartIfDue(isOdd: Bool) {
        if !(isOdd ? pointee.memory.pointee.restartsOdd : pointee.memory.pointee.restartsEven) { return }
        if isOdd { pointee.memory.pointee.restartsOdd = false } else { pointee.memory.pointee.restartsEven = false }
        pointee.memory.pointee.isAsleep = false
        restartUnit(at: 0)
    }

    /// Ends, on a frame of the slice, the notes that the unit plays for others, and makes it as silent as a new one.
    @_noLocks func restartUnit(at offset: Int) {
        endNotes(at: offset)
        resetUnit()
        forgetLoop(at: offset)
    }

    @_noLocks func endNotes(at offset: Int) { pointee.ports.pointee.music?.pointee.endNotes(at: offset) }

    /// Makes the unit as silent as a new one, and forgets what goes around through it.
    @_noLocks func resetUnit() {
        pointee.instance.trustedReset()
        if let ring = pointee.memory.pointee.loop { ring.clear() }
    }
}

/// The five calls that the compiler cannot see through: open virtual dispatch. The units that are called are annotated and
/// proven one by one; the probe and RealtimeSanitizer check the rest. (Unannotated, hence in the file that uses them.)
extension Unmanaged<UnitInstance> {
    @_semantics("no_performance_analysis")
    fileprivate func trustedRender(_ io: borrowing RenderIO) -> RenderStatus { _withUnsafeGuaranteedRef { $0.render(io) } }
    @_semantics("no_performance_analysis")
    fileprivate func trustedHandle(_ event: MusicEvent) { _withUnsafeGuaranteedRef { $0.handle(event) } }
    @_semantics("no_performance_analysis")
    fileprivate func trustedHandle(_ event: MusicEvent, _ outlet: borrowing MusicOutlet) {
        _withUnsafeGuaranteedRef { $0.handle(event, outlet) }
    }
    @_semantics("no_performance_analysis")
    fileprivate func trustedShed(_ level: Int) { _withUnsafeGuaranteedRef { $0.shed(level) } }
    @_semantics("no_performance_analysis")
    fileprivate func trustedReset() { _withUnsafeGuaranteedRef { $0.reset() } }
}
