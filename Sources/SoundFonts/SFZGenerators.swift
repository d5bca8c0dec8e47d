/// Builds the oscillators and envelopes of a region, and what they move.
struct SFZGenerators {
    private var oscillators: [RegionOscillator] = []
    private var contours: [RegionContour] = []
    private var levelEnvelope: Int?
    /// Registers of the frequencies of `lfoN`, which envelopes and other oscillators may move.
    private var rates: [Int: UInt8] = [:]

    /// What an oscillator or a flex envelope can move: the name, the target, and its scale.
    private static let targets: [(name: String, target: UInt8, scale: Double)] = [
        ("volume", RegionTarget.volume, 1), ("amplitude", RegionTarget.amplitude, 0.01), ("pan", RegionTarget.pan, 0.01),
        ("width", RegionTarget.width, 0.01), ("position", RegionTarget.position, 0.01), ("pitch", RegionTarget.pitch, 1),
        ("cutoff1", RegionTarget.cutoff, 1), ("resonance1", RegionTarget.resonance, 1), ("fil1gain", RegionTarget.gain, 1),
        ("cutoff2", RegionTarget.cutoff + 3, 1), ("resonance2", RegionTarget.resonance + 3, 1),
        ("fil2gain", RegionTarget.gain + 3, 1),
        ("eq1freq", RegionTarget.bandFrequency, 1), ("eq1bw", RegionTarget.bandWidth, 1), ("eq1gain", RegionTarget.bandGain, 1),
        ("eq2freq", RegionTarget.bandFrequency + 3, 1), ("eq2bw", RegionTarget.bandWidth + 3, 1),
        ("eq2gain", RegionTarget.bandGain + 3, 1),
        ("eq3freq", RegionTarget.bandFrequency + 6, 1), ("eq3bw", RegionTarget.bandWidth + 6, 1),
        ("eq3gain", RegionTarget.bandGain + 6, 1),
    ]

    /// Adds them to the plan and the list. Returns the number of those that are too many.
    static func build(_ plan: inout SFZPlanBuilder, _ list: inout RegionList) -> Int {
        var generators = SFZGenerators()
        return generators.build(&plan, &list)
    }

    private mutating func build(_ plan: inout SFZPlanBuilder, _ list: inout RegionList) -> Int {
        let firstOscillator = list.oscillators.count, firstContour = list.contours.count
        addSimpleEnvelope("pitcheg_", RegionTarget.pitch, &plan, &list)
        addSimpleEnvelope("fileg_", RegionTarget.cutoff, &plan, &list)
        addSimpleOscillator("amplfo_", RegionTarget.volume, &plan, &list)
        addSimpleOscillator("pitchlfo_", RegionTarget.pitch, &plan, &list)
        addSimpleOscillator("fillfo_", RegionTarget.cutoff, &plan, &list)
        let oscillatorNumbers = Self.inOrder(plan.opcodes)
        for number in oscillatorNumbers { rates[number] = Self.needsRate(number, plan.opcodes) ? plan.register() : 0 }
        for number in plan.opcodes.numbers(of: "eg") { addFlexEnvelope(number, &plan, &list) }
        for number in oscillatorNumbers { addOscillator(number, &plan, &list) }
        list.oscillators += oscillators.prefix(RegionOscillator.most)
        list.contours += contours.prefix(RegionContour.most)
        plan.setGenerators(
            oscillators: firstOscillator..<list.oscillators.count, contours: firstContour..<list.contours.count,
            levelEnvelope: levelEnvelope.flatMap { $0 < RegionContour.most ? $0 : nil })
        return max(oscillators.count - RegionOscillator.most, 0) + max(contours.count - RegionContour.most, 0)
    }

    /// The oscillators, each after those that move its rate, as far as they do not move each other.
    private static func inOrder(_ opcodes: SFZOpcodes) -> [Int] {
        var left = opcodes.numbers(of: "lfo"), ordered: [Int] = []
        let moved = left.map { (number: $0, others: opcodes.numbers(after: "lfo\($0)_freq_lfo")) }
        while !left.isEmpty {
            let next = left.first { number in !moved.contains { left.contains($0.number) && $0.others.contains(number) } }
            ordered.append(next ?? left[0])
            left.removeAll { $0 == ordered.last }
        }
        return ordered
    }

    private static func needsRate(_ number: Int, _ opcodes: SFZOpcodes) -> Bool {
        if !opcodes.controllers(of: "lfo\(number)_freq").isEmpty { return true }
        return ["lfo", "eg"].contains { kind in
            opcodes.numbers(of: kind).contains { opcodes.numbers(after: "\(kind)\($0)_freq_lfo").contains(number) }
        }
    }

    /// A connection of a generator; nil if it moves nothing.
    private mutating func line(
        _ name: String, _ target: UInt8, scale: Double = 1, _ plan: inout SFZPlanBuilder, _ list: inout RegionList
    ) -> RegionConnection? {
        let depth = plan.opcodes.float(name, scale: scale)
        let register = plan.register(name, scale: scale, &list)
        guard depth != nil || register != 0 else { return nil }
        var line = RegionConnection()
        (line.target, line.depth, line.depthRegister) = (target, depth ?? 0, register)
        return line
    }

    private mutating func addSimpleEnvelope(
        _ prefix: String, _ target: UInt8, _ plan: inout SFZPlanBuilder, _ list: inout RegionList
    ) {
        var lineOrNone = line(prefix + "depth", target, &plan, &list)
        let byVelocity = plan.opcodes.float(prefix + "vel2depth", -12_000...12_000)
        if lineOrNone == nil, byVelocity != nil {
            lineOrNone = RegionConnection()
            lineOrNone?.target = target
        }
        guard var line = lineOrNone else { return }
        line.byVelocity = byVelocity ?? 0
        var contour = RegionContour()
        contour.envelope = plan.envelope(prefix, 0, &list)
        (contour.firstConnection, contour.connectionCount) = (Int32(list.connections.count), 1)
        list.connections.append(line)
        contours.append(contour)
    }

    private mutating func addSimpleOscillator(
        _ prefix: String, _ target: UInt8, _ plan: inout SFZPlanBuilder, _ list: inout RegionList
    ) {
        guard ["depth", "depthchanaft", "depthpolyaft"].contains(where: { plan.opcodes.sets(prefix + $0) }) else { return }
        var oscillator = RegionOscillator()
        oscillator.parts[0].wave = .sine
        oscillator.frequency = plan.opcodes.float(prefix + "freq", 0...1_000) ?? 0
        oscillator.delay = plan.opcodes.float(prefix + "delay", 0...1_000) ?? 0
        oscillator.fade = plan.opcodes.float(prefix + "fade", 0...1_000) ?? 0
        let depth = plan.opcodes.float(prefix + "depth", -12_000...12_000) ?? 0
        let byPressure = { [opcodes = plan.opcodes] (name: String) in opcodes[prefix + name] != nil }
        let depthPressure = byPressure("depthchanaft") || byPressure("depthpolyaft")
        let ratePressure = byPressure("freqchanaft") || byPressure("freqpolyaft")
        var line = RegionConnection()
        (line.target, line.depth) = (target, depth)
        line.depthRegister = plan.register(prefix + "depth", isNeeded: depthPressure, &list)
        oscillator.frequencyRegister = plan.register(prefix + "freq", isNeeded: ratePressure, &list)
        plan.connect(prefix + "depthchanaft", pressure: 129, line.depthRegister)
        plan.connect(prefix + "depthpolyaft", pressure: 130, line.depthRegister)
        plan.connect(prefix + "freqchanaft", pressure: 129, oscillator.frequencyRegister)
        plan.connect(prefix + "freqpolyaft", pressure: 130, oscillator.frequencyRegister)
        (oscillator.firstConnection, oscillator.connectionCount) = (Int32(list.connections.count), 1)
        list.connections.append(line)
        oscillators.append(oscillator)
    }

    /// All connections of `lfoN` or `egN`.
    private mutating func addLines(
        _ prefix: String, _ plan: inout SFZPlanBuilder, _ list: inout RegionList
    ) -> [RegionConnection] {
        var lines: [RegionConnection] = []
        for (name, target, scale) in Self.targets {
            if let line = line(prefix + name, target, scale: scale, &plan, &list) { lines.append(line) }
        }
        for (number, register) in rates.sorted(by: { $0.key < $1.key }) where register != 0 {
            if let line = line("\(prefix)freq_lfo\(number)", register, &plan, &list) { lines.append(line) }
        }
        return lines
    }

    private static let waves: [RegionOscillator.Wave] = [.triangle, .sine, .pulse75, .square, .pulse25, .pulse12, .ramp, .saw]

    private mutating func addOscillator(_ number: Int, _ plan: inout SFZPlanBuilder, _ list: inout RegionList) {
        let prefix = "lfo\(number)_"
        var oscillator = RegionOscillator()
        oscillator.frequency = plan.opcodes.float(prefix + "freq", 0...1_000) ?? 0
        oscillator.beats = plan.opcodes.float(prefix + "beats", 0...1_000) ?? 0
        oscillator.phase = plan.opcodes.float(prefix + "phase", 0...1) ?? 0
        oscillator.delay = plan.opcodes.float(prefix + "delay", 0...1_000) ?? 0
        oscillator.fade = plan.opcodes.float(prefix + "fade", 0...1_000) ?? 0
        oscillator.count = UInt32(plan.opcodes.whole(prefix + "count", 0...1_000) ?? 0)
        for part in 0..<4 {
            let wave = plan.opcodes.whole("\(prefix)wave\(part + 1)", 0...255)
            let offset = plan.opcodes.float("\(prefix)offset\(part + 1)", -100...100)
            let ratio = plan.opcodes.float("\(prefix)ratio\(part + 1)", 0...100)
            let scale = plan.opcodes.float("\(prefix)scale\(part + 1)", -100...100)
            if part > 0 && wave == nil && offset == nil && ratio == nil && scale == nil { continue }
            var shape = RegionOscillator.Part()
            if let wave { shape.wave = wave == 12 ? .random : wave < Self.waves.count ? Self.waves[wave] : .sine }
            shape.offset = offset ?? 0
            shape.ratio = ratio ?? 1
            shape.scale = scale ?? 1
            oscillator.parts[part] = shape
            oscillator.partCount = UInt8(part + 1)
        }
        let steps = plan.opcodes.whole(prefix + "steps", 0...128) ?? 0
        oscillator.firstStep = Int32(list.steps.count)
        oscillator.stepCount = Int32(steps)
        for step in 0..<steps { list.steps.append(plan.opcodes.float("\(prefix)step\(step + 1)", -100...100, scale: 0.01) ?? 0) }
        let rate = rates[number] ?? 0
        if rate != 0 { plan.connect(prefix + "freq", rate, &list) }
        oscillator.frequencyRegister = rate
        oscillator.phaseRegister = plan.register(prefix + "phase", &list)
        oscillator.delayRegister = plan.register(prefix + "delay", &list)
        oscillator.fadeRegister = plan.register(prefix + "fade", &list)
        let lines = addLines(prefix, &plan, &list)
        (oscillator.firstConnection, oscillator.connectionCount) = (Int32(list.connections.count), Int32(lines.count))
        list.connections += lines
        oscillators.append(oscillator)
    }

    private mutating func addFlexEnvelope(_ number: Int, _ plan: inout SFZPlanBuilder, _ list: inout RegionList) {
        let prefix = "eg\(number)_"
        var last = -1
        for point in 0..<64
        where plan.opcodes["\(prefix)time\(point)"] != nil || plan.opcodes["\(prefix)level\(point)"] != nil {
            last = point
        }
        guard last >= 0 else { return }
        var contour = RegionContour()
        contour.firstPoint = Int32(list.points.count)
        contour.sustain = Int32(plan.opcodes.whole(prefix + "sustain", 0...100) ?? 0)
        let isLevel = plan.opcodes.flag(prefix + "ampeg") ?? false
        var points: [RegionPoint] = []
        for point in 0...last {
            var made = RegionPoint()
            made.time = plan.opcodes.float("\(prefix)time\(point)", 0...1_000) ?? 0
            made.level = plan.opcodes.float("\(prefix)level\(point)", -1...1) ?? 0
            made.shape = plan.opcodes.float("\(prefix)shape\(point)", -100...100) ?? 0
            points.append(made)
        }
        for point in 0...last {
            points[point].timeRegister = plan.register("\(prefix)time\(point)", &list)
            points[point].levelRegister = plan.register("\(prefix)level\(point)", &list)
        }
        list.points += points
        contour.pointCount = Int32(points.count)
        let lines = addLines(prefix, &plan, &list)
        (contour.firstConnection, contour.connectionCount) = (Int32(list.connections.count), Int32(lines.count))
        list.connections += lines
        if isLevel { levelEnvelope = contours.count }
        contours.append(contour)
    }
}
