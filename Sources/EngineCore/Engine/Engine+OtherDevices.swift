import Graphs
import RemoteIO
import UnitAPI
import Units

/// Buses of the graph on other devices than the one that pulls the engine: a headphone or cue mix, more loudspeakers, another
/// room.
extension Engine {
    /// Plays the output of a unit's bus on another device too, in step with the first, for as long as a device runs. The unit
    /// that does it is called `device-output-1`, `device-output-2`, ...; removing it from the graph ends it.
    ///
    /// The other device may be missing, vanish and return: it is waited for, and `deviceOutputs` shows its state. It is opened
    /// here if the engine runs, else when it is started; offline nothing is played there.
    ///
    /// - Throws: `Fault`, as an `edit`; `DeviceError` for a choice without a device.
    @discardableResult
    public func play(_ node: NodeID, bus: Int = 0, on choice: DeviceChoice) throws(Fault) -> NodeID {
        if choice.port == nil { throw Fault(DeviceError.request(reason: "no device is named that would play it")) }
        let output: NodeID, feed: OutputFeed
        (output, feed) = try edit { (graph) throws(Fault) in
            var number = 1
            while graph.node(named: "device-output-\(number)") != nil { number += 1 }
            let output = try graph.add(DeviceOutput.self, name: "device-output-\(number)")
            guard let feed = try graph.node(output).instance.companion as? OutputFeed else {
                preconditionFailure("a device output's companion is its feed")
            }
            try graph.connect(node, output: bus, to: output)
            return (output, feed)
        }
        otherDevices.choose(choice, for: feed)
        otherDevices.follow(graph)
        return output
    }

    /// The states of the other devices that the graph's units `device-output` play on, in the order of the units; none while no
    /// device runs.
    public var deviceOutputs: [DeviceOutputState] { otherDevices.states(graph) }
}
