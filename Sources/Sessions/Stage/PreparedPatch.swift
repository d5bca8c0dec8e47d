import EngineCore
import Graphs
import MIDI
import Patches
import SongRendering
import SoundFonts
import UnitAPI
import Units

/// A patch of a set list, made ready to sound: its units are there and their SoundFonts are read. A change only has to connect
/// it. It is made in the background, without an effect on the sound.
struct PreparedPatch: Sendable {
    /// The state of a patch when it was left, for the next time that it sounds.
    struct Kept: Sendable {
        /// The patch as its file had it.
        let written: Patch
        /// The values that its units had.
        let left: Patch
        /// The zones, which choose sounds too.
        let zones: [Zone]
        /// The presets that were chosen for its parts, by the numbers of parts in the patch.
        let sounds: [Int: PresetRequest]
    }

    /// Ports of the engine that one patch may be played on: two patches must fit beside each other.
    static let mostPorts = 8

    /// The patch with meters and SoundFonts, as its file has it.
    let song: SongPatch
    let layout: PatchLayout
    let zones: [Zone]
    /// The controllers, with those that were learned the last time that it sounded, and its scenes.
    let controllers: [ControllerMap]
    let scenes: [Scene]
    /// The zones that keyboards play it through; nil means they play the parts of the same number.
    let router: ZoneRouter?
    /// The units and edges, in a graph of their own that is never rendered; no part is routed to a unit.
    let graph: Graph
    /// The parts that each of its units hears, in the graph's order, as the patch numbers them.
    let parts: [PartList]
    /// The preset that each of them was set by, in the same order.
    let presets: [UnitPreset?]
    /// The patch's ports that can be played.
    let ports: [Int]
    /// The presets that were chosen for its parts the last time that it sounded.
    let sounds: [Int: PresetRequest]
    let sampleBytes: [String: Int]

    /// Makes the units; SoundFonts are read here. Any thread. `keyboards` have input ports, `kept` is its state when it was left,
    /// `size` the bytes of samples in a SoundFont.
    init(
        _ listed: ListedPatch, options: LiveOptions, keyboards: [String], kept: Kept? = nil,
        size: (String) throws(SoundFontError) -> Int
    ) throws(LiveError) {
        if let fault = listed.fault { throw .patchFile(fault) }
        var sound = options.sound
        sound.patch = listed.patch
        // One meter hears all patches; see `PatchStage`.
        sound.hasMeter = false
        sound.end.isStereo = true
        let inputs = max(options.ports, 1)
        let song: SongPatch, patch: Patch, flat: Patch
        do throws(RenderError) {
            song = try SongPatch(nil, parts: Array(0..<inputs * 16), options: sound)
            patch = kept.map { song.patch.keeping($0) } ?? song.patch
            flat = try Self.flat(patch)
        } catch { throw .sound(error) }
        // As the file says it: a patch that is heard has parts more, and zones count those that a unit was given.
        router = try StagePart.zones(listed.patch, KeyboardInputs(keyboards: keyboards))
        (zones, self.song, layout) = (flat.zones, song, patch.layout)
        (controllers, scenes) = (flat.controllers, flat.scenes)
        // Zones that were written anew choose anew.
        sounds = kept?.zones == flat.zones ? kept?.sounds ?? [:] : [:]
        (parts, presets) = (flat.units.map(\.parts), flat.units.map(\.preset))
        ports = try Self.ports(of: flat, song.routing, inputs: inputs, name: listed.name)
        do throws(RenderError) {
            graph = try Self.graph(of: flat, layout, sampleRate: Double(options.sampleRate))
            sampleBytes = try Self.sampleBytes(graph, size)
        } catch { throw .sound(error) }
    }

    /// The units without their parts, which they get when they sound. What cannot be rendered is refused now, and not then.
    private static func graph(of flat: Patch, _ layout: PatchLayout, sampleRate: Double) throws(RenderError) -> Graph {
        var graph = Graph(sampleRate: sampleRate, maximumFrames: LiveGraph.maximumFrames), bare = flat
        for index in bare.units.indices { bare.units[index].parts = PartList() }
        do throws(GraphError) {
            try graph.become(bare) { layout.soundFonts(around: $0) }
            var trial = graph
            let junction = try trial.add(Junction.self, name: PatchStage.sum)
            if let output = graph.output { try trial.connect(output.node, output: output.bus, to: junction) }
            try trial.setOutput(junction)
            _ = try GraphCompiler.compile(trial)
        } catch {
            if case .unit(let error) = error { throw .unit(error) }
            throw .patch(.graph(error))
        }
        return graph
    }

    private static func flat(_ patch: Patch) throws(RenderError) -> Patch {
        do throws(PatchError) {
            let flat = try patch.flattened()
            if flat.outputs.count != 1 { throw .outputCount(flat.outputs.count) }
            if let unit = flat.units.first(where: { ReservedNames.owns($0.name) }) { throw .duplicateName(unit.name) }
            return flat.joiningChannels
        } catch { throw .patch(.patch(error)) }
    }

    /// The ports that keyboards and zones can reach.
    private static func ports(
        of flat: Patch, _ routing: PartRouting, inputs: Int, name: String
    ) throws(LiveError) -> [Int] {
        let ports = flat.zones.isEmpty ? Set(0..<inputs) : Set(flat.zones.map { (routing.part(of: $0) ?? 0) / 16 })
        if ports.count > mostPorts {
            throw .option(
                name: "patch", value: name,
                remedy: "it is played on \(ports.count) ports; \(mostPorts) at most, so that the next one fits beside it")
        }
        return ports.sorted()
    }

    private static func sampleBytes(
        _ graph: Graph, _ size: (String) throws(SoundFontError) -> Int
    ) throws(RenderError) -> [String: Int] {
        var bytes: [String: Int] = [:]
        for node in graph.nodes {
            let paths: [PropertyValue] =
                switch node.instance.setup.properties["soundfonts"] {
                case .list(let list)?: list
                case let one?: [one]
                case nil: []
                }
            for case .text(let path) in paths where bytes[path] == nil {
                do { bytes[path] = try size(path) } catch {
                    throw .unit(.resource(unit: node.name, reason: error.description, fault: error.fault))
                }
            }
        }
        return bytes
    }
}

extension Patch {
    /// This patch with the values and the controllers that were learned when it was left, unless it was written anew since.
    fileprivate func keeping(_ kept: PreparedPatch.Kept) -> Patch {
        var patch = keepingValues(kept.left, since: kept.written)
        patch.controllers = controllers == kept.written.controllers ? kept.left.controllers : controllers
        return patch
    }
}
