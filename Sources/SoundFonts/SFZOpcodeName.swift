/// The name of an SFZ opcode, taken apart.
///
/// Several spellings are one opcode: `loopmode` is `loop_mode`, `cutoff_cc1` is `cutoff_oncc1`. Source: sfzformat.com, the
/// aliases of each opcode.
enum SFZOpcodeName {
    private static let aliases = [
        "loopmode": "loop_mode", "loopstart": "loop_start", "loopend": "loop_end", "looptype": "loop_type", "offby": "off_by",
        "offmode": "off_mode", "bendup": "bend_up", "benddown": "bend_down", "bendstep": "bend_step", "filtype": "fil_type",
        "rtdecay": "rt_decay", "gain": "volume", "pitch": "tune", "polyphony_group": "group", "gain_random": "amp_random",
        "cutoff_random": "fil_random", "fil1_type": "fil_type", "fil2type": "fil2_type", "cutoff1": "cutoff",
        "resonance1": "resonance", "fil1_gain": "fil_gain", "fil1_keytrack": "fil_keytrack", "fil1_veltrack": "fil_veltrack",
        "fil1_keycenter": "fil_keycenter", "cutoff2_random": "fil2_random",
    ]
    /// Envelopes' names without eg, and what they have.
    private static let envelopes = ["amp_": "ampeg_", "fil_": "fileg_", "pitch_": "pitcheg_"]
    private static let ofEnvelopes: Set<String> = ["delay", "attack", "hold", "decay", "sustain", "release", "depth"]
    /// Names that end in cc and a number and are no modulation.
    private static let plain = [
        "locc", "hicc", "on_locc", "on_hicc", "start_locc", "start_hicc", "stop_locc", "stop_hicc", "xfin_locc", "xfin_hicc",
        "xfout_locc", "xfout_hicc", "lohdcc", "hihdcc", "on_lohdcc", "on_hihdcc", "start_lohdcc", "start_hihdcc", "xfin_lohdcc",
        "xfin_hihdcc", "xfout_lohdcc", "xfout_hihdcc", "set_cc", "set_hdcc", "label_cc",
    ]

    /// The one spelling of an opcode's name.
    static func canonical(_ written: String) -> String {
        let name = withoutZeros(written.replacing("realcc", with: "hdcc"))
        if let alias = alias(name) { return alias }
        if name.hasPrefix("on_lo") || name.hasPrefix("on_hi") { return "start" + name.dropFirst(2) }
        let (base, number) = split(name)
        guard let number, base.hasSuffix("cc"), !plain.contains(base) else { return numbered(name) }
        var stem = base.dropLast(2), kind = "on"
        for suffix in ["_on", "_curve", "_smooth", "_step"] where stem.hasSuffix(suffix) {
            (stem, kind) = (stem.dropLast(suffix.count), String(suffix.dropFirst()))
            break
        }
        if stem.hasSuffix("_") { stem = stem.dropLast() }
        let known = alias(String(stem)) ?? numbered(String(stem))
        return "\(known)_\(kind)cc\(number)"
    }

    private static func alias(_ name: String) -> String? {
        if let alias = aliases[name] { return alias }
        guard let end = name.firstIndex(of: "_"), let envelope = envelopes[String(name[...end])] else { return nil }
        let rest = String(name[name.index(after: end)...])
        return ofEnvelopes.contains(rest.hasPrefix("vel2") ? String(rest.dropFirst(4)) : rest) ? envelope + rest : nil
    }

    /// Numbers without zeros before them: `lfo01_freq` is `lfo1_freq`.
    private static func withoutZeros(_ name: String) -> String {
        guard name.contains("0") else { return name }
        var result: [UInt8] = [], bytes = Array(name.utf8)[...]
        while let byte = bytes.popFirst() {
            let isAfterNumber = result.last.map { (0x30...0x39).contains($0) } ?? false
            let isBeforeNumber = bytes.first.map { (0x30...0x39).contains($0) } ?? false
            if byte != 0x30 || isAfterNumber || !isBeforeNumber { result.append(byte) }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Oscillators and envelopes name a filter or a wave without a number for the first.
    private static func numbered(_ name: String) -> String {
        guard name.hasPrefix("lfo") || name.hasPrefix("eg"), name.dropFirst(2).contains(where: \.isNumber) else { return name }
        for tail in ["_cutoff", "_resonance", "_wave", "_offset", "_ratio", "_scale"] where name.hasSuffix(tail) {
            return name + "1"
        }
        return name
    }

    /// A name's end that is a number; nil if it has none, or one beyond 65 535.
    static func split(_ name: String) -> (base: String, number: Int?) {
        let digits = name.utf8.reversed().prefix { (0x30...0x39).contains($0) }.count
        guard digits > 0, digits < name.utf8.count else { return (name, nil) }
        let base = String(name.dropLast(digits)), number = Int(name.suffix(digits))
        return number.map { $0 <= 65_535 } == true ? (base, number) : (name, nil)
    }

    /// The numbers that there are after each of these, the first that fits; after others any. MIDI's controllers alone start
    /// regions.
    private static let ranges: [(name: String, numbers: ClosedRange<Int>)] = [
        ("start_locc", 0...127), ("start_hicc", 0...127), ("start_lohdcc", 0...127), ("start_hihdcc", 0...127),
        ("cc", 0...RegionInstrument.controllers - 1), ("lfo", 1...99), ("eg", 1...99), ("eq", 1...3), ("fil", 1...2),
        ("cutoff", 1...2), ("resonance", 1...2), ("wave", 1...4), ("offset", 1...4), ("ratio", 1...4), ("scale", 1...4),
        ("step", 1...128), ("time", 0...63), ("level", 0...63), ("shape", 0...63), ("velcurve_", 0...127), ("v", 0...127),
    ]

    /// True if all numbers of a name are among those that there are.
    static func hasNumbersInRange(_ name: String) -> Bool {
        let parts = parts(of: name)
        return parts.indices.dropFirst().allSatisfy { index in
            guard parts[index].isNumber, let range = ranges.first(where: { parts[index - 1].text.hasSuffix($0.name) }) else {
                return true
            }
            return Int(parts[index].text).map(range.numbers.contains) ?? false
        }
    }

    /// The name with N for none, some and all of its numbers, nearest first: one of them is the row of the table.
    static func patterns(_ name: String) -> [String] {
        let parts = parts(of: name)
        let numbers = parts.indices.filter { parts[$0].isNumber }.prefix(4)
        return (0..<1 << numbers.count).map { choice in
            parts.indices.map { index in
                guard let bit = numbers.firstIndex(of: index), choice >> bit & 1 == 1 else { return parts[index].text }
                return "N"
            }.joined()
        }
    }

    /// A name as letters and numbers in turn.
    private static func parts(of name: String) -> [(text: String, isNumber: Bool)] {
        var parts: [(text: String, isNumber: Bool)] = []
        for letter in name {
            let isNumber = letter.isASCII && letter.isNumber
            if parts.last?.isNumber == isNumber {
                parts[parts.count - 1].text.append(letter)
            } else {
                parts.append(("\(letter)", isNumber))
            }
        }
        return parts
    }
}
