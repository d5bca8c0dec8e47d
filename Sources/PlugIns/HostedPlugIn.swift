import CPlugIns
import RealtimeCore

/// One living instance of a plug-in, with its surroundings: features, event ports, a value for each control port.
///
/// Control side; what the render side needs of it is `host`, for the wrappers of `CPlugIns`, and `values`.
final class HostedPlugIn: @unchecked Sendable {
    let host: OpaquePointer
    private var owned = OwnedMemory()
    /// A value for each port; those of control ports are read and written by the plug-in.
    let values: UnsafeMutablePointer<Float>
    /// Latency in frames, as the plug-in reports it before its first run.
    let latency: Int
    private let instance: UnsafeMutablePointer<lilv_instance>
    /// Memory for ports that nothing else is connected to yet: a slice of zeros, and one that is written and not read.
    private let silence: UnsafeMutablePointer<Float>, scratch: UnsafeMutablePointer<Float>

    /// At most `frames` frames a run. `state`: the URI of the preset, or of the plug-in itself, whose state it gets; `start`:
    /// values of control inputs, by port.
    init(
        _ plugIn: PlugInDescription, rate: Double, frames: Int, state: String?, start: [UInt32: Float]
    ) throws(PlugInError) {
        let failure = PlugInError.notMade(name: plugIn.name, library: plugIn.library)
        guard let host = plugin_host_new(rate, Int32(frames)) else { throw failure }
        let made = try LilvCalls.inTurn { (lilv) throws(PlugInError) in
            lilv.instantiate(plugIn.uri, host: host, rate: rate, state: state)
        }
        guard let made else {
            plugin_host_free(host)
            throw failure
        }
        self.host = host
        instance = made
        values = owned.make(max(plugIn.ports.count, 1), of: 0)
        silence = owned.make(frames, of: 0)
        scratch = owned.make(frames, of: 0)
        var hasEvents = true
        for port in plugIn.ports {
            let place = values + Int(port.index)
            switch port.direction {
            case .audioInput, .voltageInput: plugin_host_connect(host, port.index, silence)
            case .audioOutput, .voltageOutput: plugin_host_connect(host, port.index, scratch)
            case .controlInput:
                place.pointee = start[port.index] ?? (port.role == .parameter ? port.range.initial ?? 0 : 0)
                plugin_host_connect(host, port.index, place)
            case .controlOutput: plugin_host_connect(host, port.index, place)
            case .eventInput(let isMusic, let takesTime):
                hasEvents =
                    plugin_host_add_events(host, port.index, UInt32(port.bytes), true, isMusic, takesTime) && hasEvents
            case .eventOutput:
                hasEvents = plugin_host_add_events(host, port.index, UInt32(port.bytes), false, false, false) && hasEvents
            case .none: plugin_host_connect(host, port.index, nil)
            }
        }
        plugin_host_activate(host)
        // The latency is known once it has run.
        var latency = 0
        if let port = plugIn.ports.first(where: { $0.role == .latency }) {
            plugin_host_run(host, UInt32(min(frames, 64)))
            let reported = (values + Int(port.index)).pointee
            latency = reported.isFinite ? Int(min(max(reported, 0), 1_000_000)) : 0
            plugin_host_restart(host)
        }
        self.latency = latency
        if !hasEvents { throw failure }
    }

    deinit {
        plugin_host_deactivate(host)
        let instance = instance
        // Lilv was there when the instance was made, so it cannot be missing.
        do { try LilvCalls.inTurn { (lilv) throws(PlugInError) in lilv.free(instance) } } catch {
            preconditionFailure("lilv has gone: \(error)")
        }
        plugin_host_free(host)
    }
}
