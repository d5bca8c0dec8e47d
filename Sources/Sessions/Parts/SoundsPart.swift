import Graphs
import MIDI
import RealtimeCore
import Reports
import SongRendering
import SoundFonts

/// The sounds that channels play: which are requested, and how another is chosen.
final class SoundsPart: SessionPart {
    private let core: SessionCore
    private var sounds = ChannelSounds()
    /// The names of sounds until the instruments of the graph take over; nil means they have.
    private var formerNames: (names: SoundNames, until: SampleTime)?
    private let playsAnything: Bool
    /// The zones that keyboards play.
    var zones: () -> ZoneRouter? = { nil }

    static let verbs = [Verb.program, .programName, .zoneProgram, .zoneProgramName, .soundList]
    static let fields: [PartField<SoundsPart>] = [
        PartField(\.channels, "channels", "The channels with a strip or a sound.") { $0.channels }
    ]

    init(_ core: SessionCore, hasSongs: Bool) {
        self.core = core
        playsAnything = core.options.playedPorts > 0 || !hasSongs
    }

    func hear(_ performance: Performance) { for command in performance.commands { sounds.take(command) } }

    private var channels: [SessionSnapshot.Channel] {
        let strips = Set(core.graph.strips.map(\.part))
        return core.meters.channels.compactMap { channel in
            var channel = channel
            channel.instrument = instrument(of: channel.number - 1)
            if channel.instrument == nil { channel.sound = sound(of: channel.number - 1) }
            let hasName = channel.instrument != nil || channel.sound != nil
            return hasName || strips.contains(channel.number - 1) ? channel : nil
        }
    }

    var presets: [SoundPreset] { playsAnything ? core.graph.names.presets : [] }

    /// True if a player chooses sounds; false if only songs play, which choose their own.
    var areChosen: Bool { playsAnything }

    /// The names of the sounds that are heard now.
    private var names: SoundNames { formerNames.flatMap { core.now < $0.until ? $0.names : nil } ?? core.graph.names }

    /// Makes a change of the graph that takes over at `time` (nil means at once); until then sounds keep their names.
    func keepNames<Fault>(until time: SampleTime?, _ change: () throws(Fault) -> Void) throws(Fault) {
        let former = names
        try change()
        formerNames = time.map { (former, $0) }
    }

    /// Returns the preset that a part of the patch that sounds asks for.
    func request(part: Int) -> PresetRequest { request(place: enginePart(part)) }

    /// By its bank, so that it can be chosen after any reset.
    private func request(place: Int) -> PresetRequest { core.graph.names.plain(sounds.request(part: place)) }

    private func enginePart(_ part: Int) -> Int { core.graph.ports.engine(part: part) ?? part }

    /// Gives a channel a sound by events on the channel itself, so that recorders get it too.
    func choose(bank: Int, program: Int, channel: Int) throws(Fault) {
        try choose(bank: bank, program: program, of: parts(ofChannel: channel))
    }

    /// The parts that a channel stands for. Where they are those of several zones, a notice says how one of them is given a sound.
    private func parts(ofChannel channel: Int) throws(Fault) -> [Int] {
        let parts = try core.mix.engineParts(ofChannel: channel), zones = zones()
        let names = (zones?.names ?? []).filter { zones?.part(ofZone: $0).map(enginePart).map(parts.contains) == true }
        if names.count > 1 {
            core.tell(["channel \(channel) is that of the zones \(names.joined(separator: ", ")); zone program changes one"])
        }
        return parts
    }

    /// Gives a zone a sound, and no other zone with a part of its own.
    func choose(bank: Int, program: Int, zone: String) throws(Fault) {
        try choose(bank: bank, program: program, of: [try enginePart(part(ofZone: zone))])
    }

    /// The part of the patch that a zone plays through a SoundFont.
    private func part(ofZone name: String) throws(Fault) -> Int {
        let zones = zones()
        guard zones?.names.contains(name) == true else { throw .unknownZone(name, known: zones?.names ?? []) }
        guard let part = zones?.part(ofZone: name) else { throw .zoneWithoutPart(name) }
        if !players(place: enginePart(part)).contains(where: \.isSoundFont) { throw .noPresets }
        return part
    }

    private func choose(bank: Int, program: Int, of parts: [Int]) throws(Fault) {
        if core.graph.names.presets.isEmpty { throw .noPresets }
        if !playsAnything { throw .presetsOfSongs }
        let wanted =
            bank == 128
            ? PresetRequest(kit: UInt8(program)) : PresetRequest(bank: UInt8(bank), program: UInt8(program))
        guard core.graph.names.presets.contains(where: { $0.bank == bank && $0.program == program }) else {
            throw .unknownPreset(bank: bank, program: program)
        }
        var chosen = sounds, events: [MusicEvent] = []
        for part in parts {
            guard let made = chosen.choose(wanted, part: part) else { throw .bankOutOfReach(bank) }
            events += made
        }
        sounds = chosen
        try core.mix.play(events)
    }

    /// Gives a channel the sound that a search finds first, or the one with this number in the bank of the present sound.
    func choose(_ text: String, channel: Int) throws(Fault) {
        let parts = try parts(ofChannel: channel)
        try choose(text, of: parts, present: sound(of: try core.mix.part(ofChannel: channel)))
    }

    /// Gives a zone such a sound.
    func choose(_ text: String, zone: String) throws(Fault) {
        let part = try part(ofZone: zone)
        try choose(text, of: [enginePart(part)], present: sound(ofPart: part))
    }

    private func choose(_ text: String, of parts: [Int], present: SoundPreset?) throws(Fault) {
        let presets = core.graph.names.presets
        guard let number = Int(text) else {
            let same = presets.first { $0.name.lowercased() == text.lowercased() }
            guard let found = same ?? SoundSearch.sounds(text, among: presets).first else {
                throw presets.isEmpty ? .noPresets : .unknownSound(text, known: presets.map(\.name))
            }
            return try choose(bank: found.bank, program: found.program, of: parts)
        }
        let bank = present?.bank ?? 0
        let isThere = presets.contains { $0.bank == bank && $0.program == number }
        guard let program = UInt8(exactly: number) else { throw .unknownPreset(bank: bank, program: number) }
        try choose(bank: isThere ? bank : 0, program: Int(program), of: parts)
    }

    /// Gives a part the sound that a zone begins with.
    func set(_ sound: ZoneRouter.Sound) throws(Fault) {
        let part = enginePart(sound.part), now = request(place: part)
        let bank = sound.bank ?? now.bank, program = UInt8(sound.program ?? now.program)
        let wanted = bank == 128 ? PresetRequest(kit: program) : PresetRequest(bank: UInt8(bank), program: program)
        guard let events = sounds.choose(wanted, part: part) else { throw .bankOutOfReach(bank) }
        try core.mix.play(events)
    }

    /// Gives the parts of a patch that begins the sounds that its zones and its player have chosen.
    func choose(_ prepared: PreparedPatch, _ zones: ZoneRouter?) throws(Fault) {
        for port in prepared.ports {
            if let part = core.graph.ports.engine(part: port * 16) { sounds.forget(port: part / 16) }
        }
        for sound in zones?.sounds ?? [] where prepared.sounds[sound.part] == nil { try set(sound) }
        for (part, request) in prepared.sounds.sorted(by: { $0.key < $1.key }) {
            guard let part = core.graph.ports.engine(part: part), let events = sounds.choose(request, part: part) else {
                continue
            }
            try core.mix.play(events)
        }
    }

    /// The sounds that parts of the patch were given which are not those that they begin with, by part.
    var chosen: [Int: PresetRequest] {
        let plain = ChannelSounds()
        var chosen: [Int: PresetRequest] = [:]
        for part in core.graph.parts {
            guard let place = core.graph.ports.engine(part: part) else { continue }
            let request = request(place: place)
            if request != plain.request(part: part) { chosen[part] = request }
        }
        return chosen
    }

    /// Sends new instruments the presets of their parts, unless a song sends them.
    func tellAgain(_ parts: Set<Int>, at time: SampleTime?) throws(Fault) {
        let plain = ChannelSounds()
        for part in parts.sorted() {
            guard let place = core.graph.ports.engine(part: part) else { continue }
            let request = request(place: place)
            guard request != plain.request(part: place), let events = sounds.choose(request, part: place) else { continue }
            try core.mix.play(events, at: time)
        }
    }

    /// Returns the sound that a part asks for, of the patch that sounds.
    private func sound(of part: Int) -> SoundPreset? {
        names.sound(sounds.request(part: enginePart(core.graph.parts(ofChannel: part)[0])))
    }

    /// Names the sound of a part that plays no SoundFont: the instrument that hears it, else the strip itself.
    private func instrument(of part: Int) -> String? {
        if core.options.patch == nil { return nil }
        let graph = core.graph, players = players(place: enginePart(graph.parts(ofChannel: part)[0]))
        if players.contains(where: \.isSoundFont) { return nil }
        return players.first?.name
            ?? graph.strips.first { $0.part == part }.flatMap { core.engine.graph[$0.node]?.name }
    }

    /// The instruments that hear a part of the engine.
    private func players(place: Int) -> [Graph.Node] {
        let heard = (0..<256).contains(place) ? core.engine.graph.routes[place] : []
        return core.engine.graph.nodes.filter { heard.contains($0.id) && $0.role == .instrument }
    }

    /// The sound of a part of the patch, as a zone has one, if a SoundFont plays it: of the unit with this name, or of any.
    func sound(ofPart part: Int, unit: String? = nil) -> SoundPreset? {
        let place = enginePart(part), players = players(place: place).filter { unit == nil || $0.name == unit }
        return players.contains(where: \.isSoundFont) ? names.sound(sounds.request(part: place)) : nil
    }
}

extension Graph.Node {
    fileprivate var isSoundFont: Bool { SoundFontSelection.isNamed(instance.descriptor.name) }
}

extension SnapshotKeys {
    /// The channels that have strips of their own or a sound to choose, in order; without a strip there is no level.
    public var channels: SnapshotKey<[SessionSnapshot.Channel]> { SnapshotKey([]) }
}

extension SessionSnapshot {
    /// The sound of one MIDI channel, after its strip: the louder side.
    public struct Channel: Sendable, Hashable {
        /// Counted from 1 over all ports.
        public var number: Int
        public var level: Level
        /// The sound that it plays now; nil if no sound matches its request.
        public var sound: SoundPreset?
        /// The unit of a patch that it plays, if that has no presets.
        public var instrument: String?
    }
}

extension SessionSnapshot.Channel: Fielded {
    package static let fields: [Field<Self>] = [
        Field("number", \.number, "The channel, counted from 1 over all ports."),
        Field("sound", { $0.sound?.name ?? $0.instrument }, "The sound, or the unit, that it plays."),
        Field("bank", { $0.sound?.bank }, "The bank of the sound; 128 has the drum kits."),
        Field("program", { $0.sound?.program }, "The program of the sound."),
        Field("peak", \.level.peak, "The highest recent sample, in dBFS."),
        Field("average", \.level.average, "The recent root mean square, in dBFS."),
    ]
}

extension Session {
    /// Every sound that a channel can be given with `ControlCommand.program`, melodic ones by bank and program, then drum kits;
    /// none if the instrument has no presets, or if only songs are played.
    public var presets: [SoundPreset] { self[SoundsPart.self]?.presets ?? [] }
}

extension Verb {
    static let program = Verb(
        "program", [.channel, .whole("BANK", 0...128), .whole("PROGRAM", 0...127)],
        help: "Sets the sound of a channel; bank 128 has the drum kits.", "program 1 0 40", movesSound: true
    ) { (sounds: SoundsPart, values) throws(Fault) in
        try sounds.choose(bank: values.whole(1), program: values.whole(2), channel: values.whole(0))
    }
    static let programName = Verb(
        "program", [.channel, .soundName],
        help: "Sets it by words of its name, or by its number in the bank.", "program 1 violin", movesSound: true
    ) { (sounds: SoundsPart, values) throws(Fault) in try sounds.choose(values.text(1), channel: values.whole(0)) }
    static let zoneProgram = Verb(
        "zone program", [.zone, .whole("BANK", 0...128), .whole("PROGRAM", 0...127)],
        help: "Sets the sound of a zone that has its own unit or channel.", "zone program left 0 32", movesSound: true
    ) { (sounds: SoundsPart, values) throws(Fault) in
        try sounds.choose(bank: values.whole(1), program: values.whole(2), zone: values.text(0))
    }
    static let zoneProgramName = Verb(
        "zone program", [.zone, .soundName],
        help: "Sets it by words of its name, or by its number in the bank.", "zone program left bass", movesSound: true
    ) { (sounds: SoundsPart, values) throws(Fault) in try sounds.choose(values.text(1), zone: values.text(0)) }
    static let soundList = Verb(
        "sounds", [.init("TEXT", .name, isOptional: true)],
        help: "Lists the sounds that channels can have: all, or those with these words in this or a common name.",
        "sounds rhodes"
    ) { (sounds: SoundsPart, values) in
        SoundList(sounds: SoundSearch.sounds(values.optionalText(0) ?? "", among: sounds.presets))
    }
}

extension ControlCommand {
    /// Gives a channel a sound, as a program change from a keyboard would; it lasts until the next one. Bank 0...127, or 128
    /// for drum kits; program 0...127.
    public static func program(channel: Int, bank: Int, program: Int) -> ControlCommand { Verb.program(channel, bank, program) }
    /// Gives a channel the first sound whose name has these words, or, for a number, that program of the bank of its sound.
    public static func program(channel: Int, named text: String) -> ControlCommand { Verb.programName(channel, text) }
    /// Gives a zone of the patch a sound, until the next one. Bank 0...127, or 128 for drum kits; program 0...127. Zones that play
    /// one channel of one unit share a sound.
    public static func program(zone: String, bank: Int, program: Int) -> ControlCommand { Verb.zoneProgram(zone, bank, program) }
}

extension VerbArgument {
    fileprivate static let soundName = VerbArgument(
        "NAME|NUMBER", .name, known: Known(question: "sounds", keys: ["sounds", "name"]))
    fileprivate static let zone = VerbArgument("ZONE", .name, known: Known(question: "status", keys: ["zones", "name"]))
}

private struct SoundList: Fielded {
    let sounds: [SoundPreset]

    static let fields: [Field<Self>] = [Field("sounds", \.sounds, "The sounds, drum kits last.")]
}

extension SoundPreset: Fielded {
    package static let fields: [Field<Self>] = [
        Field("bank", \.bank, "The bank, 0 to 127; 128 has the drum kits."),
        Field("program", \.program, "The program, 0 to 127."),
        Field("name", \.name, "The name in the SoundFont."),
        Field("isDrums", \.isDrums, "Whether it is a drum kit."),
    ]
}
