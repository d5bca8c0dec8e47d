import Foundation

/// Draws calls and what they get: the same for one seed.
struct Dice {
    var state: UInt64

    mutating func next(_ bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % bound
    }

    mutating func pick<Element>(_ choices: [Element]) -> Element { choices[next(choices.count)] }

    /// The number of sequences of calls: some here, 10 000 in the long runs (`CARILLON_SEQUENCES`).
    static func sequences(_ few: Int) -> Int {
        ProcessInfo.processInfo.environment["CARILLON_SEQUENCES"].flatMap { Int($0) } ?? few
    }
}
