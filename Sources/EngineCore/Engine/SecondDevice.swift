import Graphs
import RemoteIO
import Synchronization
import UnitAPI
import Units

/// A second device at work: an engine of its own whose only unit plays the sound of a `device-output` of the first graph, in
/// step. It ends with the object. Control side.
///
/// Its faults stay in that engine: a device that vanishes is waited for, and the first device is not affected.
package final class SecondDevice {
    let feed: OutputFeed
    private let engine: Engine
    private let port: any DevicePort
    private let follower: PlaybackFollower
    private let wanted: [String]
    /// The error in the request, because of which it never plays.
    private let refusal: Fault?
    /// The error that came up when its engine was looked after, the last time.
    private var upkeep: Fault?

    /// Opens the device, or goes on trying if it is not available now.
    init(
        _ feed: OutputFeed, _ port: any DevicePort, _ request: DeviceRequest, beside leading: any DevicePort, sampleRate: Double
    ) {
        self.feed = feed
        self.port = port
        wanted = request.devices
        var request = request
        request.startsWithoutDevice = true
        (request.capture, request.captureDevice) = (false, nil)
        let delay = KnownDelay()
        follower = PlaybackFollower(feed.queue, sampleRate: sampleRate) { [weak port, weak leading] in
            guard let port, let leading, let first = leading.status.time else { return nil }
            let status = port.status, counts = status.counts
            guard let own = status.time else { return nil }
            // While one of them is waited for, the delay stays.
            if let grant = port.grant, !grant.isNull, let before = leading.grant {
                delay.frames.store(Self.delay(grant, behind: before), ordering: .relaxed)
            }
            let frames = delay.frames.load(ordering: .relaxed)
            if frames < 0 { return nil }
            return .init(
                leading: first, own: own, delay: frames, starts: counts.returns + counts.xruns + counts.suspends)
        }
        let engine = Engine(sampleRate: sampleRate)
        self.engine = engine
        do throws(Fault) {
            try engine.edit { [follower] (graph) throws(Fault) in
                let setup = UnitSetup(sampleRate: sampleRate, maximumFrames: graph.maximumFrames)
                try graph.setOutput(try graph.add(UnitInstance.boxing(FollowedPlayback(follower), setup)))
            }
        } catch { preconditionFailure("a graph of one unit was refused: \(error)") }
        do throws(Fault) {
            try engine.start(on: DeviceChoice(port, request))
            refusal = nil
        } catch { refusal = error }
        // A feed that is not read gets no sound.
        if refusal == nil { feed.connect() }
    }

    deinit {
        feed.disconnect()
        feed.tell(nil)
    }

    /// Frames by which the second device has to be later, so that its next frames have always been rendered: it needs its
    /// buffer ahead, and the first has its own less two slices, one being rendered and one late.
    static func delay(_ grant: DeviceGrant, behind leading: DeviceGrant) -> Int {
        func frames(_ grant: DeviceGrant, _ frames: Int) -> Int {
            grant.hasRateConversion ? frames * grant.request.sampleRate / max(grant.sampleRate, 1) : frames
        }
        // A converter takes whole slices, and has some in it.
        let ahead = frames(grant, grant.bufferFrames) + (grant.hasRateConversion ? 2 * grant.sliceFrames : 0)
        let inHand = frames(leading, leading.bufferFrames) - 2 * frames(leading, leading.periodFrames)
        return max(0, ahead + CaptureFollower.latency - max(inHand, 0))
    }

    /// Looks after it, and reports its faults through its unit: the first device and the others are not affected.
    func maintain() {
        do throws(Fault) {
            try engine.maintain()
            upkeep = nil
        } catch { upkeep = error }
        feed.tell(fault)
    }

    private var fault: String? {
        if let refusal { return "\(refusal)" }
        if let upkeep { return "\(upkeep)" }
        let phase = port.status.phase
        if phase == .running || phase == .starting || phase == .recovering { return nil }
        let device = port.grant?.device ?? wanted.first ?? "the device"
        if phase == .suspended { return "\(device) sleeps" }
        return port.lastError?.description ?? (phase == .lost ? "\(device) is gone" : nil)
    }

    /// Returns its state; `unit` is the name of the unit that it plays.
    func state(of unit: String) -> DeviceOutputState {
        let status = port.status, view = follower.view, grant = port.grant
        var state = DeviceOutputState(unit: unit, wanted: wanted, state: "\(status.phase)")
        state.fault = fault
        (state.slips, state.missingFrames) = (view.slips, view.missingFrames)
        state.xruns = status.counts.xruns
        guard refusal == nil, status.phase != .lost, status.phase != .opening, let grant, !grant.isNull else { return state }
        state.name = grant.device
        state.drift = view.drift
        if view.isFollowing { state.delayMilliseconds = Double(view.delay) / engine.sampleRate * 1000 }
        return state
    }
}

/// Frames by which a second device is later; below 0 while that is not known.
private final class KnownDelay: Sendable {
    let frames = Atomic<Int>(-1)
}
