import EngineCore
import Graphs
import MIDI
import Patches
import Reports
import SongRendering
import SoundFonts
import UnitAPI
import Units

/// A patch of a session that can sound: of a set list its units are there already and their SoundFonts are read, in the
/// background, so that a change only has to connect it.
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

    /// What the patches of a set list share.
    struct SetList: Sendable {
        /// The name of this one.
        let name: String
        let keyboards: [String]
        /// Ports of the engine that one patch may be played on: two patches must fit beside each other.
        let mostPorts: Int
    }

    /// The patch with meters and SoundFonts, as its file has it.
    let song: SongPatch
    /// The patch with the values that it had when it was left, and the controllers that were learned, unless it was written
    /// anew since.
    private(set) var patch: Patch
    /// Of a patch of a set list: its zones, its ports that can be played, the presets that were chosen for its parts the last
    /// time that it sounded, its units, by their names, and the bytes of samples of each SoundFont.
    private(set) var zones: [Zone] = []
    private(set) var ports: [Int] = []
    private(set) var sounds: [Int: PresetRequest] = [:]
    private(set) var units: [String: Graph.Node] = [:]
    private(set) var sampleBytes: [String: Int] = [:]
    /// What it shares with the other patches of the set list; nil for one that songs play too.
    let list: SetList?

    /// The patch of the options, or without one the instrument, for `parts`. Without a demand any preset may be asked for.
    /// SoundFonts are looked for here.
    init(
        _ options: LiveOptions, parts: [Int], songs: SongDemand?, effects: SongEffects = SongEffects(), in list: SetList? = nil
    ) throws(Fault) {
        self.list = list
        var sound = options.sound
        if list != nil {
            // One meter hears all patches; see `PatchStage`.
            (sound.hasMeter, sound.end.isStereo, sound.songBank) = (false, true, nil)
        }
        song = try SongPatch(songs, effects: effects, parts: parts, options: sound)
        patch = song.patch
        guard let list else { return }
        let file = options.patch ?? Patch()
        // As the file says it: a patch that is heard has parts more, and zones count those that a unit was given.
        _ = try StagePart.zones(file, KeyboardInputs(keyboards: list.keyboards))
        let flat = try Self.flat(patch)
        if flat.outputs.count != 1 { throw .patch(Fault(PatchError.outputCount(flat.outputs.count))) }
        if let unit = flat.units.first(where: { ReservedNames.owner(of: $0.name) != .patch }) {
            throw .patch(Fault(PatchError.duplicateName(unit.name)))
        }
        // The ports that keyboards and zones can reach.
        let ports =
            flat.zones.isEmpty
            ? Set(0..<max(options.playedPorts, 1)) : Set(flat.zones.map { (song.routing.part(of: $0) ?? 0) / 16 })
        if ports.count > list.mostPorts {
            throw .option(
                name: "patch", value: list.name,
                remedy: "it is played on \(ports.count) ports; \(list.mostPorts) at most, so that the next one fits beside it")
        }
        (zones, self.ports) = (flat.zones, ports.sorted())
    }

    /// The patch for all that the session plays. `effects`: those that keyboards have asked for.
    init(
        _ options: LiveOptions, songs: SongDemand?, effects: SongEffects = SongEffects(), in list: SetList? = nil
    ) throws(Fault) {
        let ports = options.playedPorts, parts = Set(0..<ports * 16).union(songs?.sortedParts ?? [])
        // Keyboards may ask for any preset, and for effects by messages.
        try self.init(
            options, parts: parts.isEmpty ? Array(0..<16) : parts.sorted(), songs: ports > 0 ? nil : songs,
            effects: songs?.effects ?? effects, in: list)
    }

    /// Makes the units; SoundFonts are read here. Any thread. `kept` is its state when it was left, `size` the bytes of samples in
    /// a SoundFont.
    init(
        _ options: LiveOptions, in list: SetList, kept: Kept?, size: (String) throws(SoundFontError) -> Int
    ) throws(Fault) {
        try self.init(options, songs: nil, in: list)
        if let kept {
            patch = patch.keeping(kept.left, since: kept.written)
            // Zones that were written anew choose anew.
            if kept.zones == zones { sounds = kept.sounds }
        }
        let flat = try Self.flat(PatchStage.withSum(patch)), layout = patch.layout
        let nodes = try Self.graph(of: flat, layout, sampleRate: Double(options.sampleRate)).nodes
        for node in nodes where node.owner == .patch {
            units[node.name] = node
            sampleBytes.merge(try Self.sampleBytes(node, size)) { $1 }
        }
    }

    /// A graph of its own that is never rendered. What cannot be rendered beside others is refused here, and not when it sounds.
    private static func graph(of flat: Patch, _ layout: PatchLayout, sampleRate: Double) throws(Fault) -> Graph {
        do throws(Fault) {
            var graph = Graph(sampleRate: sampleRate, maximumFrames: PatchStage.maximumFrames)
            try graph.become(flat.joiningChannels) { layout.soundFonts(around: $0) }
            _ = try GraphCompiler.compile(graph)
            return graph
        } catch {
            if let unit = error.origin as? UnitError { throw .unit(unit) }
            throw .patch(error)
        }
    }

    private static func flat(_ patch: Patch) throws(Fault) -> Patch {
        do { return try patch.flattened() } catch { throw .patch(Fault(error)) }
    }

    private static func sampleBytes(
        _ node: Graph.Node, _ size: (String) throws(SoundFontError) -> Int
    ) throws(Fault) -> [String: Int] {
        let paths: [PropertyValue] =
            switch node.instance.setup.properties["soundfonts"] {
            case .list(let list)?: list
            case let one?: [one]
            case nil: []
            }
        var bytes: [String: Int] = [:]
        for case .text(let path) in paths where bytes[path] == nil {
            do { bytes[path] = try size(path) } catch {
                throw .unit(.resource(unit: node.name, reason: error.description, fault: error.fault))
            }
        }
        return bytes
    }
}
