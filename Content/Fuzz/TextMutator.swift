/// Damages a text as editors, hands and disks do: bytes, signs of YAML, lines, margins, values.
struct TextMutator {
    var random: RandomSource
    var tokens = TextMutator.signs

    /// One to eight steps on `bytes`; `other` lends lines.
    mutating func mutated(_ bytes: [UInt8], with other: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<1 + random.below(random.oneIn(3) ? 8 : 3) where !bytes.isEmpty { step(&bytes, other) }
        return bytes
    }

    private mutating func step(_ bytes: inout [UInt8], _ other: [UInt8]) {
        let place = random.below(bytes.count)
        switch random.below(14) {
        case 0: bytes[place] = UInt8(random.below(256))
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(random.pick(Array("[]{}:,-#&*!|>'\"%@`?<=.0123456789 \n\r\t".utf8)), at: place)
        case 3: bytes.removeLast(1 + random.below(bytes.count))
        case 4: bytes.insert(contentsOf: Array(random.pick(tokens).utf8), at: place)
        case 5: repeatSign(&bytes, at: place)
        default: changeLines(&bytes, other)
        }
    }

    private mutating func changeLines(_ bytes: inout [UInt8], _ other: [UInt8]) {
        var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
        let others = other.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
        let line = random.below(lines.count)
        switch random.below(8) {
        case 0: lines.remove(at: line)
        case 1: lines.insert(lines[line], at: random.below(lines.count))
        case 2: lines.swapAt(line, random.below(lines.count))
        case 3: lines.insert(random.pick(others), at: line)
        case 4: lines[line] = [UInt8](repeating: 0x20, count: random.below(9)) + lines[line].drop { $0 == 0x20 }
        case 5: lines[line].removeAll { $0 == UInt8(ascii: "#") }
        case 6:
            let key = Array(lines[line].prefix { $0 != UInt8(ascii: ":") })
            lines[line] = key + Array(": ".utf8) + Array(random.pick(tokens).utf8)
        default: lines[line] += random.pick(others)
        }
        bytes = Array(lines.joined(separator: [0x0A]))
    }

    /// One sign very often: depth, and length.
    private mutating func repeatSign(_ bytes: inout [UInt8], at place: Int) {
        let sign = random.pick(Array("[{-? ?:&*'\"|\n".utf8))
        bytes.insert(contentsOf: [UInt8](repeating: sign, count: random.pick([3, 70, 600, 5_000])), at: place)
    }

    static let opcodes = [
        "<region>", "<group>", "<global> ", "<control> default_path=../", "<master>", "<curve> curve_index=7 v000=0", "sample=",
        "sample=mono.wav\n", "sample=/dev/zero ", "sample=. ", "sample=*noise ", "#include \"case.sfz\"\n", "#define $A $A$A\n",
        "$A", "/*", "*/", "//", "key=-1 ", "lokey=128 ", "hikey=c-9 ", "key=a#11 ", "tune=1e30 ", "volume=nan ", "volume=1e9 ",
        "offset=-5 ", "end=-1 ", "end=4294967295 ", "loop_start=999999999 ", "loop_end=-7 ", "loop_mode=loop_continuous ",
        "cutoff=0 ", "cutoff=1e12 ", "ampeg_attack=1e9 ", "ampeg_sustain=-100 ", "pitch_keytrack=-1200 ", "transpose=999 ",
        "amp_veltrack=-999 ", "note_offset=300 ", "octave_offset=-30 ", "pan=1e4 ", "=", "\u{FEFF}", "\r", "\\", "\0", "\u{FF}",
    ]
    static let signs = [
        "1e999", "-1", "99999999999999999999", "nan", "~", "on", "1-256", "mixer[1]", "[0]", "mixer[-1]", " -> ", "&a ", "*a",
        "!!binary x", "---\n", "...\n", "%YAML 1.1\n", "? [a]: b\n", "|\n  x\n", ">-\n", "\u{FEFF}", "\u{2028}", "\u{85}", "'",
        "patches:\n  a:\n    units:\n", "inputs: 4096", "outputs: [mixer, limiter]", "unit: soundfont", "version: 0",
        "<<: *a", "\"", "\\x00", "{a: {b: {c: d}}}",
    ]
}
