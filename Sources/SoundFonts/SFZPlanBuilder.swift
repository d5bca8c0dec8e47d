import DSP

/// Turns the opcodes of one region into the plan of its voices.
struct SFZPlanBuilder {
    private(set) var plan = RegionPlan()
    /// What the recipe needs besides: the sample, the model's generators, the rule of keys.
    let rule: SFZRule
    var opcodes: SFZOpcodes
    private let curves: SFZCurves
    private var registers = Int(RegionTarget.first)
    private(set) var connections: [RegionConnection] = []
    /// Modulations beyond what a voice holds.
    private(set) var surplus = 0

    /// Adds what the region has to the list.
    init(
        _ opcodes: SFZOpcodes, _ way: SFZEffects.Way?, shift: Int, curves: SFZCurves, _ used: SFZDefaults,
        to list: inout RegionList
    ) {
        var opcodes = opcodes
        rule = SFZRule(&opcodes, shift: shift)
        (self.opcodes, self.curves) = (opcodes, curves)
        plan.rule = rule.rule
        plan.rule.firstRange = Int32(list.ranges.count)
        list.ranges += rule.ranges
        readLevel(&list, shift)
        if let way { plan.level.direct = way.direct }
        readPitch(&list)
        readFilters(&list, shift)
        readStart(&list)
        plan.envelope = envelope("ampeg_", RegionTarget.envelope, &list)
        addDefaults(used, &list)
        surplus += SFZGenerators.build(&self, &list)
        plan.firstConnection = Int32(list.connections.count)
        plan.connectionCount = Int32(connections.count)
        list.connections += connections
    }

    mutating func setGenerators(oscillators: Range<Int>, contours: Range<Int>, levelEnvelope: Int?) {
        (plan.firstOscillator, plan.oscillatorCount) = (Int32(oscillators.lowerBound), Int32(oscillators.count))
        (plan.firstEnvelope, plan.envelopeCount) = (Int32(contours.lowerBound), Int32(contours.count))
        plan.levelEnvelope = Int16(levelEnvelope ?? -1)
    }

    /// The first of some registers of its own; 0 if there are no more, which is counted.
    mutating func register(_ count: Int = 1) -> UInt8 {
        if registers + count > RegionTarget.count {
            surplus += 1
            return 0
        }
        registers += count
        return UInt8(registers - count)
    }

    /// A register that the controllers of an opcode move; 0 if none does. `others` ask for one too.
    mutating func register(_ name: String, scale: Double = 1, isNeeded: Bool = false, _ list: inout RegionList) -> UInt8 {
        if opcodes.controllers(of: name).isEmpty && !isNeeded { return 0 }
        let register = register()
        if register != 0 { connect(name, register, scale: scale, &list) }
        return register
    }

    /// The controllers of an opcode onto a target.
    mutating func connect(_ name: String, _ target: UInt8, scale: Double = 1, _ list: inout RegionList) {
        for controller in opcodes.controllers(of: name) where controller < RegionInstrument.controllers {
            // Of those beyond the most none is read.
            if connections.count >= RegionConnection.most {
                surplus += 1
                continue
            }
            guard let depth = opcodes.float("\(name)_oncc\(controller)", scale: scale) else { continue }
            var line = RegionConnection()
            line.controller = UInt16(controller)
            line.target = target
            line.depth = depth
            line.curve = curve(opcodes.whole("\(name)_curvecc\(controller)", 0...255) ?? 0, &list)
            line.smooth = opcodes.float("\(name)_smoothcc\(controller)", 0...100_000) ?? 0
            // A step is one of the target's unit.
            let step = opcodes.float("\(name)_stepcc\(controller)", 0...1e6, scale: scale) ?? 0
            line.step = depth == 0 ? 0 : abs(step / depth)
            connections.append(line)
        }
    }

    /// The pressure of the channel (129) or of the key (130) onto a target.
    mutating func connect(_ name: String, pressure controller: UInt16, _ target: UInt8, scale: Double = 1) {
        guard target != 0, let depth = opcodes.float(name, scale: scale), depth != 0 else { return }
        var line = RegionConnection()
        (line.controller, line.target, line.depth) = (controller, target, depth)
        append(line)
    }

    private mutating func append(_ line: RegionConnection) {
        if connections.count < RegionConnection.most { connections.append(line) } else { surplus += 1 }
    }

    private func curve(_ number: Int, _ list: inout RegionList) -> Int32 {
        curves[number].map { list.curve($0) } ?? -1
    }

    private mutating func addDefaults(_ uses: SFZDefaults, _ list: inout RegionList) {
        for (controller, target, number) in SFZDefaults.lines where !uses.controllers.contains(controller) {
            var line = RegionConnection()
            (line.controller, line.target, line.depth, line.smooth) = (UInt16(controller), target, 1, 10)
            line.curve = curve(number, &list)
            append(line)
        }
    }

    private mutating func fade(_ kind: String, _ prefix: String = "", controller: Int? = nil, curve: Bool) -> RegionFade? {
        let ending = controller.map { "cc\($0)" } ?? kind
        func bound(_ name: String, _ opcodes: inout SFZOpcodes) -> Float? {
            if kind == "key" { return opcodes.key(name).map(Float.init) }
            return opcodes.float(name, 0...127) ?? opcodes.float(name.replacing("cc", with: "hdcc"), 0...1, scale: 127)
        }
        let inLow = bound("xfin_lo" + ending, &opcodes), inHigh = bound("xfin_hi" + ending, &opcodes)
        let outLow = bound("xfout_lo" + ending, &opcodes), outHigh = bound("xfout_hi" + ending, &opcodes)
        guard inLow != nil || inHigh != nil || outLow != nil || outHigh != nil else { return nil }
        var fade = RegionFade()
        fade.inLow = inLow ?? 0
        fade.inHigh = inHigh ?? 0
        if outLow != nil || outHigh != nil { (fade.outLow, fade.outHigh) = (outLow ?? 127, outHigh ?? 127) }
        fade.keepsPower = curve
        fade.controller = UInt16(controller ?? 0)
        return fade
    }

    private mutating func readLevel(_ list: inout RegionList, _ shift: Int) {
        var level = RegionLevel()
        for name in ["volume", "group_volume", "master_volume", "global_volume"] {
            level.volume += opcodes.float(name, -144...48) ?? 0
        }
        for name in ["amplitude", "group_amplitude", "master_amplitude", "global_amplitude"] {
            level.amplitude *= opcodes.float(name, 0...10_000, scale: 0.01) ?? 1
        }
        level.pan = opcodes.float("pan", -100...100, scale: 0.01) ?? 0
        level.width = opcodes.float("width", -100...100, scale: 0.01) ?? 1
        level.position = opcodes.float("position", -100...100, scale: 0.01) ?? 0
        level.velocityTrack = opcodes.float("amp_veltrack", -100...100, scale: 0.01) ?? 1
        level.keyTrack = opcodes.float("amp_keytrack", -96...12) ?? 0
        level.keyCenter = opcodes.key("amp_keycenter").map { Float($0 + shift) } ?? 60
        level.random = opcodes.float("amp_random", -24...24) ?? 0
        var points: [Int: Float] = [:]
        for velocity in opcodes.numbers(after: "amp_velcurve_") where velocity <= 127 {
            points[velocity] = opcodes.float("amp_velcurve_\(velocity)", 0...1)
        }
        if !points.isEmpty {
            // Without points at the ends, from silence to full level.
            points[0] = points[0] ?? 0
            points[127] = points[127] ?? 1
            level.velocityCurve = list.curve(SFZCurves.straight(points))
        }
        let curves = ["power": true, "gain": false]
        let key = opcodes.choice("xf_keycurve", curves) ?? true, velocity = opcodes.choice("xf_velcurve", curves) ?? true
        let controllers = opcodes.choice("xf_cccurve", curves) ?? true
        level.keyFade = fade("key", curve: key) ?? RegionFade()
        level.velocityFade = fade("vel", curve: velocity) ?? RegionFade()
        level.firstFade = Int32(list.fades.count)
        let faders = [
            "xfin_locc", "xfin_hicc", "xfout_locc", "xfout_hicc", "xfin_lohdcc", "xfin_hihdcc", "xfout_lohdcc", "xfout_hihdcc",
        ]
        for controller in Set(faders.flatMap { opcodes.numbers(after: $0) }).sorted()
        where controller < RegionInstrument.controllers {
            if let fade = fade("cc", controller: controller, curve: controllers) { list.fades.append(fade) }
        }
        level.fadeCount = Int32(list.fades.count) - level.firstFade
        plan.level = level
        connect("volume", RegionTarget.volume, &list)
        connect("amplitude", RegionTarget.amplitude, scale: 0.01, &list)
        connect("pan", RegionTarget.pan, scale: 0.01, &list)
        connect("width", RegionTarget.width, scale: 0.01, &list)
        connect("position", RegionTarget.position, scale: 0.01, &list)
        connect("amp_veltrack", RegionTarget.velocityTrack, scale: 0.01, &list)
    }

    private mutating func readPitch(_ list: inout RegionList) {
        var pitch = RegionPitch()
        pitch.tune = 100 * (opcodes.float("transpose", -127...127) ?? 0)
        for name in ["tune", "group_tune", "master_tune", "global_tune"] {
            pitch.tune += opcodes.float(name, -9_600...9_600) ?? 0
        }
        pitch.velocityTrack = opcodes.float("pitch_veltrack", -12_000...12_000) ?? 0
        pitch.random = opcodes.float("pitch_random", -12_000...12_000) ?? 0
        let up = opcodes.float("bend_up", -12_000...12_000), down = opcodes.float("bend_down", -12_000...12_000)
        pitch.hasBend = up != nil || down != nil
        pitch.bendUp = up ?? 200
        pitch.bendDown = down ?? -200
        let step = opcodes.float("bend_step", 1...1_200)
        pitch.bendStepUp = opcodes.float("bend_stepup", 1...1_200) ?? step ?? 1
        pitch.bendStepDown = opcodes.float("bend_stepdown", 1...1_200) ?? step ?? 1
        pitch.bendSmooth = opcodes.float("bend_smooth", 0...100_000) ?? 0
        if pitch.bendStepUp > 1 || pitch.bendStepDown > 1 || pitch.bendSmooth > 0 { pitch.hasBend = true }
        plan.pitch = pitch
        connect("tune", RegionTarget.pitch, &list)
        connect("pitch_veltrack", RegionTarget.pitchVelocityTrack, &list)
    }

    private static let kinds: [String: RegionFilter.Kind] = [
        "lpf_1p": .low1, "hpf_1p": .high1, "bpf_1p": .band1, "brf_1p": .reject1, "apf_1p": .all1, "lpf_2p": .low2,
        "hpf_2p": .high2, "bpf_2p": .band2, "brf_2p": .reject2, "apf_2p": .all2, "lpf_4p": .low4, "hpf_4p": .high4,
        "bpf_4p": .band4, "lpf_6p": .low6, "hpf_6p": .high6, "bpf_6p": .band6, "lpf_2p_sv": .low2sv, "hpf_2p_sv": .high2sv,
        "bpf_2p_sv": .band2sv, "brf_2p_sv": .reject2sv, "lsh": .lowShelf, "hsh": .highShelf, "peq": .peak,
        "pkf_2p": .peak, "pink": .pink, "none": .none,
    ]

    /// A number of a filter or of a band: its name, with its number for #; where it goes, its bounds, and what controllers move.
    private typealias Number<Owner> = (
        name: String, property: WritableKeyPath<Owner, Float> & Sendable, bounds: ClosedRange<Double>, target: UInt8?
    )

    private static let filterNumbers: [Number<RegionFilter>] = [
        ("cutoff#", \.cutoff, 0...20_000, RegionTarget.cutoff), ("resonance#", \.resonance, -60...96, RegionTarget.resonance),
        ("fil#_gain", \.gain, -96...96, RegionTarget.gain), ("fil#_keytrack", \.keyTrack, -1_200...1_200, nil),
        ("fil#_veltrack", \.velocityTrack, -12_000...12_000, nil), ("fil#_random", \.random, -12_000...12_000, nil),
    ]
    private static let bandNumbers: [Number<RegionBand>] = [
        ("eq#_freq", \.frequency, 0...30_000, RegionTarget.bandFrequency),
        ("eq#_bw", \.bandwidth, 0.001...12, RegionTarget.bandWidth), ("eq#_gain", \.gain, -96...96, RegionTarget.bandGain),
        ("eq#_vel2freq", \.velocityToFrequency, -30_000...30_000, nil), ("eq#_vel2gain", \.velocityToGain, -96...96, nil),
    ]

    /// Reads the numbers of one filter or band, and what moves them.
    private mutating func read<Owner>(
        _ numbers: [Number<Owner>], _ number: String, shift: UInt8, into owner: inout Owner, _ list: inout RegionList
    ) {
        for (pattern, property, bounds, target) in numbers {
            let name = pattern.replacing("#", with: number)
            if let value = opcodes.float(name, bounds) { owner[keyPath: property] = value }
            if let target { connect(name, target + shift, &list) }
        }
    }

    private mutating func readFilters(_ list: inout RegionList, _ shift: Int) {
        for index in 0..<2 {
            let number = index == 0 ? "" : "2", target = UInt8(3 * index)
            let kind = opcodes.choice("fil\(number)_type", Self.kinds)
            guard opcodes.sets("cutoff\(number)") || kind == .pink else { continue }
            var filter = RegionFilter()
            // A filter that there is not leaves the sound as it is.
            filter.kind = kind ?? (opcodes["fil\(number)_type"] == nil ? .low2 : .none)
            filter.keyCenter = opcodes.key("fil\(number)_keycenter").map { Float($0 + shift) } ?? 60
            read(Self.filterNumbers, number, shift: target, into: &filter, &list)
            plan.filters[index] = filter
            connect("cutoff\(number)_chanaft", pressure: 129, RegionTarget.cutoff + target)
            connect("cutoff\(number)_polyaft", pressure: 130, RegionTarget.cutoff + target)
        }
        for (index, frequency) in [Float(50), 500, 5_000].enumerated() {
            let number = "\(index + 1)"
            guard opcodes.contains(prefix: "eq\(number)_") else { continue }
            var band = RegionBand()
            band.frequency = frequency
            band.kind = opcodes.choice("eq\(number)_type", ["peak": .peak, "lshelf": .lowShelf, "hshelf": .highShelf]) ?? .peak
            read(Self.bandNumbers, number, shift: UInt8(3 * index), into: &band, &list)
            plan.bands[index] = band
        }
    }

    private mutating func readStart(_ list: inout RegionList) {
        var start = RegionStart()
        start.delay = opcodes.float("delay", 0...100) ?? 0
        start.delayRandom = opcodes.float("delay_random", 0...100) ?? 0
        start.offset = opcodes.float("offset", 0...2_147_483_647) ?? 0
        start.offsetRandom = opcodes.float("offset_random", 0...2_147_483_647) ?? 0
        // A sample that plays so often is a loop that comes around once less.
        start.loopCount = UInt32(
            max((opcodes.whole("count", 0...1_000_000) ?? 0) - 1, opcodes.whole("loop_count", 0...1_000_000) ?? 0, 0))
        start.isOneShot = opcodes.text("loop_mode") == "one_shot" || opcodes["count"] != nil
        start.phase = opcodes.float("oscillator_phase", -1...1_000) ?? 0
        plan.start = start
        connect("delay", RegionTarget.delay, &list)
        connect("offset", RegionTarget.offset, &list)
    }

    /// Marks the voice's sample: white noise, or a wave that loops.
    mutating func markGenerator(isNoise: Bool) { (plan.start.isNoise, plan.start.isGenerator) = (isNoise, !isNoise) }

    mutating func tune(by cents: Float) { plan.pitch.tune += cents }

    static let stages = ["delay", "attack", "hold", "decay", "sustain", "release", "start"]

    /// An envelope of the first edition. `register` is the first of seven, 0: they are found if controllers need them.
    mutating func envelope(_ prefix: String, _ register: UInt8 = 0, _ list: inout RegionList) -> RegionEnvelope {
        var envelope = RegionEnvelope(), register = register
        if register == 0, Self.stages.contains(where: { !opcodes.controllers(of: prefix + $0).isEmpty }) {
            register = self.register(Self.stages.count)
        }
        envelope.register = register
        for (index, stage) in Self.stages.enumerated() {
            let isShare = stage == "sustain" || stage == "start", scale = isShare ? 0.01 : 1
            if let value = opcodes.float(prefix + stage, 0...100, scale: scale) { envelope.values[index] = value }
            if let value = opcodes.float("\(prefix)vel2\(stage)", -100...100, scale: scale) { envelope.byVelocity[index] = value }
            if register != 0 { connect(prefix + stage, register + UInt8(index), scale: scale, &list) }
        }
        envelope.isDynamic = opcodes.flag(prefix + "dynamic") ?? false
        return envelope
    }

    /// Turns the sample upside down.
    mutating func invert() { plan.level.amplitude *= -1 }
}

/// The controllers that move level and place of every region, unless a file uses them itself. Source: sfzformat.com.
struct SFZDefaults {
    /// Controllers that a file uses.
    var controllers: Set<Int> = []

    static let lines: [(controller: Int, target: UInt8, curve: Int)] = [
        (7, RegionTarget.amplitude, 4), (10, RegionTarget.pan, 1), (11, RegionTarget.amplitude, 4),
    ]
}
