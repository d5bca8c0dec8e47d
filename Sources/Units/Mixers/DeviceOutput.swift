import RealtimeCore
import Synchronization
import UnitAPI

/// A direct out: what is connected to it is played on another device than the rest of the graph.
///
/// A headphone or cue mix, loudspeakers on a second interface, another room. The other device has a clock of its own, and what
/// it plays is resampled so that it keeps step with the first, which never waits for it. It is an end of the graph, as `tap`
/// is: what is to be heard on both devices is connected to both. Offline, in a file and in simulated time it is heard nowhere.
package struct DeviceOutput: AudioUnit, ~Copyable {
    package static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .mixer, subtype: "dout", manufacturer: .carillon), name: "device-output",
        summary: "Plays what is connected to it on another audio device.", inputs: [.init("main")], outputs: [],
        properties: ["device", "channel"], readouts: ["dropped-frames"])

    package typealias Parameter = NoParameter

    /// Carries the sound to the device.
    package let feed: OutputFeed
    private let queue: Unmanaged<CaptureQueue>
    private let isConnected: UnsafeMutablePointer<Atomic<Bool>>
    private var owned: OwnedMemory
    private let planes: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

    /// Property `device`: the device, as `carillon devices` lists it, or a list of them, best first. `channel`: the first of
    /// its two channels, 1...63; 1 if it is left out.
    package init(_ setup: UnitSetup) throws(UnitError) {
        let devices: [String], channel: Int
        switch setup.properties["device"] {
        case nil: devices = []
        case .text(let name): devices = [name]
        case .list(let names):
            devices = names.compactMap { if case .text(let name) = $0 { name } else { nil } }
            if devices.count < names.count || names.isEmpty { throw Self.refused("device", "a device, or a list of devices") }
        default: throw Self.refused("device", "a device, or a list of devices")
        }
        if devices.contains("") { throw Self.refused("device", "a name; carillon devices lists them") }
        switch setup.properties["channel"] {
        case nil: channel = 1
        case .integer(let number): channel = number
        case .number(let number): channel = Int(exactly: number) ?? 0
        default: channel = 0
        }
        guard (1...63).contains(channel) else { throw Self.refused("channel", "a whole number from 1 to 63") }
        owned = OwnedMemory()
        feed = OutputFeed(devices: devices, channel: channel, frames: Int(setup.sampleRate))
        queue = Unmanaged.passUnretained(feed.queue)
        isConnected = feed.connection
        planes = owned.room(for: 2)
    }

    private static func refused(_ property: String, _ choice: String) -> UnitError {
        .invalidProperty(unit: "device-output", property: property, reason: "choose \(choice)")
    }

    /// The feed.
    package var companion: UnitCompanion? { feed }

    // [render]

    @_noLocks package mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        if !isConnected.pointee.load(ordering: .acquiring) { return .silent }
        for channel in 0..<2 { (planes + channel).initialize(to: UnsafeMutablePointer(mutating: io.input(0, channel).base)) }
        let planes = UnsafePointer(planes), frames = io.frames, time = io.sampleTime
        queue._withUnsafeGuaranteedRef { $0.push(planes, channelCount: 2, frames: frames, at: time) }
        io.publish(0, Float(Int32(truncatingIfNeeded: queue._withUnsafeGuaranteedRef { $0.droppedFrames })))
        // Silence is played, too: the follower counts on blocks without gaps.
        return .sounding
    }

    @_noLocks package mutating func reset() {}
}
