import DSP
import Graphs
import Patches
import UnitAPI
import Units

/// The loudspeakers that a graph makes sound for.
extension SpeakerLayout {
    /// Finds the layout that a bus of a unit carries: the channels' usual one, and of a spatial mixer's speakers the one that
    /// it is set to. A unit whose width is chosen passes on the layout of its input, as a limiter after a spatial mixer does.
    /// `value` is that of the unit's parameter of a name, nil where it has none; `sources` are the layouts of the sources of
    /// the unit's first input, each with the channels of its bus.
    init(
        of bus: Int, of descriptor: UnitDescriptor, value: (String) -> Float?,
        sources: () -> [(layout: SpeakerLayout, channels: Int)]
    ) {
        let buses = descriptor.outputs, count = buses.indices.contains(bus) ? buses[bus].channels : 2
        if descriptor.component == SpatialMixer.descriptor.component, count > 2 {
            let layout = SpatialMixer.Parameter.layout.spec, rendering = SpatialMixer.Parameter.rendering.spec
            func choice(_ spec: ParameterSpec) -> Int { Int(value(spec.name) ?? spec.initial) }
            // Between two speakers or ears there are no others.
            let name = choice(rendering) == SpatialMixer.vbap ? SpeakerRing.layouts[choice(layout)] : "stereo"
            self = Self(named: name) ?? .stereo
            return
        }
        let usual = Self(channels: count) ?? (count < 8 ? .surround51 : .surround71)
        let passed =
            descriptor.widths == nil || count <= 2 || descriptor.inputs.first?.channels != count
            ? nil : sources().filter { $0.channels == count }.map(\.layout).max { $0.channels < $1.channels }
        self = passed ?? usual
    }

    /// The layout that it is played and written as by default: one channel is heard on two speakers.
    public var heard: SpeakerLayout { self == .mono ? .stereo : self }
}

extension Engine {
    /// The loudspeakers that the graph makes sound for: as many as its output has channels, and of a spatial mixer's speakers
    /// those of its layout. Channels are in the order of `SpeakerLayout`. Stereo if the graph has no output.
    public var outputLayout: SpeakerLayout {
        guard let output = graph.output else { return .stereo }
        return usualLayout(of: output.node, bus: output.bus) ?? .stereo
    }

    /// Returns the loudspeakers that a bus of a unit makes sound for; nil if unknown: for channels that no layout has, for a
    /// bus of music, and for more than two channels that a device captures.
    ///
    /// - Throws: `unknownNode`, `noSuchBus`.
    public func layout(of id: NodeID, bus: Int = 0) throws(Fault) -> SpeakerLayout? {
        let count = try graph.channels(of: id, bus: bus), descriptor = try graph.node(id).instance.descriptor
        if descriptor.outputs[bus].carriesMusic { return nil }
        if descriptor.component == DeviceInput.descriptor.component, count > 2 { return nil }
        let isSpatial = descriptor.component == SpatialMixer.descriptor.component
        return isSpatial || SpeakerLayout(channels: count) != nil ? usualLayout(of: id, bus: bus) : nil
    }

    private func usualLayout(of id: NodeID, bus: Int) -> SpeakerLayout? {
        guard let node = graph[id] else { return nil }
        let block = node.instance.parameters
        return SpeakerLayout(of: bus, of: node.instance.descriptor) { name in
            block.specs.firstIndex { $0.name == name }.map { block.target($0, 0) }
        } sources: {
            graph.connections.filter { $0.destination == id && $0.destinationBus == 0 && !$0.carriesMusic }.compactMap { edge in
                guard let source = graph[edge.source],
                    let layout = usualLayout(of: edge.source, bus: edge.sourceBus)
                else { return nil }
                return (layout, source.instance.descriptor.outputs[edge.sourceBus].channels)
            }
        }
    }
}

extension Patch {
    package var outputChannels: Int {
        guard let flat = flat, let output = flat.outputs.first, let descriptor = flat.descriptor(of: output.unit),
            descriptor.outputs.indices.contains(output.bus)
        else { return 2 }
        return descriptor.outputs[output.bus].channels
    }

    /// The loudspeakers that the patch makes sound for, as `Engine.outputLayout`; stereo if unknown.
    public var outputLayout: SpeakerLayout {
        guard let flat, let output = flat.outputs.first else { return .stereo }
        return flat.layout(of: output, passed: []) ?? .stereo
    }

    /// The flattened patch; nil for a wrong one, whose fault is reported where a graph is made of it.
    private var flat: Patch? {
        do throws(PatchError) { return try flattened() } catch { return nil }
    }

    /// Returns the description that a unit of a flat patch gives of itself.
    private func descriptor(of name: String) -> UnitDescriptor? {
        self[unit: name].flatMap { unit in UnitCatalog.named(unit.component)?.descriptor(with: unit.properties) }
    }

    /// - Parameter passed: the units that lead on from here: the patch may contain a circle, since it is not validated yet.
    private func layout(of port: PatchPort, passed: Set<String>) -> SpeakerLayout? {
        guard !passed.contains(port.unit), let descriptor = descriptor(of: port.unit), let unit = self[unit: port.unit] else {
            return nil
        }
        return SpeakerLayout(of: port.bus, of: descriptor) {
            unit.values[$0]?.first
        } sources: {
            connections.filter { $0.to == PatchPort(port.unit) }.compactMap { edge in
                guard let layout = layout(of: edge.from, passed: passed.union([port.unit])),
                    let source = self.descriptor(of: edge.from.unit), source.outputs.indices.contains(edge.from.bus)
                else { return nil }
                return (layout, source.outputs[edge.from.bus].channels)
            }
        }
    }
}
