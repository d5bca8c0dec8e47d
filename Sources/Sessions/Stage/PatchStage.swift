import EngineCore
import Graphs
import Patches
import RealtimeCore
import Reports
import SongRendering
import UnitAPI
import Units

/// The graph of a session: the patch that sounds, under its own names, and what still rings of those before it.
///
/// ```
/// the patch's units -----------+
/// former-7: units, no new key -+-> set-list.sum -> out, set-list.meter
/// former-6: units, no new key -+
/// songs: the songs' units -----+
/// ```
/// Each change is one edit. Of a patch that is edited the units that fit stay; one that another replaces while it sounds is
/// called `leaving-N.NAME`, and rings out. If a patch of a set list takes over from another, the units of the other are called
/// `former-N.NAME` and are otherwise left alone; the new ones come with ports of their own. A patch that is alone has no sum,
/// and songs play through it; beside a set list, or where keyboards and songs are apart, they have an instrument of their own,
/// which no change of patch touches.
/// Control side.
final class PatchStage {
    /// The most frames of one slice: a device may grant longer periods than were wanted.
    static let maximumFrames = 4096
    private static let sum = "sum", meter = "meter"

    /// The ports of the engine, and what rings on them.
    private struct Places {
        /// The engine's port for each port of the patch that sounds.
        var granted: [Int: UInt8] = [:]
        var ports = PartPorts.same
        /// Ports that songs have for themselves.
        var reserved: Set<UInt8>
        /// Ports that are not in use; the one that was freed last is used last.
        var free: [UInt8] = []
        var ringing = RingingUnits()

        init(reserved: Set<UInt8>) { self.reserved = reserved }

        mutating func freeUnused() {
            let used = ringing.groups.reduce(into: reserved.union(granted.values)) { $0.formUnion($1.ports) }
            free.removeAll(where: used.contains)
            free += (0..<16).map { UInt8($0) }.filter { !used.contains($0) && !free.contains($0) }
        }

        /// Grants ports to a patch. Returns what has to fade to make room; what MIDI loops play on their ports stays.
        ///
        /// - Throws: `option` if loops hold so many ports that the others are too few.
        mutating func grant(
            _ prepared: PreparedPatch, enters: Bool, besides loops: Set<UInt8>
        ) throws(Fault) -> [RingingUnits.Group] {
            var gone: [RingingUnits.Group] = []
            var kept = enters ? [:] : granted
            let missing = prepared.ports.filter { kept[$0] == nil }
            // A key may still be down on a port that the patch has played: it stays, unless there would be too many.
            if kept.count + missing.count > (16 - reserved.count) / 2 {
                kept = kept.filter { prepared.ports.contains($0.key) }
            }
            while enters && ringing.patches(besides: loops) >= RingingUnits.mostPatches || free.count < missing.count,
                let oldest = ringing.removeOldest(besides: loops)
            {
                gone.append(oldest)
                freeUnused()
            }
            if enters, free.count < missing.count, !loops.isEmpty {
                throw .option(
                    name: "patch", value: "MIDI loops play the patches that were left",
                    remedy: "give some to the patch in hand with looper move, or clear them")
            }
            granted = kept
            for (port, place) in zip(missing, free) { granted[port] = place }
            let own = granted.keys.sorted()
            ports = PartPorts(own.compactMap { granted[$0] }, of: own, takesAll: prepared.zones.isEmpty)
            return gone
        }
    }

    /// A patch whose units sound beside all others, in a group of their own.
    private struct Beside {
        let owner: NodeOwner
        let group: String
        var ports: PartPorts
        var song: SongPatch
        /// Its units by their part, once it is in the graph.
        var graph: SongGraph?
    }

    let engine: Engine
    /// True if patches take turns, or songs have instruments beside them.
    private let hasPlace: Bool
    private var places: Places
    /// The patch that sounds.
    private var patch: PreparedPatch
    /// Its units by their part.
    private(set) var graph: SongGraph
    /// What sounds beside all patches: the instrument of songs, and the patch that stays.
    private var beside: [Beside] = []
    /// The ports that songs may play.
    private let songPorts: Set<UInt8>
    /// The deck whose units are those of the song that plays.
    var songDeck = 0
    /// The engine's ports of the patch that stays, and how it is played there.
    private let alwaysPlaces: [UInt8]
    private(set) var alwaysPorts: PartPorts
    private static let mostAlwaysPorts = 2
    private var changes = 0
    /// The ports that MIDI loops are played on: their instruments stay.
    var loopPorts: () -> Set<UInt8> = { [] }
    /// Returns true while there are loops that no file has: an entry leaves them where they are.
    var keepsLoops: () -> Bool = { false }
    /// Units that have left the graph; plans may still know them.
    private var removed: [UnitInstance] = []

    /// An engine with a graph in which `first` sounds, with `hasPlace` songs beside it. Throws the refusal of the graph.
    init(
        _ options: LiveOptions, _ first: PreparedPatch, hasPlace: Bool = false, songs demand: SongDemand? = nil,
        start: SampleTime = .zero
    ) throws(Fault) {
        songPorts = hasPlace ? demand?.ports ?? [] : []
        let always = hasPlace ? try Self.always(options, first.list) : nil
        // From the last port on: keyboards and songs have the first ones.
        let last = (0..<16).map { UInt8(15 - $0) }.filter { [songPorts] in !songPorts.contains($0) }
        // It has two, since another version of it may play more than this one.
        alwaysPlaces = Array(last.prefix(always == nil ? 0 : Self.mostAlwaysPorts))
        alwaysPorts = PartPorts(alwaysPlaces, of: always?.ports ?? [], takesAll: always?.zones.isEmpty ?? false)
        places = Places(reserved: songPorts.union(alwaysPlaces))
        engine = Engine(
            sampleRate: Double(options.sampleRate), maximumFrames: Self.maximumFrames, recordsScore: true, start: start)
        engine.midi.tuning = options.tuning
        (self.hasPlace, patch) = (hasPlace, first)
        graph = SongGraph(of: engine, first.song)
        places.freeUnused()
        if hasPlace, let demand {
            let song = try Self.songs(demand, options)
            beside.append(Beside(owner: .songs, group: ReservedNames.songs, ports: .same, song: song))
        }
        if let always {
            beside.append(Beside(owner: .always, group: ReservedNames.always, ports: alwaysPorts, song: always.song))
        }
        try enter(first)
    }

    private static func always(_ options: LiveOptions, _ list: PreparedPatch.SetList?) throws(Fault) -> PreparedPatch? {
        guard let patch = options.list.always, let list else { return nil }
        var options = options
        (options.patch, options.settings, options.list.level) = (patch, [], 0)
        return try PreparedPatch(
            options, songs: nil, in: .init(name: ReservedNames.always, keyboards: list.keyboards, mostPorts: mostAlwaysPorts))
    }

    private static func songs(_ demand: SongDemand, _ options: LiveOptions) throws(Fault) -> SongPatch {
        try SongPatch(demand, parts: demand.sortedParts, options: options.soundOfSongs)
    }

    /// The units that the song plays: beside a patch songs have their own.
    var songGraph: SongGraph { songGraph(deck: songDeck) }
    func songGraph(deck: Int) -> SongGraph { graph(of: Self.owner(ofDeck: deck)) ?? graph }
    /// Those of both decks; none where songs play through the patch.
    var songGraphs: [SongGraph] { [.songs, .otherSongs].compactMap(graph(of:)) }
    /// True if songs play beside the patch, and not through it.
    var hasOwnSongs: Bool { graph(of: .songs) != nil }
    private static func owner(ofDeck deck: Int) -> NodeOwner { deck == 0 ? .songs : .otherSongs }
    /// The units of the patch that stays through all others.
    var alwaysUnits: SongGraph? { graph(of: .always) }
    private func graph(of owner: NodeOwner) -> SongGraph? { beside.first { $0.owner == owner }?.graph }

    var ringing: RingingUnits { places.ringing }
    /// The effects that the patch that sounds has for the messages of its music.
    var effects: SongEffects { patch.song.effects }
    /// What the patch that sounds shares with others; nil where songs play it too.
    var list: PreparedPatch.SetList? { patch.list }

    /// Makes another patch the one that sounds, with the next slice: its units come, those that sounded go on under other names.
    /// Units that sound by themselves, a player or a microphone, fade with the change. Throws the refusal of the graph; nothing
    /// has changed then.
    func enter(_ next: PreparedPatch) throws(Fault) {
        var takeover = PatchTakeover()
        let number = changes
        takeover.first = { (graph) throws(Fault) in try Self.leave(&graph, as: number) }
        try play(next, next.patch, takeover, enters: true)
        changes += 1
    }

    /// Changes the patch that sounds to another version of it: units that fit stay, edges fade, values glide, and values that
    /// were set by hand stay. Instruments that another replaces end what they have begun, if `ringing`.
    func edit(_ next: PreparedPatch, ringing: Bool = true, at time: SampleTime? = nil) throws(Fault) {
        var takeover = PatchTakeover()
        let players = Set(ringing ? graph.players : [])
        let sounding = engine.graph.nodes.filter {
            players.contains($0.id) && !$0.instance.isAtRest && !$0.instance.descriptor.outputs.isEmpty
        }
        takeover.ringing = Set(sounding.map(\.id))
        try play(next, next.song.patch.keeping(engine.patch, since: graph.patch), takeover, enters: false, at: time)
    }

    /// Makes the graph able to play songs that need these presets, or another SoundFont, from `time` on; what they played on
    /// before fades.
    ///
    /// - Throws: `option` for songs beside a patch on ports that keyboards may have; nothing has changed then.
    func exchange(_ demand: SongDemand, _ options: LiveOptions, deck: Int = 0, at time: SampleTime?) throws(Fault) {
        guard let place = beside.firstIndex(where: { $0.owner == Self.owner(ofDeck: deck) }) else {
            return try edit(PreparedPatch(options, songs: demand), ringing: false, at: time)
        }
        if let port = demand.ports.subtracting(songPorts).min() {
            throw .option(
                name: "port", value: "\(port + 1)",
                remedy:
                    "beside keyboards songs play on ports \(songPorts.sorted().map { "\($0 + 1)" }.joined(separator: ", "))"
            )
        }
        let former = beside
        do throws(Fault) {
            beside[place].song = try Self.songs(demand, options)
            try edit(patch, ringing: false, at: time)
        } catch {
            beside = former
            throw error
        }
    }

    /// Makes the deck on which songs cross over with others: units as those of the first, on ports of their own. Does nothing if it
    /// is there.
    ///
    /// - Throws: `option` where songs have no instruments of their own, or too few ports are free, and the refusal of the graph;
    ///   nothing has changed then.
    func addDeck(_ demand: SongDemand, _ options: LiveOptions) throws(Fault) -> SongDeck {
        if let deck = beside.first(where: { $0.owner == .otherSongs }) { return SongDeck(number: 1, ports: deck.ports) }
        guard hasOwnSongs else { throw Self.noCrossFade("songs play through the patch; play them in live, beside keyboards") }
        if songGraph.fader == nil { throw Self.noCrossFade("songs have no fader; let them be brought to a loudness") }
        let own = songPorts.sorted(), free = Array(places.free.suffix(own.count))
        // A patch that takes over from another needs as many ports as that.
        guard free.count == own.count, places.free.count - free.count >= places.granted.count else {
            throw Self.noCrossFade("the songs play on \(own.count) ports, and too few others are free")
        }
        let former = (beside, places)
        places.reserved.formUnion(free)
        places.freeUnused()
        let ports = PartPorts(free, of: own.map(Int.init), takesAll: false)
        do throws(Fault) {
            let song = try Self.songs(demand, options)
            beside.append(Beside(owner: .otherSongs, group: ReservedNames.otherSongs, ports: ports, song: song))
            try edit(patch, ringing: false)
        } catch {
            (beside, places) = former
            throw error
        }
        return SongDeck(number: 1, ports: ports)
    }

    private static func noCrossFade(_ remedy: String) -> Fault { .option(name: "cross-fade", value: "on", remedy: remedy) }

    /// Another version of the patch that stays through all others: units that fit stay, and values that were set by hand.
    ///
    /// - Throws: `option` where there is none, or it plays more ports than two, and the fault of the patch; nothing has changed then.
    func exchange(always options: LiveOptions) throws(Fault) {
        guard let place = beside.firstIndex(where: { $0.owner == .always }), let new = try Self.always(options, patch.list) else {
            throw .option(
                name: "always", value: "another", remedy: "a patch that stays comes and goes with the start; start again")
        }
        let former = (beside, alwaysPorts)
        do throws(Fault) {
            alwaysPorts = PartPorts(alwaysPlaces, of: new.ports, takesAll: new.zones.isEmpty)
            beside[place].song = new.song
            beside[place].ports = alwaysPorts
            try edit(patch, ringing: false)
        } catch {
            (beside, alwaysPorts) = former
            throw error
        }
    }

    private func play(
        _ next: PreparedPatch, _ values: Patch, _ takeover: PatchTakeover, enters: Bool, at time: SampleTime? = nil
    ) throws(Fault) {
        var places = places, takeover = takeover, gone: [RingingUnits.Group] = [], whole = values
        if hasPlace {
            gone = try places.grant(next, enters: enters, besides: loopPorts())
            whole = Self.withSum(
                values.played(on: places.ports),
                beside: beside.map { own in
                    let values = own.owner != .always ? self.values(own).hearing(ports: songPorts) : self.values(own)
                    return SubPatch(own.group, values.played(on: own.ports))
                })
        }
        takeover.replaced = [.patch, .leaving, .setList, .songs, .otherSongs, .always]
        takeover.made = next.units
        takeover.ringing.formUnion(engine.graph.nodes.filter(\.isLeaving).suffix(RingingUnits.mostUnits).map(\.id))
        let (first, faded) = (takeover.first, gone)
        takeover.first = { (graph) throws(Fault) in
            for id in faded.flatMap(\.nodes) { try graph.remove(id) }
            try first(&graph)
        }
        try next.song.apply(whole, to: engine, as: takeover, at: time)
        // What it has replaced must not be kept alive.
        engine.forgetHistory()
        places.ringing.update(
            engine.graph, former: graph, ports: Set(self.places.granted.values), places: self.places.ports,
            now: engine.renderer.sampleTime)
        places.freeUnused()
        (self.places, patch) = (places, next)
        removed += gone.flatMap(\.instances)
        graph = SongGraph(of: engine, next.song, ports: places.ports)
        for index in beside.indices {
            let own = beside[index]
            beside[index].graph = SongGraph(
                of: engine, own.song, owner: own.owner, group: "\(own.group).", ports: own.ports)
        }
    }

    /// A patch beside others with the values that its units have now, if it is in the graph.
    private func values(_ beside: Beside) -> Patch {
        var patch = beside.song.patch
        // These belong to the outermost patch.
        (patch.zones, patch.controllers, patch.scenes, patch.clock) = ([], [], [], [])
        guard let former = beside.graph else { return patch }
        let current = engine.patch.patches.first { $0.name == beside.group }?.patch ?? Patch()
        return patch.keepingValues(current, since: former.patch)
    }

    /// Turns the patch that sounds into a former one.
    private static func leave(_ graph: inout Graph, as number: Int) throws(Fault) {
        let group = ReservedNames.former(number)
        var names: [String: String] = [:], units: Set<NodeID> = []
        for node in graph.nodes where node.owner == .patch {
            if node.instance.inputs.isEmpty, !node.instance.descriptor.acceptsMusic {
                try graph.remove(node.id)
            } else {
                names[node.name] = "\(group).\(node.name)"
                units.insert(node.id)
            }
        }
        try graph.rename(names)
        graph.give(units, to: .former(number))
    }

    /// A patch of a set list as the graph has it: led to the sum, and with it what sounds beside all patches.
    static func withSum(_ patch: Patch, beside others: [SubPatch] = []) -> Patch {
        var whole = patch, list = Patch()
        list.units = [
            PatchUnit(sum, Junction.descriptor.name), PatchUnit(meter, PeakMeter.descriptor.name, role: .meter),
        ]
        list.connections = [PatchConnection(PatchPort(sum), to: PatchPort(meter))]
        (list.inputs, list.outputs) = ([PatchPort(sum)], [PatchPort(sum)])
        whole.patches.append(SubPatch(ReservedNames.setList, list))
        whole.connections += patch.outputs.map { PatchConnection($0, to: PatchPort(ReservedNames.setList)) }
        for other in others {
            whole.patches.append(other)
            whole.connections.append(PatchConnection(PatchPort(other.name), to: PatchPort(ReservedNames.setList)))
        }
        whole.outputs = [PatchPort(ReservedNames.setList)]
        return whole
    }

    /// Removes what has rung out. `isHeld`: a key or a pedal holds anything on these ports. Returns units that no plan knows any
    /// more: freeing a synthesizer may mean waiting for one that loads.
    func clear(isHeld: (Set<UInt8>) -> Bool) throws(Fault) -> [UnitInstance] {
        if !places.ringing.groups.isEmpty {
            var places = places
            let gone = places.ringing.removeSilent(
                now: engine.renderer.sampleTime, rate: Int(engine.sampleRate), loops: loopPorts(), isHeld: isHeld)
            let units = gone.flatMap(\.nodes).filter { engine.graph[$0] != nil }
            if !units.isEmpty {
                try engine.edit { (graph) throws(Fault) in for id in units { try graph.remove(id) } }
                engine.forgetHistory()
            }
            places.freeUnused()
            self.places = places
            removed += gone.flatMap(\.instances)
        }
        var dead: [UnitInstance] = []
        for index in removed.indices.reversed() where isKnownUniquelyReferenced(&removed[index]) {
            dead.append(removed.remove(at: index))
        }
        return dead
    }

    /// Returns the number that a part of the engine has in the patch that it belongs to.
    func patchPart(_ part: Int) -> Int {
        let others = beside.map(\.ports).filter { $0 != .same } + ringing.groups.map(\.places)
        return graph.ports.patch(part: part) ?? others.lazy.compactMap { $0.patch(part: part) }.first ?? part
    }
}

extension SongDemand {
    /// The ports with notes.
    var ports: Set<UInt8> { Set(sortedParts.map { UInt8($0 / 16) }) }
}

extension Patch {
    /// This patch with units that hear parts of these ports alone: keys are not theirs.
    fileprivate func hearing(ports: Set<UInt8>) -> Patch {
        var patch = self
        let parts = ports.reduce(into: Set<Int>()) { $0.formUnion(Int($1) * 16..<Int($1) * 16 + 16) }
        for index in units.indices where units[index].parts.parts.count == 256 {
            patch.units[index].parts = PartList(parts)
        }
        return patch
    }

    /// This patch with its units on other ports.
    fileprivate func played(on ports: PartPorts) -> Patch {
        var patch = self
        for index in units.indices where !units[index].parts.isEmpty {
            patch.units[index].parts = PartList(units[index].parts.sorted.compactMap(ports.engine(part:)))
        }
        patch.patches = patches.map { SubPatch($0.name, $0.patch.played(on: ports)) }
        return patch
    }
}
