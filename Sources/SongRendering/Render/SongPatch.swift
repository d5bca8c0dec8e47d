import EngineCore
import Graphs
import MIDI
import Patches
import RealtimeCore
import Reports
import Sequencer
import SoundFonts
import UnitAPI
import Units

/// The patch that plays a song: the one that was given, or one instrument per port, a strip per channel that is used, sends to
/// reverb and chorus, a mixer, a limiter, and meters if they are wanted.
///
/// ```
/// soundfont -> strip-1 ... strip-16 -> mixer -> limiter -> out, meter
///                  \-> reverb, chorus -/     (and chorus -> reverb, as much as messages say)
/// ```
/// Names count up over the ports: `strip-17` is channel 1 of the second port, played by `soundfont-2`.
package struct SongPatch: Sendable {
    /// The patch; SoundFonts are named so that they are found again from anywhere.
    package var patch = Patch()
    /// The SoundFonts in use, in the order of search.
    package let soundFonts: [String]
    /// The reason for these SoundFonts; nil if none plays.
    package let soundFontOrigin: SoundFontLocator.Origin?
    /// The SoundFont that the song brings, if it is played: on top of those.
    package let songBank: SongBank?
    /// The parts of the song that the patch plays.
    package let parts: [Int]
    package let routing: PartRouting
    /// The name of the fader at the end of the chain, if there is one: a mixer of one input.
    package private(set) var fader: String?
    /// The name of the unit that has the volume of a patch without a mixer, if there is one.
    package private(set) var volume: String?
    var isGiven: Bool { options.patch != nil }
    /// The remarks on presets that were substituted or are missing, faults of SoundFonts.
    package private(set) var remarks: [Remark]
    package var names: SoundNames { sound.names }
    private let sound: InstrumentBank
    private let settings: StartSettings
    private let options: RenderOptions
    /// The effects beside reverb and chorus that its music uses.
    package let effects: SongEffects

    /// Creates a patch for `parts`, numbered port * 16 + channel, in order. SoundFonts are looked for and checked here.
    ///
    /// - Parameter timelines: the songs whose presets are loaded; nil means every preset, since the songs are not known in
    ///   advance.
    /// - Throws: the faults of the settings or the SoundFonts.
    package init(for timelines: [Timeline]?, parts: [Int], options: RenderOptions) throws(Fault) {
        try self.init(timelines.map { SongDemand($0, bank: options.songBank) }, parts: parts, options: options)
    }

    /// A patch for `parts`, with the presets that songs need; nil: every preset. `effects`: those beside the songs'.
    package init(
        _ demand: SongDemand?, effects asked: SongEffects = SongEffects(), parts: [Int], options: RenderOptions
    ) throws(Fault) {
        self.parts = parts
        do { settings = try StartSettings(options.settings) } catch { throw Fault(error) }
        do {
            let instrument = options.patch.map { Self.soundFonts(of: $0, options.instrument) } ?? options.instrument
            sound = try InstrumentBank(demand, instrument: instrument, bank: options.songBank)
        } catch { throw .rendering(error) }
        (soundFonts, soundFontOrigin, remarks) = (sound.soundFonts, sound.soundFontOrigin, sound.remarks)
        songBank = sound.songBank
        self.options = options
        var effects = asked
        if let demand { effects.formUnion(demand.effects) }
        self.effects = options.hasEffects ? effects : SongEffects()
        if options.patch == nil, !sound.hasBusPerChannel {
            try options.channels.refuse("the \(sound.name) plays all channels through one strip; choose only-channel")
        }
        routing = PartRouting(of: options.patch ?? Patch())
        if let patch = options.patch {
            self.patch = patch
            remarks += Self.remarks(ofSoundFontsIn: patch, demand, bank: options.songBank)
            try fit(parts)
        }
        do {
            if options.patch == nil { try build(parts) }
            if options.seed != 0 { patch.setSeed(options.seed) }
            try settings.check(patch, parts: parts, isGiven: isGiven)
        } catch { throw Fault(error) }
        // Faults of the patch's own file are reported where it is read.
        remarks += SendMix.all(of: patch, UnitCatalog.entries).filter { mix in
            settings.names(SendMix.parameter, of: mix.unit, type: patch[unit: mix.unit]?.component)
        }.map { Remark(.level, "\($0.unit).\(SendMix.parameter)", $0.remark) }
    }

    /// Returns the faults of the SoundFonts that units of a patch name for themselves.
    private static func remarks(ofSoundFontsIn patch: Patch, _ demand: SongDemand?, bank: SongBank?) -> [Remark] {
        let requests = demand.map { Set($0.scans(with: bank).values.flatMap(\.requests)).sorted() }
        let own = patch.units.filter { SoundFontSelection.isNamed($0.component) && $0.properties["soundfonts"] != nil }
        let found = own.flatMap { unit -> [Remark] in
            do throws(SoundFontError) {
                let wanted = try SoundFontSelection(UnitSetup(sampleRate: 48_000, properties: unit.properties))
                return try SoundFontLibrary(wanted.sources).remarks(for: wanted.requests ?? requests)
            } catch {
                // The unit itself throws it.
                return []
            }
        }
        return found + patch.patches.flatMap { remarks(ofSoundFontsIn: $0.patch, demand, bank: bank) }
    }

    /// The SoundFonts that a patch plays: those of the options, else its own, else those of the search; none if nothing in it
    /// plays any.
    private static func soundFonts(of patch: Patch, _ wanted: RenderOptions.Instrument) -> RenderOptions.Instrument {
        guard patch.units.contains(where: { SoundFontSelection.isNamed($0.component) && $0.properties["soundfonts"] == nil })
        else { return .squareWave }
        if !wanted.soundFonts.isEmpty { return wanted }
        return .soundFont(patch.soundFonts)
    }

    /// Makes the patch that was given play `parts`: an instrument that names no parts hears all of them, a SoundFont loads the
    /// presets that they need.
    private mutating func fit(_ parts: [Int]) throws(Fault) {
        let ports = Set(parts.map { $0 / 16 })
        patch = patch.hearing()
        if options.end.hasVolume, patch.mixer == nil { addVolume() }
        for index in patch.units.indices {
            var unit = patch.units[index]
            if SoundFontSelection.isNamed(unit.component), unit.properties["soundfonts"] == nil {
                // The presets of one port are known; a unit that hears several ports loads everything.
                let properties = sound.properties(port: ports.count == 1 ? ports.first : nil)
                unit.properties.merge(properties) { mine, _ in mine }
            }
            if let entry = UnitCatalog.named(unit.component) {
                let descriptor = entry.descriptor
                do {
                    let values = try settings.values(
                        name: unit.name, type: unit.component, specs: entry.parameters,
                        inputs: max(unit.inputCount, descriptor.inputs.count), bands: descriptor.bands)
                    unit.values.merge(values) { $1 }
                    hold(&unit, entry.parameters, set: Set(values.keys))
                } catch { throw Fault(error) }
            }
            patch.units[index] = unit
        }
        let stereo = foldDown()
        if let level = options.end.faderLevel, let output = stereo ?? patch.outputs.first {
            let fader = addFader(level)
            patch.connections.append(PatchConnection(output, to: PatchPort(fader)))
            // Sounds of the session join the music after its fader.
            patch.units.append(PatchUnit(fader + "-end", Junction.descriptor.name))
            patch.connections.append(PatchConnection(PatchPort(fader), to: PatchPort(fader + "-end")))
            patch.outputs[0] = PatchPort(fader + "-end")
        }
        if options.hasMeter { meter(stereo ?? patch.outputs.first) }
        if options.hasStripMeters { meterStrips() }
        try options.channels.set(&patch)
        try turn(options.gain - EngineSetting.gain.spec.initial)
    }

    /// Folds a patch with more channels to stereo, for the stereo units after it: the meter, the fader. With a fader, or with
    /// patches that take turns, the folded sound is the output. Returns its port; nil if nothing needs it.
    private mutating func foldDown() -> PatchPort? {
        guard options.hasMeter || options.end.faderLevel != nil || options.end.isStereo, patch.outputChannels > 2,
            let output = patch.outputs.first
        else { return nil }
        let made = patch.outputLayout, width = patch.outputChannels, name = freeName("stereo")
        var down = PatchUnit(name, SurroundDown.descriptor.name)
        if width != 8 { down.properties[UnitDescriptor.widthProperty] = .integer(width) }
        patch.units.append(down)
        patch.connections.append(PatchConnection(output, to: PatchPort(name)))
        if options.end.faderLevel != nil || options.end.isStereo {
            patch.outputs[0] = PatchPort(name)
            // A set list reports it for each of its patches.
            if made.channels > 2, !options.end.isStereo {
                remarks.append(
                    Remark(
                        .substituted, "patch",
                        "it plays on \(made.rawValue) and is folded down to stereo: installations play stereo"))
            }
        }
        return PatchPort(name)
    }

    /// Adds a meter after the output, if the patch has none: a session has to know when all is silent.
    private mutating func meter(_ output: PatchPort?) {
        guard patch[unit: "meter"] == nil, let output else { return }
        patch.units.append(PatchUnit("meter", PeakMeter.descriptor.name, role: .meter))
        patch.connections.append(PatchConnection(output, to: PatchPort("meter")))
    }

    /// Adds a meter after each strip that has none, with the name that a song's graph uses.
    private mutating func meterStrips() {
        for (strip, part) in patch.strips where patch[unit: strip] != nil {
            let name = Self.meter(ofPart: part)
            if patch[unit: name] != nil { continue }
            patch.units.append(PatchUnit(name, PeakMeter.descriptor.name, role: .meter))
            patch.connections.append(PatchConnection(PatchPort(strip), to: PatchPort(name)))
        }
    }

    static func meter(ofPart part: Int) -> String { "meter-\(part + 1)" }

    /// Raises the output of the patch's mixer by so many decibels.
    private mutating func turn(_ decibels: Float) throws(Fault) {
        if decibels == 0 { return }
        let volume = MultichannelMixer.Parameter.volume.spec
        let type = MultichannelMixer.descriptor.name
        guard let index = volumePlace else {
            throw .option(
                name: "gain", value: volume.text(options.gain),
                remedy: "the patch has no \(type) of role master to turn; set a parameter of one of its units")
        }
        patch.units[index].values[volume.name] = [volume.clamped(volumeAtStart + decibels)]
    }

    /// The unit that has the volume, if there is one.
    private var volumePlace: Int? { patch.mixer ?? patch.units.firstIndex { $0.name == volume } }
    /// The volume that it begins with, in decibels.
    var volumeAtStart: Float {
        let spec = MultichannelMixer.Parameter.volume.spec
        return volumePlace.flatMap { patch.units[$0].values[spec.name]?.first } ?? spec.initial
    }

    private mutating func build(_ parts: [Int]) throws(ParameterError) {
        if sound.hasBusPerChannel {
            var lastPort = -1
            for part in parts where part / 16 != lastPort {
                lastPort = part / 16
                try addPort(lastPort, parts)
            }
        } else {
            // One instrument that plays all ports through one strip.
            let instrument = try addInstrument(port: 0, parts: 0..<256)
            connect(instrument, to: try addStrip(0))
        }
        let given = sound.hasBusPerChannel ? parts : [0]
        // A soloed channel silences the others even if it plays nothing.
        let soloed = Set(try settings.soloedParts(parts, besides: given)).union(options.channels.soloed.parts.subtracting(given))
        for part in soloed.sorted() { _ = try addStrip(part) }
        let strips = patch.units.filter { $0.role == .strip }.map(\.name)
        let inserted = try addRolandInsertions(strips, sound.hasBusPerChannel ? parts : [])
        let ways = inserted.ways, variations = sound.hasBusPerChannel ? addVariations(ways, parts) : []
        let returns = options.hasEffects ? try addEffects(ways + inserted.returns.map(\.strip) + variations) : []
        try addMixer(ways + inserted.returns.filter { $0.place == nil }.map(\.strip) + variations + returns)
        for (strip, place) in inserted.returns { if let place { connect(strip, to: "mixer", input: place) } }
        let fader = options.end.faderLevel.map { addFader($0) }
        try add(Limiter.self, role: .master)
        let end = try addEqualizer(after: "mixer")
        if let fader { connect(end, to: fader) }
        connect(fader ?? end, to: Limiter.descriptor.name)
        if options.hasMeter {
            try add(PeakMeter.self, name: "meter", role: .meter)
            connect(Limiter.descriptor.name, to: "meter")
        }
        for (strip, part) in patch.strips where options.hasStripMeters {
            let meter = Self.meter(ofPart: part)
            try add(PeakMeter.self, name: meter, role: .meter)
            connect(strip, to: meter)
        }
        patch.outputs = [PatchPort(Limiter.descriptor.name)]
    }

    /// A name that nothing in the patch has.
    private func freeName(_ name: String) -> String {
        let taken = Set(patch.units.map(\.name) + patch.patches.map(\.name))
        var free = name, number = 2
        while taken.contains(free) { (free, number) = ("\(name)-\(number)", number + 1) }
        return free
    }

    /// Adds a unit after the patch that has its volume.
    private mutating func addVolume() {
        guard patch.outputs.count == 1, let output = patch.outputs.first else { return }
        var unit = PatchUnit(freeName("volume"), Junction.descriptor.name)
        let width = patch.outputChannels
        if width != 2 { unit.properties[UnitDescriptor.widthProperty] = .integer(width) }
        patch.units.append(unit)
        patch.connections.append(PatchConnection(output, to: PatchPort(unit.name)))
        patch.outputs = [PatchPort(unit.name)]
        volume = unit.name
    }

    /// A fader, which nothing is connected to yet. Returns its name.
    private mutating func addFader(_ level: Float) -> String {
        let name = freeName("fader")
        var unit = PatchUnit(name, MultichannelMixer.descriptor.name)
        unit.inputCount = 1
        let volume = MultichannelMixer.Parameter.volume.spec
        unit.values[volume.name] = [volume.clamped(level)]
        patch.units.append(unit)
        fader = name
        return name
    }

    private mutating func addMixer(_ sources: [String]) throws(ParameterError) {
        let volume = MultichannelMixer.Parameter.volume.spec
        var mixer = try unit(MultichannelMixer.self, name: "mixer", role: .master, inputs: sources.count)
        let set = mixer.values[volume.name]?.first
        mixer.values[volume.name] = [volume.clamped(set.map { options.gain + $0 } ?? options.gain)]
        patch.units.append(mixer)
        for (input, source) in sources.enumerated() { connect(source, to: "mixer", input: input) }
    }

    /// A strip. Without effects its sends are closed and no controller opens them.
    private mutating func addStrip(_ part: Int, hears: Bool = false) throws(ParameterError) -> String {
        let sends = [ChannelStrip.Parameter.reverbSend, .chorusSend].map(\.spec.name)
        var strip = try unit(ChannelStrip.self, name: "strip-\(part + 1)", role: .strip)
        for send in sends where !options.hasEffects && strip.values[send] == nil { strip.values[send] = [0] }
        if hears && options.hasEffects { strip.parts.insert(part) }
        options.channels.set(&strip, of: part)
        patch.units.append(strip)
        return strip.name
    }

    /// The instrument of one port with a strip for each channel.
    private mutating func addPort(_ port: Int, _ parts: [Int]) throws(ParameterError) {
        let instrument = try addInstrument(port: port, parts: port * 16..<port * 16 + 16)
        for part in parts where part / 16 == port {
            let strip = try addStrip(part, hears: true)
            for port in addYamahaInsertions(part, after: PatchPort(instrument, part % 16)) {
                connect(port.unit, output: port.bus, to: strip)
            }
            if sound.hasSends && options.hasEffects {
                connect(instrument, output: 16 + part % 16, to: strip, input: 1)
                connect(instrument, output: 32 + part % 16, to: strip, input: 2)
            }
        }
    }

    private mutating func addInstrument(port: Int, parts: Range<Int>) throws(ParameterError) -> String {
        let count = patch.units.count { $0.role == .instrument }
        let name = sound.name + (count == 0 ? "" : "-\(count + 1)")
        var unit = sound.unit(port: port, name: name)
        unit.parts = PartList(parts)
        try set(&unit, sound.specs)
        patch.units.append(unit)
        return name
    }

    /// An effect that is sent to; how loud it comes back, unless `--set` says otherwise.
    mutating func addReturn<U: AudioUnit & ~Copyable>(
        _: U.Type, _ level: U.Parameter, _ value: Float
    ) throws(ParameterError) {
        var unit = try unit(U.self, name: U.descriptor.name, role: .send)
        if unit.values[level.spec.name] == nil { unit.values[level.spec.name] = [value] }
        patch.units.append(unit)
    }

    mutating func add<U: AudioUnit & ~Copyable>(
        _: U.Type, name: String? = nil, role: UnitRole
    ) throws(ParameterError) {
        patch.units.append(try unit(U.self, name: name ?? U.descriptor.name, role: role))
    }

    /// A unit with what `--set` says of it.
    func unit<U: AudioUnit & ~Copyable>(
        _: U.Type, name: String, role: UnitRole, inputs: Int = 0
    ) throws(ParameterError) -> PatchUnit {
        var unit = PatchUnit(name, U.descriptor.name, role: role)
        unit.inputCount = inputs
        try set(&unit, U.Parameter.allCases.map(\.spec), bands: U.descriptor.bands)
        return unit
    }

    private func set(
        _ unit: inout PatchUnit, _ specs: [ParameterSpec], bands: Int = 0
    ) throws(ParameterError) {
        let values = try settings.values(
            name: unit.name, type: unit.component, specs: specs, inputs: unit.inputCount, bands: bands)
        unit.values.merge(values) { $1 }
        hold(&unit, specs, set: Set(values.keys))
    }

    /// Holds what `--set` says of an effect, so that no message of a song moves it.
    private func hold(_ unit: inout PatchUnit, _ specs: [ParameterSpec], set: Set<String>) {
        var held = specs.filter { $0.effect != nil && set.contains($0.name) }.map(\.name)
        if held.isEmpty { return }
        // Parameters that the patch itself holds stay held.
        held = EffectLink.held(in: unit.properties).filter { !held.contains($0) } + held
        unit.properties[EffectLink.heldProperty] = .text(held.joined(separator: " "))
    }

    mutating func connect(_ source: String, output: Int = 0, to destination: String, input: Int = 0) {
        patch.connections.append(PatchConnection(PatchPort(source, output), to: PatchPort(destination, input)))
    }
}

extension SongPatch {
    /// Makes `wanted`, this patch with other values, the patch of an engine, on the frame `time`; SoundFonts are read here.
    package func apply(
        _ wanted: Patch, to engine: Engine, as takeover: PatchTakeover = PatchTakeover(), at time: SampleTime? = nil
    ) throws(Fault) {
        do { try engine.apply(wanted, as: takeover, at: time) } catch {
            switch error.origin as? UnitError {
            case .invalidProperty? where isGiven: throw .patch(error)
            case let unit?: throw .unit(unit)
            case nil: throw isGiven ? .patch(error) : error
            }
        }
    }
}

extension Patch {
    /// The strips, those of the patches inside last, and the part that each carries: the number in the name that the file gives
    /// it (`strip-3`), else the first part that it hears, else its place among the strips.
    var strips: [(name: String, part: Int)] {
        func strips(in patch: Patch, _ group: String) -> [(String, PartList)] {
            patch.units.filter { $0.role == .strip }.map { (group + $0.name, $0.parts) }
                + patch.patches.flatMap { strips(in: $0.patch, group + $0.name + ".") }
        }
        return strips(in: self, "").enumerated().map { place, strip in
            let number = strip.0.split(separator: "-").last.flatMap { Int($0) }
            return (strip.0, number.map { $0 - 1 } ?? strip.1.sorted.first ?? place)
        }
    }

    /// The place of the unit whose volume is the patch's: its mixer of role master, or the one called mixer.
    var mixer: Int? {
        let mixers = units.indices.filter { units[$0].component == MultichannelMixer.descriptor.name }
        return mixers.first { units[$0].role == .master } ?? mixers.first { units[$0].name == "mixer" }
    }
}
