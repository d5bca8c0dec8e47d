/// Reads when a region plays.
struct SFZRule {
    private(set) var rule = RegionRule()
    private(set) var keys = 0...127, velocities = 0...127
    /// True if no key starts it.
    private(set) var isKeyless = false
    private(set) var ranges: [RegionRange] = []
    private(set) var programs = 0...127

    init(_ opcodes: inout SFZOpcodes, shift: Int) {
        readKeys(&opcodes, shift)
        readSwitches(&opcodes, shift)
        readState(&opcodes)
        readRanges(&opcodes)
        readGroup(&opcodes)
        readPedals(&opcodes)
    }

    private static func bounded(_ low: Int, _ high: Int) -> ClosedRange<Int> { min(low, high)...max(low, high) }

    private mutating func readKeys(_ opcodes: inout SFZOpcodes, _ shift: Int) {
        let single = opcodes.key("key")
        let low = opcodes.key("lokey") ?? single ?? 0, high = opcodes.key("hikey") ?? single ?? 127
        isKeyless = high < 0 || low > high
        let clamped = { (key: Int) in min(max(key + shift, 0), 127) }
        keys = Self.bounded(clamped(low), clamped(high))
        (rule.lowestKey, rule.highestKey) = (UInt8(keys.lowerBound), UInt8(keys.upperBound))
        velocities = Self.bounded(opcodes.whole("lovel", 0...127) ?? 0, opcodes.whole("hivel", 0...127) ?? 127)
        (rule.lowestVelocity, rule.highestVelocity) = (UInt8(velocities.lowerBound), UInt8(velocities.upperBound))
        if isKeyless { (rule.lowestKey, rule.highestKey) = (1, 0) }
        programs = Self.bounded(opcodes.whole("loprog", 0...127) ?? 0, opcodes.whole("hiprog", 0...127) ?? 127)
    }

    private mutating func readSwitches(_ opcodes: inout SFZOpcodes, _ shift: Int) {
        func key(_ name: String, _ opcodes: inout SFZOpcodes) -> Int16? {
            opcodes.key(name).map { $0 < 0 ? -1 : Int16(min(max($0 + shift, 0), 127)) }
        }
        let lowest = key("sw_lokey", &opcodes), highest = key("sw_hikey", &opcodes)
        if lowest != nil || highest != nil { (rule.lowestSwitchKey, rule.highestSwitchKey) = (lowest ?? 0, highest ?? 127) }
        if let last = key("sw_last", &opcodes) { (rule.lowestSwitch, rule.highestSwitch) = (last, last) }
        if let low = key("sw_lolast", &opcodes) { (rule.lowestSwitch, rule.highestSwitch) = (low, max(low, rule.highestSwitch)) }
        if let high = key("sw_hilast", &opcodes) {
            (rule.lowestSwitch, rule.highestSwitch) = (rule.lowestSwitch < 0 ? high : rule.lowestSwitch, high)
        }
        rule.downKey = key("sw_down", &opcodes) ?? -1
        rule.upKey = key("sw_up", &opcodes) ?? -1
        rule.previousKey = key("sw_previous", &opcodes) ?? -1
        rule.takesFormerVelocity = opcodes.choice("sw_vel", ["current": false, "previous": true]) ?? false
        let triggers: [String: RegionRule.Trigger] = [
            "attack": .attack, "first": .first, "legato": .legato, "release": .release, "release_key": .releaseKey,
        ]
        rule.trigger = opcodes.choice("trigger", triggers) ?? .attack
        rule.turns = UInt16(opcodes.whole("seq_length", 1...100) ?? 1)
        rule.position = UInt16(opcodes.whole("seq_position", 1...100) ?? 1)
        rule.lowestChance = opcodes.float("lorand", 0...1) ?? 0
        rule.highestChance = opcodes.float("hirand", 0...1) ?? 1
        if let decay = opcodes.float("rt_decay", 0...200) { rule.releaseDecay = decay }
        rule.soundsAlone = opcodes.flag("rt_dead") ?? false
    }

    private mutating func readState(_ opcodes: inout SFZOpcodes) {
        rule.lowestChannel = UInt8((opcodes.whole("lochan", 1...16) ?? 1) - 1)
        rule.highestChannel = UInt8((opcodes.whole("hichan", 1...16) ?? 16) - 1)
        rule.lowestPressure = UInt8(opcodes.whole("lochanaft", 0...127) ?? 0)
        rule.highestPressure = UInt8(opcodes.whole("hichanaft", 0...127) ?? 127)
        rule.lowestKeyPressure = UInt8(opcodes.whole("lopolyaft", 0...127) ?? 0)
        rule.highestKeyPressure = UInt8(opcodes.whole("hipolyaft", 0...127) ?? 127)
        rule.lowestBend = Int16(opcodes.whole("lobend", -8_192...8_191) ?? -8_192)
        rule.highestBend = Int16(opcodes.whole("hibend", -8_192...8_191) ?? 8_191)
        rule.lowestTempo = opcodes.float("lobpm", 0...500) ?? 0
        rule.highestTempo = opcodes.float("hibpm", 0...500) ?? .infinity
    }

    private mutating func readRanges(_ opcodes: inout SFZOpcodes) {
        func ranges(_ prefix: String, _ opcodes: inout SFZOpcodes) -> [RegionRange] {
            var found: [Int: (low: Float, high: Float)] = [:]
            for kind in ["locc", "hicc", "lohdcc", "hihdcc"] {
                for number in opcodes.numbers(after: prefix + kind) where number < RegionInstrument.controllers {
                    guard let value = opcodes.number("\(prefix)\(kind)\(number)") else { continue }
                    let isFine = kind.hasSuffix("hdcc"), isLow = kind.hasPrefix("lo")
                    // The distance from the key before is in keys. A highest value of MIDI's holds up to the next one.
                    let unit: Float = isFine || number == 140 || number == 141 ? 1 : 127
                    let bound = (Float(value) + (unit == 127 && !isLow && value < 127 ? 0.99 : 0)) / unit
                    var range = found[number] ?? (0, unit == 1 && !isFine ? 127 : 1)
                    if isLow { range.low = bound } else { range.high = bound }
                    found[number] = range
                }
            }
            return found.sorted { $0.key < $1.key }.map { RegionRange(UInt16($0.key), $0.value.low, $0.value.high) }
        }
        let conditions = ranges("", &opcodes), triggers = ranges("start_", &opcodes)
        self.ranges = conditions + triggers
        (rule.rangeCount, rule.triggerCount) = (Int32(conditions.count), Int32(triggers.count))
        if !triggers.isEmpty && isKeyless { rule.trigger = .controller }
    }

    private mutating func readGroup(_ opcodes: inout SFZOpcodes) {
        let bounds = -2_147_483_648...4_294_967_295
        rule.group = Int64(opcodes.whole("group", bounds) ?? 0)
        if let silencer = opcodes.whole("off_by", bounds) { rule.silencer = Int64(silencer) }
        if let time = opcodes.float("off_time", 0...100) { (rule.ending, rule.endingTime) = (.time, time) }
        rule.ending = opcodes.choice("off_mode", ["fast": .fast, "normal": .normal, "time": .time]) ?? rule.ending
        if let most = opcodes.whole("polyphony", 1...65_535) {
            rule.polyphony = UInt16(most)
            rule.limit = Int32(truncatingIfNeeded: opcodes["polyphony"]?.place ?? 0)
        }
        rule.notePolyphony = UInt16(opcodes.whole("note_polyphony", 1...65_535) ?? 0)
        rule.masksSofter = opcodes.flag("note_selfmask") ?? true
    }

    private mutating func readPedals(_ opcodes: inout SFZOpcodes) {
        rule.sustainController = Int16(opcodes.whole("sustain_cc", 0...127) ?? 64)
        // Half a pedal is up here, as it is for other instruments.
        if let low = opcodes.float("sustain_lo", 0...127, scale: 1 / 127.0) { rule.sustainThreshold = low }
        if opcodes.flag("sustain_sw") == false { rule.sustainController = -1 }
        rule.followsSostenuto = opcodes.flag("sostenuto_sw") ?? true
    }
}
