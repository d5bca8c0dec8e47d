import ALSA
import DSP
import Graphs
import RemoteIO
import UnitAPI
import Units

/// The other devices that the units `device-output` of a graph play on, while a first device pulls it. Control side, one
/// thread.
package final class DeviceOutputs {
    private struct Lead {
        let port: any DevicePort
        let sampleRate: Double
        let period: Int, periods: Int
    }

    /// Makes the port of the devices that a unit names, in a test; nil means the system has them, and simulated time has none.
    var makePort: ((_ devices: [String]) -> any DevicePort)?
    private var lead: Lead?
    private var devices: [SecondDevice] = []
    /// The devices that the program has chosen for units that name none.
    private(set) var choices: [(feed: OutputFeed, choice: DeviceChoice)] = []
    private var nameless: [OutputFeed] = []

    /// Plays beside a device from now on. In simulated time the devices that units name are not there.
    package func begin(beside port: any DevicePort, _ grant: DeviceGrant?, sampleRate: Double, _ graph: Graph) {
        end()
        let request = grant?.request
        lead = Lead(port: port, sampleRate: sampleRate, period: request?.periodFrames ?? 256, periods: request?.periods ?? 3)
        follow(graph)
    }

    package func end() {
        devices = []
        for feed in nameless { feed.tell(nil) }
        nameless = []
        lead = nil
    }

    /// Plays that unit on a device of the program's own choice.
    func choose(_ choice: DeviceChoice, for feed: OutputFeed) { choices.append((feed, choice)) }

    /// Opens the outputs that the graph has got since the last time, and closes those that it has lost.
    package func follow(_ graph: Graph) {
        let feeds = graph.nodes.compactMap { $0.instance.companion as? OutputFeed }
        func isGone(_ feed: OutputFeed) -> Bool { !feeds.contains { $0 === feed } }
        devices.removeAll { isGone($0.feed) }
        choices.removeAll { isGone($0.feed) }
        nameless.removeAll { isGone($0) }
        guard let lead else { return }
        for feed in feeds where !devices.contains(where: { $0.feed === feed }) {
            guard let (port, request) = device(of: feed, beside: lead) else { continue }
            devices.append(SecondDevice(feed, port, request, beside: lead.port, sampleRate: lead.sampleRate))
        }
    }

    private func device(of feed: OutputFeed, beside lead: Lead) -> (any DevicePort, DeviceRequest)? {
        if let choice = choices.first(where: { $0.feed === feed })?.choice {
            return choice.port.map { ($0, choice.request) }
        }
        if feed.devices.isEmpty {
            feed.tell("no device is named that would play it; set its property device")
            if !nameless.contains(where: { $0 === feed }) { nameless.append(feed) }
            return nil
        }
        guard let port = makePort?(feed.devices) ?? (lead.port.hasOwnThread ? ALSAPort.ofEverySystem() : nil) else {
            return nil
        }
        var request = DeviceRequest(devices: feed.devices, periodFrames: lead.period, periods: lead.periods, layout: .stereo)
        if feed.channel > 1 {
            request.layout = nil
            request.channelMap = Array(repeating: -1, count: feed.channel - 1) + [0, 1]
        }
        return (port, request)
    }

    func maintain(_ graph: Graph) {
        follow(graph)
        for device in devices { device.maintain() }
    }

    func states(_ graph: Graph) -> [DeviceOutputState] {
        graph.nodes.compactMap { node in
            devices.first { $0.feed === node.instance.companion }?.state(of: node.name)
        }
    }
}
