import Carillon
import Sessions

@testable import Control

/// Commands by chance, the same ones for the same seed: of every verb that is no question, with values that its arguments take.
struct RandomCommand {
    private static let verbs = ControlGrammar.installation.vocabulary.verbs.filter { $0.role != .look }
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next(_ limit: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % limit
    }

    private mutating func number(_ range: ClosedRange<Float>) -> Double {
        let low = Double(range.lowerBound), high = Double(range.upperBound)
        return switch next(4) {
        case 0: low
        case 1: high
        case 2: min(max(Double(next(1000)) / 8, low), high)
        default: low + (high - low) * Double(next(1 << 30)) / Double(1 << 30)
        }
    }

    private mutating func whole(_ range: ClosedRange<Float>) -> Int {
        Int(range.lowerBound) + next(Int(range.upperBound) - Int(range.lowerBound) + 1)
    }

    /// Names that are like words of the grammar, hold blanks, quotes, numbers, line ends, letters of all kinds.
    private mutating func text() -> String {
        let parts = [
            "organ", "next", "off", "all", " ", "\"", "\\", "\n", "\r\n", "\t", "3", "-", "+1", ".5", "ü", "鐘", "🔔", "=", "a.b",
            "#",
            "'", "bar", "\u{85}", "\u{2028}", "e\u{301}",
        ]
        return (0...next(4)).map { _ in parts[next(parts.count)] }.joined()
    }

    private mutating func value(of argument: VerbArgument) -> VerbValue {
        if argument.isOptional, next(2) == 0 { return .none }
        return switch argument.kind {
        case .number(let spec): .number(number(spec.range))
        case .whole(let spec), .labelled(_, let spec): .whole(whole(spec.range))
        case .tempo: .number(next(2) == 0 ? number(0.1...10) : number(20...400))
        case .meter: .text("\(next(32) + 1)/\(1 << next(5))")
        case .shift(let spec): .number(number(spec.range) * (next(2) == 0 ? 1 : -1))
        case .toggle: .flag(next(2) == 0)
        case .choice(let words): .text(words[next(words.count)])
        case .name: .text(text())
        case .setting: .text("reverb\(text())=\(text())")
        case .request: .request(next(4) == 0 ? .turn(turn) : .request(command()))
        }
    }

    private var turn: Session.Button.Turn { state % 2 == 0 ? .volume : .tempo }

    mutating func command() -> ControlCommand {
        let verb = Self.verbs[next(Self.verbs.count)]
        return ControlCommand(verb, verb.arguments.map { value(of: $0) })
    }
}
