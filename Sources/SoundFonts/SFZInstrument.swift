/// An SFZ file read and checked: its regions, and the audio files that they play, each opened once to see what it holds.
///
/// Control side.
struct SFZInstrument: Sendable {
    struct Voice: Sendable {
        var keys: ClosedRange<Int>, velocities: ClosedRange<Int>, programs: ClosedRange<Int>
        var values: [Float]
        var modulators: [Modulator]
        var sample: Int
        /// The plan, in `regions`.
        var plan: Int
    }

    private(set) var voices: [Voice] = []
    private(set) var regions = RegionList()
    /// The programs that play something of their own: 0, if no region names one.
    private(set) var programs: [Int] = [0]
    private var store: SFZSamples
    private(set) var faults: [SoundFontFile.Fault] = []

    var samples: [StoredSample] { store.samples }
    var frames: Int { store.frames }

    /// Reads the text, and the headers of its samples. Throws if the text cannot be read, or nothing of it can be played.
    init(path: String) throws(SoundFontError) {
        let text = try SFZText(path: path)
        store = SFZSamples(path)
        var unread = SFZCount(), surplus = 0, named: Set<Int> = [], isCommon = false
        for (header, count) in text.unknownHeaders { unread["<\(header)>"] = count }
        let unfollowed = SFZOpcode.unfollowed(among: text.names)
        func count(_ opcodes: SFZText.Opcodes) {
            for (name, value) in opcodes where unfollowed.contains(name) { unread[value.name] += 1 }
        }
        for opcodes in [text.control] + text.curves { count(opcodes) }
        let curves = SFZCurves(text.curves)
        let effectHeaders = text.effects.map(SFZHeader.init)
        var shared = Self.instrument(text, &regions), effects = SFZEffects(effectHeaders, unfollowed)
        let used = Self.usedControllers(effectHeaders + text.regions.flatMap(\.headers))
        for region in text.regions {
            let opcodes = SFZOpcodes(region.headers)
            if opcodes["sample"] == nil { continue }
            for header in region.headers { count(header.values) }
            let way = effects?.way(of: opcodes)
            var builder = SFZPlanBuilder(
                SFZOpcodes((way?.header).map { [$0] + region.headers } ?? region.headers), way, shift: region.shift,
                curves: curves, used, to: &regions)
            let audio = SFZAudio(&builder, way, shift: region.shift)
            for name in builder.opcodes.unread { unread[name] += 1 }
            surplus += builder.surplus
            let programs = builder.rule.programs
            if programs == 0...127 { isCommon = true } else { named.formUnion(programs) }
            add(audio, builder)
            shared.staysTogether = shared.staysTogether || Self.looksAround(builder.plan.rule)
        }
        for (name, number) in effects?.unread.sorted ?? [] { unread[name] += number }
        regions.instruments[0] = shared
        if !named.isEmpty { programs = (isCommon ? named.union([0]) : named).sorted() }
        faults = text.otherCase.map { .sampleInOtherCase(name: $0.name, line: $0.line, found: $0.found) } + store.faults
        faults += unread.sorted.map { .unknownOpcode(name: $0.name, count: $0.count) }
        if surplus > 0 {
            faults.append(.unknownOpcode(name: "a modulation beyond the most of a region", count: surplus))
        }
        guard regions.regionCount > 0 else {
            let problem = "begins a file without a region that names a sample; write <region> sample=..."
            throw .text(path: path, line: 1, problem: problem)
        }
    }

    /// Controllers and the switch as they are at first.
    private static func instrument(_ text: SFZText, _ list: inout RegionList) -> RegionInstrument {
        var values = [Float](repeating: 0, count: RegionInstrument.controllers)
        (values[7], values[10], values[11]) = (100.0 / 127, 0.5, 1)
        for (name, value) in text.control.sorted(by: { $0.key < $1.key }) {
            let (base, number) = SFZOpcodeName.split(name)
            guard let number, number < values.count, base == "set_cc" || base == "set_hdcc",
                let level = SFZOpcodes.number(value.text)
            else { continue }
            values[number] = Float(min(max(base == "set_cc" ? level / 127 : level, 0), 1))
        }
        list.values = values
        var instrument = RegionInstrument()
        for region in text.regions.reversed() {
            var opcodes = SFZOpcodes(region.headers)
            guard let key = opcodes.key("sw_default") else { continue }
            if key >= 0 { instrument.defaultSwitch = Int16(min(max(key + region.shift, 0), 127)) }
            break
        }
        list.instruments = [instrument]
        return instrument
    }

    /// Controllers of the file's own: whatever it does with one, it is no more what it is by default.
    private static func usedControllers(_ headers: [SFZHeader]) -> SFZDefaults {
        var used = SFZDefaults(), seen: Set<ObjectIdentifier> = []
        for header in headers where seen.insert(ObjectIdentifier(header)).inserted {
            for (base, numbers) in header.numbers where base.hasSuffix("cc") { used.controllers.formUnion(numbers) }
        }
        return used
    }

    /// True for a region whose voices count those of others.
    private static func looksAround(_ rule: RegionRule) -> Bool {
        rule.polyphony > 0 || rule.notePolyphony > 0 || (rule.trigger == .release && !rule.soundsAlone)
    }

    /// One voice for each channel; of a generator, one for each of its waves.
    private mutating func add(_ audio: SFZAudio, _ builder: SFZPlanBuilder) {
        var plans: [RegionPlan] = []
        for piece in audio.pieces(of: &store) {
            var plan = builder.plan
            plan.side = piece.side
            plan.pitch.keyCenter = audio.keyCenter
            voices.append(
                Voice(
                    keys: piece.keys, velocities: builder.rule.velocities, programs: builder.rule.programs, values: piece.values,
                    modulators: audio.modulators, sample: piece.sample, plan: regions.plans.count + plans.count))
            plans.append(plan)
        }
        regions.addRegion(plans)
    }
}

/// How often names occur.
struct SFZCount {
    private var counts: [String: Int] = [:]

    subscript(name: String) -> Int {
        get { counts[name] ?? 0 }
        set { counts[name] = newValue }
    }

    var sorted: [(name: String, count: Int)] { counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }
}
