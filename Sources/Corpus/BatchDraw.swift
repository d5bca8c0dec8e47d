import Carillon
import DSP

/// A value of a recipe that is drawn: `{"choose": [...]}`, `{"uniform": [low, high]}` and so on, an object with one of these
/// keys.
enum BatchDraw {
    case choose([JSONValue], weights: [Double])
    case uniform(ClosedRange<Double>)
    /// Each factor is as likely as its inverse: for frequencies, tempos, times.
    case logarithmic(ClosedRange<Double>)
    case whole(ClosedRange<Int>)
    case normal(mean: Double, deviation: Double)

    /// The words that make an object a draw.
    static let words = ["choose", "uniform", "log-uniform", "whole", "normal"]

    /// The draw that a value describes; nil for a value that is used as it is.
    ///
    /// - Throws: a sentence on what is wrong with it.
    init?(_ value: JSONValue, field: String) throws(Fault) {
        guard case .object(let members) = value, let word = Self.words.first(where: { members[$0] != nil }) else { return nil }
        let others = members.keys.filter { $0 != word && !(word == "choose" && $0 == "weights") }.sorted()
        if let other = others.first {
            throw Fault("\(field): \(word) stands alone in its object; leave \(other) out", .data)
        }
        if word == "choose" {
            guard case .list(let values)? = members[word], !values.isEmpty else {
                throw Fault("\(field): choose needs a list of values", .data)
            }
            var weights = [Double](repeating: 1, count: values.count)
            if let given = members["weights"] {
                guard case .list(let numbers) = given, numbers.count == values.count else {
                    throw Fault("\(field): weights needs a number for each of the \(values.count) values", .data)
                }
                weights = try numbers.map { (value) throws(Fault) in
                    guard let weight = value.number, weight >= 0, weight.isFinite else {
                        throw Fault("\(field): a weight is a number from 0 up", .data)
                    }
                    return weight
                }
                if weights.reduce(0, +) <= 0 { throw Fault("\(field): all weights are 0", .data) }
            }
            self = .choose(values, weights: weights)
            return
        }
        guard case .list(let numbers)? = members[word], numbers.count == 2, let first = numbers[0].number,
            let second = numbers[1].number
        else { throw Fault("\(field): \(word) needs a list of two numbers", .data) }
        if word == "normal" {
            guard second >= 0 else { throw Fault("\(field): normal needs a mean and a deviation from 0 up", .data) }
            self = .normal(mean: first, deviation: second)
            return
        }
        guard first <= second else { throw Fault("\(field): \(word) needs the lower number first", .data) }
        switch word {
        case "uniform": self = .uniform(first...second)
        case "log-uniform":
            guard first > 0 else { throw Fault("\(field): log-uniform needs numbers above 0", .data) }
            self = .logarithmic(first...second)
        default:
            guard case .whole(let low) = numbers[0], case .whole(let high) = numbers[1] else {
                throw Fault("\(field): whole needs two whole numbers", .data)
            }
            self = .whole(low...high)
        }
    }

    /// The value drawn.
    ///
    /// - Parameter die: 53 random bits as 0..<1, by the number of the throw.
    func value(_ die: (Int) -> Double) -> JSONValue {
        switch self {
        case .choose(let values, let weights):
            var place = die(0) * weights.reduce(0, +)
            for (value, weight) in zip(values, weights) where weight > 0 {
                if place < weight { return value }
                place -= weight
            }
            return values[weights.lastIndex { $0 > 0 } ?? 0]
        case .uniform(let range): return Self.rounded(range.lowerBound + die(0) * (range.upperBound - range.lowerBound))
        case .logarithmic(let range):
            return Self.rounded(
                range.lowerBound * DeterministicMath.power(range.upperBound / range.lowerBound, die(0)))
        case .whole(let range):
            let count = Double(range.upperBound) - Double(range.lowerBound) + 1
            return .whole(min(range.lowerBound + Int(die(0) * count), range.upperBound))
        case .normal(let mean, let deviation):
            // The sum of twelve has variance 1, and needs no function whose last bit depends on the machine.
            return Self.rounded(mean + deviation * ((0..<12).reduce(0) { $0 + die($1) } - 6))
        }
    }

    /// A number with six significant digits: what a row shows is what was used.
    private static func rounded(_ number: Double) -> JSONValue {
        if number == 0 { return .whole(0) }
        var unit = 1.0
        while abs(number) * unit < 100_000, unit < 1e12 { unit *= 10 }
        return .number((number * unit).rounded() / unit)
    }
}
