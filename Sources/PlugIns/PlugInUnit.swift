import CPlugIns
import CRealtime
import MIDI
import RealtimeCore
import UnitAPI

/// An LV2 plug-in as a unit, in this process: foreign code at work inside ours.
///
/// There is no promise for what it does inside `run`: the allocations that its own library makes there are counted and shown,
/// and samples that are not numbers are muted as those of every unit; a crash is the whole program's (`PlugInChildUnit`
/// survives one). Music events and jumps of parameters take effect at their frame, since `run` is called anew there.
///
/// Source of the protocol: the LV2 specifications (https://lv2plug.in/ns), core 18.0.
struct PlugInUnit: AudioUnit, ~Copyable {
    /// A stand-in: the descriptor of a plug-in's unit is known only when it is made.
    static var descriptor: UnitDescriptor {
        UnitDescriptor(
            component: ComponentDescription(type: .effect, subtype: "lv2 ", manufacturer: "LV2 "), name: "lv2",
            summary: "An LV2 plug-in.", outputs: [.init("main")])
    }

    let latency: Int
    private let owner: PlugInCompanion
    private let slots: UnsafeMutablePointer<InstanceSlots>
    /// The set of instances at work, -1 for none; and whether it has heard anything.
    private var set = -1
    private var hasRun = false
    private let controls: ControlTable
    private let channels: ChannelTable
    private let quiet: QuietClock
    private let trim: PlugInTrim
    private var lostFrames = 0
    private var clock: PlugInClock

    var companion: UnitCompanion? { owner }

    init(_ setup: UnitSetup) throws(UnitError) {
        throw .resource(unit: "lv2", reason: "a plug-in is made by its entry in the catalogue", fault: .library)
    }

    init(_ plan: PlugInPlan, _ setup: UnitSetup) throws(UnitError) {
        let plugIn = plan.controls.plugIn, start = plan.start(setup), count = plan.controls.isDoubled ? 2 : 1
        do {
            owner = try PlugInCompanion(count: count) { () throws(PlugInError) in
                var made: [HostedPlugIn] = []
                for _ in 0..<count {
                    made.append(
                        try HostedPlugIn(
                            plugIn, rate: setup.sampleRate, frames: setup.maximumFrames, state: plan.state, start: start))
                }
                return made
            }
        } catch { throw .resource(unit: plan.name, reason: error.description, fault: .plugIn) }
        latency = owner.latency
        slots = owner.slots
        controls = ControlTable(plan.list, rate: setup.sampleRate)
        channels = ChannelTable(plan.controls)
        quiet = QuietClock(plan, rate: setup.sampleRate, latency: latency)
        trim = plan.trim
        clock = PlugInClock(rate: setup.sampleRate)
    }

    // [render]

    @_noLocks mutating func handle(_ event: MusicEvent) {
        if case .time(let time) = event {
            clock.hear(time)
        } else if isReady() {
            hasRun = true
            PlugInMusic.tell(event, to: host(0))
        }
        quiet.wake()
    }

    @_noLocks mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        trim.show(io)
        if !isReady() {
            lostFrames &+= io.frames
            io.publish(1, Float(lostFrames))
            for bus in 0..<io.outputCount { io.markSilent(bus) }
            return .sounding
        }
        hasRun = true
        if var position = clock.news(at: io.sampleTime, io.frames) {
            for index in 0..<slots.pointee.count { _ = plugin_host_position(host(index), &position) }
        }
        var done = 0
        while done < io.frames {
            let phase = Int(truncatingIfNeeded: io.sampleTime.rawValue &+ Int64(done)) & (ControlTable.grid &- 1)
            let isMoving = controls.follow(io, done, to: values(0), isOnGrid: phase == 0)
            let frames = isMoving ? min(io.frames &- done, ControlTable.grid &- phase) : io.frames &- done
            for index in 0..<slots.pointee.count {
                if index > 0 { channels.copyControls(from: values(0), to: values(index)) }
                channels.connect(io, done, instance: index, to: host(index))
                plugin_host_run(host(index), UInt32(truncatingIfNeeded: frames))
            }
            done &+= frames
        }
        var allocations: Int64 = 0
        for index in 0..<slots.pointee.count { allocations &+= plugin_host_allocations(host(index)) }
        io.publish(0, Float(allocations))
        channels.show(io, values(0))
        let status = quiet.status(io)
        trim.apply(io)
        return status
    }

    @_noLocks mutating func reset() {
        controls.forget()
        quiet.wake()
        if !hasRun { return }
        hasRun = false
        clock.forget()
        slots.pointee.giveBack(set)
        set = slots.pointee.take()
    }

    @_noLocks private mutating func isReady() -> Bool {
        if set < 0 { set = slots.pointee.take() }
        return set >= 0
    }

    @_noLocks private func host(_ index: Int) -> OpaquePointer { slots.pointee.hosts[set &* slots.pointee.count &+ index] }

    @_noLocks private func values(_ index: Int) -> UnsafeMutablePointer<Float> {
        slots.pointee.values[set &* slots.pointee.count &+ index]
    }
}
