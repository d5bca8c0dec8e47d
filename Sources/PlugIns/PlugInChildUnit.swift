import CPlugIns
import MIDI
import RealtimeCore
import UnitAPI

/// An LV2 plug-in as a unit, in a process of its own: a crash there is silence here, counted, and the process starts anew.
///
/// The render side never waits: it sends its input, and takes the output of a fixed number of frames ago, its declared
/// latency. Output that is not there in time is silence, and counted as `lost-frames`.
struct PlugInChildUnit: AudioUnit, ~Copyable {
    /// A stand-in: the descriptor of a plug-in's unit is known only when it is made.
    static var descriptor: UnitDescriptor { PlugInUnit.descriptor }

    let latency: Int
    private let owner: PlugInKeeper
    private let link: OpaquePointer
    /// Frames between what is given and what is taken.
    private let delay: Int64
    private let controls: ControlTable
    private let channels: ChannelTable
    private let quiet: QuietClock
    private let trim: PlugInTrim
    private let isDoubled: Bool
    /// The frame of the last reset, counted as the link does; sound from before it is not heard.
    private var heardFrom: Int64 = 0
    private var lostFrames = 0
    private var hasRun = false
    private var clock: PlugInClock
    /// The number of crashes when the process that plays was last sent the song's time.
    private var toldCrashes: Int64 = 0

    var companion: UnitCompanion? { owner }

    init(_ setup: UnitSetup) throws(UnitError) {
        throw .resource(unit: "lv2", reason: "a plug-in is made by its entry in the catalogue", fault: .library)
    }

    init(_ plan: PlugInPlan, _ setup: UnitSetup, delay: Int) throws(UnitError) {
        var ring = 1
        while ring < 4 * (delay + setup.maximumFrames) { ring *= 2 }
        do { owner = try PlugInKeeper(plan, setup, ring: ring) } catch {
            throw .resource(unit: plan.name, reason: error.description, fault: .plugIn)
        }
        link = owner.link
        self.delay = Int64(delay)
        latency = delay + Int(plugin_link_latency(link))
        controls = ControlTable(plan.list, rate: setup.sampleRate)
        channels = ChannelTable(plan.controls)
        quiet = QuietClock(plan, rate: setup.sampleRate, latency: latency)
        trim = plan.trim
        isDoubled = plan.controls.isDoubled
        clock = PlugInClock(rate: setup.sampleRate)
    }

    // [render]

    @_noLocks mutating func handle(_ event: MusicEvent) {
        if case .time(let time) = event {
            clock.hear(time)
            return quiet.wake()
        }
        hasRun = true
        if !PlugInMusic.tell(event, over: link) { lostFrames &+= 1 }
        quiet.wake()
    }

    @_noLocks mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        trim.show(io)
        hasRun = true
        tellTime(io)
        var done = 0
        while done < io.frames {
            let phase = Int(truncatingIfNeeded: io.sampleTime.rawValue &+ Int64(done)) & (ControlTable.grid &- 1)
            let isMoving = controls.follow(io, done, over: link, isOnGrid: phase == 0)
            done &+= isMoving ? min(io.frames &- done, ControlTable.grid &- phase) : io.frames &- done
        }
        channels.give(io, to: link)
        let start = plugin_link_given(link) &- delay, end = start &+ Int64(io.frames)
        if !plugin_link_tell(link, Int64(io.frames), PLUGIN_LINK_END, 0, 0, nil) { lostFrames &+= 1 }
        // Asked before the new frames are given: what comes too late comes too late whichever way a race goes.
        let isThere = plugin_link_is_ready(link) && plugin_link_made(link) >= end
        plugin_link_call(link, Int32(truncatingIfNeeded: io.frames))
        io.publish(0, Float(plugin_link_allocations(link)))
        channels.show(io, from: link)
        if !isThere || end <= heardFrom {
            // Before the first result nothing is lost: that is the latency.
            if !isThere && end > heardFrom && end > 0 { lostFrames &+= io.frames }
            io.publish(1, Float(lostFrames))
            io.publish(2, Float(plugin_link_crashes(link)))
            for bus in 0..<io.outputCount { io.markSilent(bus) }
            return .sounding
        }
        lostFrames &+= Int(plugin_link_skipped(link, start, end))
        io.publish(1, Float(lostFrames))
        io.publish(2, Float(plugin_link_crashes(link)))
        channels.take(io, from: link, start, silentBefore: heardFrom)
        let status = quiet.status(io)
        trim.apply(io)
        return status
    }

    @_noLocks private mutating func tellTime(_ io: borrowing RenderIO) {
        let crashes = plugin_link_crashes(link)
        if crashes != toldCrashes && plugin_link_is_ready(link) {
            toldCrashes = crashes
            clock.forget()
        }
        if var position = clock.news(at: io.sampleTime, io.frames), !plugin_link_tell_position(link, &position) {
            lostFrames &+= 1
        }
    }

    @_noLocks mutating func reset() {
        controls.forget()
        quiet.wake()
        if !hasRun { return }
        hasRun = false
        clock.forget()
        heardFrom = plugin_link_given(link)
        if !plugin_link_tell(link, 0, PLUGIN_LINK_RESET, 0, 0, nil) { lostFrames &+= 1 }
    }
}
