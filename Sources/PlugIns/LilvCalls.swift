import CPlugIns
import Synchronization

/// The only file that calls lilv: finds plug-ins, reads their data, brings them to life and ends them.
///
/// Lilv is loaded when the first plug-in is requested. It is not made for several threads: calls take turns. Control side.
struct LilvCalls: @unchecked Sendable {
    private let lilv: UnsafeMutablePointer<lilv_table>
    private let world: OpaquePointer

    private static let shared = Mutex<LilvCalls?>(nil)

    /// Runs `body` with lilv, after all others that want it. Throws `noLibrary`, and what `body` throws.
    static func inTurn<Result>(_ body: (LilvCalls) throws(PlugInError) -> Result) throws(PlugInError) -> Result {
        // No typed throws through withLock: swiftc 6.3 does not compile that.
        var outcome: Swift.Result<Result, PlugInError>?
        shared.withLock { calls in
            do throws(PlugInError) {
                let found = if let calls { calls } else { try LilvCalls() }
                calls = found
                outcome = .success(try body(found))
            } catch { outcome = .failure(error) }
        }
        switch outcome {
        case .success(let result): return result
        case .failure(let error): throw error
        case nil: preconditionFailure("the turn never came")
        }
    }

    private init() throws(PlugInError) {
        let table = UnsafeMutablePointer<lilv_table>.allocate(capacity: 1)
        if let reason = lilv_table_load(table) {
            table.deallocate()
            throw .noLibrary(reason: String(cString: reason))
        }
        guard let world = table.pointee.world_new() else {
            table.deallocate()
            throw .noLibrary(reason: "it made no world")
        }
        table.pointee.world_load_all(world)
        lilv = table
        self.world = world
    }

    var uris: [String] { plugIns.compactMap { uri(of: lilv.pointee.plugin_get_uri($0)) } }

    private var plugIns: [OpaquePointer] {
        let all = lilv.pointee.world_get_all_plugins(world)
        var found: [OpaquePointer] = [], place = lilv.pointee.plugins_begin(all)
        while let here = place, !lilv.pointee.plugins_is_end(all, here) {
            found.append(lilv.pointee.plugins_get(all, here))
            place = lilv.pointee.plugins_next(all, here)
        }
        return found
    }

    private func plugIn(_ uri: String) -> OpaquePointer? {
        plugIns.first { self.uri(of: lilv.pointee.plugin_get_uri($0)) == uri }
    }

    func description(_ uri: String) -> PlugInDescription? {
        guard let plugIn = plugIn(uri) else { return nil }
        let features = uris(lilv.pointee.plugin_get_required_features(plugIn))
        let latency = lilv.pointee.plugin_has_latency(plugIn) ? lilv.pointee.plugin_get_latency_port_index(plugIn) : nil
        let ports = (0..<lilv.pointee.plugin_get_num_ports(plugIn)).compactMap { port(plugIn, $0, latency: latency) }
        let kind = lilv.pointee.plugin_get_class(plugIn).flatMap { lilv.pointee.plugin_class_get_label($0) }
        return PlugInDescription(
            uri: uri, title: taken(lilv.pointee.plugin_get_name(plugIn)) { text($0) } ?? uri,
            kind: kind.map { text($0) } ?? "Plugin", library: library(plugIn), ports: ports, presets: presets(plugIn),
            saysRealTime: hasFeature(plugIn, PlugInFeature.core + "hardRTCapable"),
            wantsDefaultState: hasFeature(plugIn, PlugInFeature.defaultState), requiredFeatures: features)
    }

    private func library(_ plugIn: OpaquePointer) -> String {
        taken(value(of: lilv.pointee.plugin_get_uri(plugIn), PlugInFeature.core + "binary")) { node in
            guard let path = lilv.pointee.node_get_path(node, nil) else { return "" }
            defer { lilv.pointee.free(path) }
            return String(cString: path)
        } ?? ""
    }

    private func presets(_ plugIn: OpaquePointer) -> [PlugInDescription.Preset] {
        let found = withNode("http://lv2plug.in/ns/ext/presets#Preset") { kind in
            uris(lilv.pointee.plugin_get_related(plugIn, kind)) { _ = lilv.pointee.world_load_resource(world, $0) }
        }
        return found.map { uri in
            let title = withNode(uri) { node in
                taken(value(of: node, "http://www.w3.org/2000/01/rdf-schema#label")) { text($0) }
            }
            return PlugInDescription.Preset(title: title ?? uri, uri: uri)
        }.sorted { ($0.title, $0.uri) < ($1.title, $1.uri) }
    }

    private func port(_ plugIn: OpaquePointer, _ index: UInt32, latency: UInt32?) -> PlugInPort? {
        guard let port = lilv.pointee.plugin_get_port_by_index(plugIn, index) else { return nil }
        func isA(_ kind: String) -> Bool { withNode(kind) { lilv.pointee.port_is_a(plugIn, port, $0) } }
        func has(_ property: String) -> Bool { withNode(property) { lilv.pointee.port_has_property(plugIn, port, $0) } }
        func get(_ predicate: String) -> OpaquePointer? { withNode(predicate) { lilv.pointee.port_get(plugIn, port, $0) } }
        let core = PlugInFeature.core, isInput = isA(core + "InputPort")
        var direction = PlugInPort.Direction.none
        if isA(core + "AudioPort") { direction = isInput ? .audioInput : .audioOutput }
        if isA(core + "CVPort") { direction = isInput ? .voltageInput : .voltageOutput }
        if isA(core + "ControlPort") { direction = isInput ? .controlInput : .controlOutput }
        if isA("http://lv2plug.in/ns/ext/atom#AtomPort") {
            func takes(_ kind: String) -> Bool { withNode(kind) { lilv.pointee.port_supports_event(plugIn, port, $0) } }
            let isMusic = takes("http://lv2plug.in/ns/ext/midi#MidiEvent")
            let takesTime = takes("http://lv2plug.in/ns/ext/time#Position")
            direction = isInput ? .eventInput(isMusic: isMusic, takesTime: takesTime) : .eventOutput
        }
        let designation = taken(get(core + "designation")) { uri(of: $0) ?? "" }
        let role: PlugInPort.Role =
            index == latency || designation == core + "latency"
            ? .latency
            : designation == core + "freeWheeling" ? .freeWheeling : .parameter
        return PlugInPort(
            index: index, symbol: lilv.pointee.port_get_symbol(plugIn, port).map { text($0) } ?? "port-\(index)",
            title: taken(lilv.pointee.port_get_name(plugIn, port)) { text($0) } ?? "port \(index)", direction: direction,
            isOptional: has(core + "connectionOptional"),
            // A limit for any plug-in's files: no more than 16 MB, and nothing below 0.
            bytes: taken(get("http://lv2plug.in/ns/ext/resize-port#minimumSize")) {
                Int(min(max(number($0) ?? 0, 0), 16_777_216))
            } ?? 0,
            range: range(plugIn, port, has: has, get: get), role: role)
    }

    private func range(
        _ plugIn: OpaquePointer, _ port: OpaquePointer, has: (String) -> Bool, get: (String) -> OpaquePointer?
    ) -> PlugInRange {
        let core = PlugInFeature.core
        var range = PlugInRange(), nodes: (OpaquePointer?, OpaquePointer?, OpaquePointer?) = (nil, nil, nil)
        lilv.pointee.port_get_range(plugIn, port, &nodes.0, &nodes.1, &nodes.2)
        range.initial = taken(nodes.0) { number($0) } ?? nil
        range.low = taken(nodes.1) { number($0) } ?? nil
        range.high = taken(nodes.2) { number($0) } ?? nil
        range.isToggle = has(core + "toggled")
        range.isWhole = has(core + "integer")
        range.isOfRate = has(core + "sampleRate")
        range.isEnumeration = has(core + "enumeration")
        range.isLogarithmic = has("http://lv2plug.in/ns/ext/port-props#logarithmic")
        range.unit = taken(get("http://lv2plug.in/ns/extensions/units#unit")) { uri(of: $0) ?? "" }
        range.comment = taken(get("http://www.w3.org/2000/01/rdf-schema#comment")) { text($0) }
        guard let points = lilv.pointee.port_get_scale_points(plugIn, port) else { return range }
        var place = lilv.pointee.scale_points_begin(points)
        while let here = place, !lilv.pointee.scale_points_is_end(points, here) {
            let point = lilv.pointee.scale_points_get(points, here)
            if let value = number(lilv.pointee.scale_point_get_value(point)) {
                range.points.append(.init(value: value, label: text(lilv.pointee.scale_point_get_label(point))))
            }
            place = lilv.pointee.scale_points_next(points, here)
        }
        lilv.pointee.scale_points_free(points)
        range.points.sort { $0.value < $1.value }
        return range
    }

    private func withNode<Result>(_ uri: String, _ body: (OpaquePointer) -> Result) -> Result {
        guard let node = lilv.pointee.new_uri(world, uri) else { preconditionFailure("lilv is out of memory") }
        defer { lilv.pointee.node_free(node) }
        return body(node)
    }

    private func taken<Result>(_ node: OpaquePointer?, _ body: (OpaquePointer) -> Result) -> Result? {
        guard let node else { return nil }
        defer { lilv.pointee.node_free(node) }
        return body(node)
    }

    private func value(of subject: OpaquePointer, _ predicate: String) -> OpaquePointer? {
        withNode(predicate) { lilv.pointee.world_get(world, subject, $0, nil) }
    }

    private func text(_ node: OpaquePointer) -> String { lilv.pointee.node_as_string(node).map { String(cString: $0) } ?? "" }

    private func uri(of node: OpaquePointer) -> String? { lilv.pointee.node_as_uri(node).map { String(cString: $0) } }

    private func number(_ node: OpaquePointer) -> Float? {
        if lilv.pointee.node_is_bool(node) { return lilv.pointee.node_as_bool(node) ? 1 : 0 }
        guard lilv.pointee.node_is_float(node) || lilv.pointee.node_is_int(node) else { return nil }
        let value = lilv.pointee.node_as_float(node)
        return value.isFinite ? value : nil
    }

    private func hasFeature(_ plugIn: OpaquePointer, _ uri: String) -> Bool {
        withNode(uri) { lilv.pointee.plugin_has_feature(plugIn, $0) }
    }

    /// The URIs of a list that is the caller's to free, each shown to `body`.
    private func uris(_ nodes: OpaquePointer?, _ body: (OpaquePointer) -> Void = { _ in }) -> [String] {
        guard let nodes else { return [] }
        var found: [String] = [], place = lilv.pointee.nodes_begin(nodes)
        while let here = place, !lilv.pointee.nodes_is_end(nodes, here) {
            let node = lilv.pointee.nodes_get(nodes, here)
            if let uri = uri(of: node) {
                found.append(uri)
                body(node)
            }
            place = lilv.pointee.nodes_next(nodes, here)
        }
        lilv.pointee.nodes_free(nodes)
        return found
    }

    /// Brings a plug-in to life inside `host`, with the state of a preset or its own; nil if it does not come.
    func instantiate(
        _ uri: String, host: OpaquePointer, rate: Double, state: String?
    ) -> UnsafeMutablePointer<lilv_instance>? {
        guard let plugIn = plugIn(uri), let instance = lilv.pointee.plugin_instantiate(plugIn, rate, plugin_host_features(host))
        else { return nil }
        plugin_host_adopt(host, instance.pointee.descriptor, instance.pointee.handle)
        if let state {
            withState(state) { lilv.pointee.state_restore($0, instance, nil, nil, 0, plugin_host_features(host)) }
        }
        return instance
    }

    func free(_ instance: UnsafeMutablePointer<lilv_instance>) { lilv.pointee.instance_free(instance) }

    /// The values that a preset gives control ports, by their symbols.
    func values(ofPreset uri: String) -> [String: Float] {
        final class Values { var found: [String: Float] = [:] }
        let values = Values()
        withState(uri) { state in
            lilv.pointee.state_emit_port_values(
                state,
                { symbol, context, value, size, type in
                    guard let context else { return }
                    let found = Unmanaged<Values>.fromOpaque(context).takeUnretainedValue()
                    let name = String(cString: symbol)
                    // Numbers may be written as any of the four.
                    func isA(_ kind: String) -> Bool { type == plugin_urid("http://lv2plug.in/ns/ext/atom#" + kind) }
                    switch size {
                    case 4 where isA("Float"): found.found[name] = value.loadUnaligned(as: Float.self)
                    case 8 where isA("Double"): found.found[name] = Float(value.loadUnaligned(as: Double.self))
                    case 4 where isA("Int") || isA("Bool"):
                        found.found[name] = Float(value.loadUnaligned(as: Int32.self))
                    case 8 where isA("Long"):
                        found.found[name] = Float(value.loadUnaligned(as: Int64.self))
                    default: break
                    }
                }, Unmanaged.passUnretained(values).toOpaque())
        }
        return values.found
    }

    private func withState(_ uri: String, _ body: (OpaquePointer) -> Void) {
        let state = withNode(uri) { node in
            _ = lilv.pointee.world_load_resource(world, node)
            return lilv.pointee.state_new_from_world(world, plugin_urid_map(), node)
        }
        guard let state else { return }
        body(state)
        lilv.pointee.state_free(state)
    }
}
