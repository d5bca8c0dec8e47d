import DSP
import Graph
import Patch
import UnitAPI
import Units

/// Which loudspeakers a graph makes sound for.
extension SpeakerLayout {
    /// What a bus of a unit carries: the channels' usual layout, and of a spatial mixer's speakers the one that it is set to.
    ///
    /// - Parameter value: the value of the unit's parameter of that name; nil where it has none.
    init(of bus: Int, of descriptor: UnitDescriptor, value: (String) -> Float?) {
        let buses = descriptor.outputs, count = buses.indices.contains(bus) ? buses[bus].channels : 2
        if descriptor.component == SpatialMixer.descriptor.component, count > 2 {
            let layout = SpatialMixer.Parameter.layout.spec, rendering = SpatialMixer.Parameter.rendering.spec
            func choice(_ spec: ParameterSpec) -> Int { Int(value(spec.name) ?? spec.initial) }
            // Between two speakers or ears there are no others.
            let name = choice(rendering) == SpatialMixer.vbap ? SpeakerRing.layouts[choice(layout)] : "stereo"
            self = Self(named: name) ?? .stereo
        } else {
            self = Self(channels: count) ?? (count < 8 ? .surround51 : .surround71)
        }
    }

    /// What it is played and written as, where nothing else is asked for: one channel is heard on two speakers.
    public var heard: SpeakerLayout { self == .mono ? .stereo : self }
}

extension Engine {
    /// The loudspeakers that the graph makes sound for: as many as its output has channels, and of a spatial mixer's speakers
    /// those of its layout. Channels stand in the order of `SpeakerLayout`. Stereo where the graph has no output.
    public var outputLayout: SpeakerLayout {
        guard let output = graph.output, let node = graph.nodes.first(where: { $0.id == output.node }) else { return .stereo }
        let block = node.instance.parameters
        return SpeakerLayout(of: output.bus, of: node.instance.descriptor) { name in
            block.specs.firstIndex { $0.name == name }.map { block.target($0, 0) }
        }
    }
}

extension Patch {
    /// Channels of the bus that leaves the patch; 2 where that cannot be told.
    var outputChannels: Int {
        guard let (descriptor, bus, _) = outputUnit, descriptor.outputs.indices.contains(bus) else { return 2 }
        return descriptor.outputs[bus].channels
    }

    private var outputUnit: (UnitDescriptor, Int, PatchUnit)? {
        let flat: Patch
        // What is wrong with it is told by whoever makes a graph of it.
        do throws(PatchError) { flat = try flattened() } catch { return nil }
        guard let output = flat.outputs.first, let unit = flat[unit: output.unit], let entry = UnitCatalog.named(unit.component)
        else { return nil }
        return (entry.descriptor, output.bus, unit)
    }

    /// The loudspeakers that the patch makes sound for, as `Engine.outputLayout`; stereo where it cannot be told.
    public var outputLayout: SpeakerLayout {
        guard let (descriptor, bus, unit) = outputUnit else { return .stereo }
        return SpeakerLayout(of: bus, of: descriptor) { unit.values[$0]?.first }
    }
}
