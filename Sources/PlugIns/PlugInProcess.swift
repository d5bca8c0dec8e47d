import CPlugIns
import Glibc

/// The life of a process that is there for one plug-in: what `carillon plug-in-child` does.
public enum PlugInProcess {
    /// Serves the shared memory of file descriptor 3 until the process that started this one is gone. Never returns.
    public static func run() -> Never {
        guard let link = plugin_link_open(3) else { exit(70) }
        do { try serve(link) } catch {
            plugin_link_set_state(link, PLUGIN_LINK_FAILED)
            plugin_link_answer(link, 0)
            exit(69)
        }
    }

    private static func serve(_ link: OpaquePointer) throws(PlugInError) -> Never {
        let uri = String(cString: plugin_link_uri(link)), state = String(cString: plugin_link_state_uri(link))
        let found = try LilvCalls.inTurn { (lilv) throws(PlugInError) in lilv.description(uri) }
        guard let plugIn = found else { throw .unknown(name: uri, near: nil) }
        let controls = PlugInControls(plugIn), ports = controls.controls.map(\.port)
        var start: [UInt32: Float] = [:]
        for port in ports { start[port] = plugin_link_value(link, port) }
        var hosted: [HostedPlugIn] = []
        func make() throws(PlugInError) {
            // The old ones go first: a plug-in may be large.
            hosted = []
            for _ in 0..<(controls.isDoubled ? 2 : 1) {
                hosted.append(
                    try HostedPlugIn(
                        plugIn, rate: plugin_link_rate(link), frames: Int(plugin_link_most(link)),
                        state: state.isEmpty ? nil : state, start: start))
            }
        }
        try make()
        plugin_link_set_latency(link, Int64(hosted[0].latency))
        let inputs = table(controls.inputChannels.map(\.port)), outputs = table(controls.outputChannels.map(\.port))
        let shown = table(controls.shown.map(\.port)), sent = table(ports)
        var isBegun = false
        while true {
            let hosts = table(hosted.map(\.host)), values = table(hosted.map(\.values))
            var side = plugin_link_side(
                hosts: hosts, values: values, host_count: Int32(hosted.count), inputs: inputs, outputs: outputs,
                controls: sent, shown: shown, control_count: Int32(ports.count), shown_count: Int32(controls.shown.count))
            if !isBegun { plugin_link_begin(link, &side) }
            isBegun = true
            plugin_link_serve(link, &side)
            // A reset: a new instance, with the last values of the controls.
            for port in ports { start[port] = hosted[0].values[Int(port)] }
            hosts.deallocate()
            values.deallocate()
            try make()
        }
    }

    private static func table<Element>(_ list: [Element]) -> UnsafeMutablePointer<Element> {
        let memory = UnsafeMutablePointer<Element>.allocate(capacity: max(list.count, 1))
        memory.initialize(from: list, count: list.count)
        return memory
    }
}
