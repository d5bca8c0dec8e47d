import Graphs
import MIDI
import RealtimeCore
import Synchronization

/// The clock by which live events take effect: that of the device that plays, as long as there is one. Any thread.
package final class PortClock: Sendable {
    private struct Place {
        weak var port: (any DevicePort)?
    }
    private let place: Mutex<Place>

    package init(_ port: (any DevicePort)? = nil) { place = Mutex(Place(port: port)) }

    /// The device; it is not kept.
    package var port: (any DevicePort)? {
        get { place.withLock { $0.port } }
        set { place.withLock { $0.port = newValue } }
    }

    /// The sample time at which an event of a moment (CLOCK_MONOTONIC nanoseconds) takes effect, latency included; nil if
    /// it is unknown.
    func time(of nanoseconds: Int64) -> SampleTime? { port?.status.time?.eventTime(atNanoseconds: nanoseconds) }
}

extension MIDIInletSetup {
    /// Creates a setup of live events of a renderer, by the clock of its device.
    package init(
        ports: Int, connections: [Connection], isImmediate: Bool, master: String? = nil, _ renderer: Renderer,
        _ clock: PortClock, filter: @escaping @Sendable (MusicEvent, SampleTime) -> [RenderCommand]
    ) {
        self.init(
            ports: ports, connections: connections, isImmediate: isImmediate, master: master, filter: filter,
            time: { clock.time(of: $0) }, send: { renderer.sendLive($0) })
    }
}
