import Glibc
import RealtimeCore
import SoundFonts
import Testing

@testable import Samplers

/// One line of `SFZCaseTable`.
struct SFZCase: Sendable, CustomTestStringConvertible {
    let name: String, text: String, values: [String], check: String, wanted: [String], moves: String
    /// Seconds in which it is measured.
    let window: ClosedRange<Double>

    static let all: [SFZCase] = SFZCaseTable.text.split(separator: "\n").map { SFZCase(String($0)) }

    private init(_ line: String) {
        let fields = line.split(separator: " | ", omittingEmptySubsequences: false).map(String.init)
        name = fields[0]
        text = fields[1].replacing("\\n", with: "\n").split(separator: "\n").map { line in
            line.hasPrefix("R") ? SFZCase.region + line.dropFirst() : String(line)
        }.joined(separator: "\n")
        values = fields[2].split(separator: ";").map(String.init)
        var words = fields[3].split(separator: " ").map(String.init)
        check = words.removeFirst()
        let ends = words.last.flatMap { $0.hasPrefix("@") ? $0.dropFirst().split(separator: "-").compactMap { Double($0) } : nil }
        if ends != nil { words.removeLast() }
        window = ends.map { $0[0]...$0[1] } ?? 0.4...0.7
        wanted = words
        moves = fields.count > 4 ? fields[4] : "note"
    }

    static let region = "<region> sample=sine.wav pitch_keycenter=69 loop_mode=loop_continuous"

    var testDescription: String { name }
    var numbers: [Double] { wanted.compactMap { Double($0) } }
    func text(_ value: String) -> String { text.replacing("@", with: value) }

    /// The opcode as the text has it.
    var opcode: String {
        let before = text[..<(text.firstRange(of: "=@")?.lowerBound ?? text.startIndex)]
        return before.split { $0 == " " || $0 == "\n" }.last.map(String.init) ?? name
    }
}

/// Every opcode that `SFZOpcode.table` says is followed does what sfzformat.com says: heard, with values in its range.
@Suite struct SFZOpcodeTests: SFZPlaying {
    private typealias Moves = [(Double, SFZMove)]
    private static let endings = ["_onccN", "_curveccN", "_smoothccN", "_stepccN"]

    private static func moves(_ text: String) throws -> Moves {
        if text == "strokes" { return strokes(4, from: 0.1, every: 0.2, length: 0.15) }
        var moves: Moves = []
        for word in text.split(separator: " ") {
            let time = word.prefix { $0.isNumber || $0 == "." }, rest = word.dropFirst(time.count)
            if word.hasPrefix("note") {
                let parts = word.dropFirst(4).split(separator: "/").compactMap { UInt8($0) }
                moves.append((0.1, .on(parts.first ?? 69, parts.last ?? 127)))
                moves.append((0.9, .off(parts.first ?? 69)))
                continue
            }
            let seconds = try #require(Double(time)), numbers = rest.dropFirst().split(separator: "/").compactMap { Int($0) }
            let first = UInt8(clamping: numbers[0]), second = UInt8(clamping: numbers.last ?? 0)
            switch rest.first {
            case "+": moves.append((seconds, .on(first, second)))
            case "-": moves.append((seconds, .off(first)))
            case "c": moves.append((seconds, .control(first, second)))
            case "b": moves.append((seconds, .bend(numbers[0])))
            case "p": moves.append((seconds, .message(0xD0, first, 0)))
            case "a": moves.append((seconds, .message(0xA0, first, second)))
            case "g": moves.append((seconds, .message(0xC0, first, 0)))
            case "x": moves.append((seconds, .message(0x91, first, second)))
            default: Issue.record("no move: \(word)")
            }
        }
        return moves
    }

    /// The level of the sine alone.
    private static let plain = Result {
        let tests = SFZOpcodeTests()
        return tests.level(try tests.play(SFZCase.region, moves("note"))[0], 0.4...0.7)
    }

    private func play(_ text: String, _ moves: Moves, seconds: Double = 1) throws -> [[Float]] {
        try sides(text, moves.sorted { $0.0 < $1.0 }, seconds: seconds, values: ["polyphony": 32])
    }

    private func cents(_ sound: [Float], _ seconds: ClosedRange<Double>) -> Double {
        let frames = Int(seconds.lowerBound * 48_000)..<Int(seconds.upperBound * 48_000)
        let crossings = frames.filter { sound[$0] <= 0 && sound[$0 + 1] > 0 }.map { frame in
            Double(frame) + Double(sound[frame]) / Double(sound[frame] - sound[frame + 1])
        }
        guard let first = crossings.first, let last = crossings.last, crossings.count > 2 else { return .nan }
        return 1_200 * log2(Double(crossings.count - 1) * 48_000 / (last - first) / 480)
    }

    private func differ(_ sounds: [[Float]]) -> Bool {
        sounds.indices.allSatisfy { one in
            sounds.indices.allSatisfy { other in one == other || zip(sounds[one], sounds[other]).contains { abs($0 - $1) > 1e-4 }
            }
        }
    }

    @Test(arguments: SFZCase.all) func anOpcodeDoesWhatItSays(_ opcode: SFZCase) throws {
        let moves = try Self.moves(opcode.moves)
        let sounds = try opcode.values.map { try play(opcode.text($0), moves) }
        let left = sounds.map { $0[0] }
        for (place, value) in opcode.values.enumerated() where !["differ", "plays", "strokes"].contains(opcode.check) {
            let measured: Double, tolerance: Double
            switch opcode.check {
            case "level":
                (measured, tolerance) = try (max(level(left[place], opcode.window) - Self.plain.get(), -100), 0.5)
            case "pitch": (measured, tolerance) = (cents(left[place], opcode.window), 5)
            case "balance":
                (measured, tolerance) = (level(sounds[place][1], opcode.window) - level(left[place], opcode.window), 0.5)
            case "onset": (measured, tolerance) = (Double(left[place].firstIndex { abs($0) > 1e-4 } ?? 0) / 48_000, 0.005)
            default: (measured, tolerance) = (Double(left[place].lastIndex { abs($0) > 1e-3 } ?? 0) / 48_000, 0.005)
            }
            let wanted = opcode.numbers[place]
            #expect(abs(measured - wanted) <= tolerance, "\(opcode.name)=\(value): \(measured), \(wanted) is wanted")
        }
        switch opcode.check {
        case "differ": #expect(differ(left))
        case "plays":
            let plays = left.map { level($0, 0.4...0.6) > -70 ? "T" : "F" }.joined()
            #expect(plays == opcode.wanted[0])
        case "strokes":
            let patterns = left.map { sound in
                (0..<4).map { level(sound, (0.13 + 0.2 * Double($0))...(0.22 + 0.2 * Double($0))) > -60 ? "1" : "0" }.joined()
            }
            #expect(patterns == opcode.wanted)
        default: break
        }
    }

    private static let modulated = SFZCase.all.filter { opcode in
        SFZOpcode.table.contains { $0.reason == nil && $0.name == opcode.name + "_onccN" }
    }

    /// A controller takes an opcode from its first value to its second: at full, by a curve, step by step, and slowly.
    @Test(arguments: modulated) func controllersMoveAnOpcode(_ opcode: SFZCase) throws {
        let moves = try Self.moves(opcode.moves), name = opcode.opcode
        let first = try #require(Double(opcode.values[0])), second = try #require(Double(opcode.values[1]))
        let isFrequency = ["cutoff", "cutoff2", "filter_cutoff"].contains(name)
        let depth = isFrequency ? 1_200 * log2(second / first) : name == "amplitude" ? second : second - first
        func sound(_ more: String, _ cc: Moves) throws -> [Float] {
            let text = opcode.text.replacing("\(name)=@", with: "\(name)=\(opcode.values[0]) \(name)_oncc20=\(depth) \(more)")
            return try play(text, cc + moves, seconds: 0.6).joined().map { $0 }
        }
        let wanted = try play(opcode.text(opcode.values[1]), moves, seconds: 0.6).joined().map { $0 }
        for (more, controller) in [("", UInt8(127)), ("\(name)_curvecc20=2", 0)] {
            let moved = try sound(more, [(0, .control(20, controller))])
            let rest = zip(moved, wanted).reduce(0.0) { $0 + Double(($1.0 - $1.1) * ($1.0 - $1.1)) }
            let power = wanted.reduce(0.0) { $0 + Double($1 * $1) }
            #expect(rest <= power * 1e-3, "\(name) \(more): \(10 * log10(rest / power)) dB")
        }
        guard SFZOpcode.table.contains(where: { $0.name == opcode.name + "_smoothccN" }) else { return }
        let steps = try [0, 0.3, 0.9].map { try sound("\(name)_stepcc20=\($0 * abs(depth))", [(0, .control(20, 64))]) }
        #expect(differ(steps), "\(name)_stepcc20")
        let slow = try ["0", "100", "300"].map { try sound("\(name)_smoothcc20=\($0)", [(0.2, .control(20, 127))]) }
        #expect(differ(slow), "\(name)_smoothcc20")
    }

    /// What the table says is followed, and the reference page with it, is what is heard here; the sends have a test of their own.
    @Test func everyFollowedOpcodeHasACase() {
        let cases = Set(SFZCase.all.map(\.name)), modulated = Set(Self.modulated.map(\.name))
        let sends: Set = ["effect1", "effect2", "reverb_input", "reverb_wet"]
        for row in SFZOpcode.table where row.reason == nil && !sends.contains(row.name) {
            let base = Self.endings.lazy.compactMap { row.name.hasSuffix($0) ? String(row.name.dropLast($0.count)) : nil }.first
            #expect(base.map(modulated.contains) ?? cases.contains(row.name), "\(row.name) has no case")
        }
        #expect(cases.count == SFZCase.all.count)
    }
}
