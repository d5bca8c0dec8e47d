import CarillonTestKit
import NIOCore
import Testing

@testable import Gateway

/// Statuses that are told by what has changed.
@Suite struct StatusTellingTests {
    private func status(_ line: String) -> SessionStatus { SessionStatus(line) }
    private func time(_ seconds: Double) -> NIODeadline { .uptimeNanoseconds(UInt64((100 + seconds) * 1e9)) }

    private func value(_ line: String) throws -> StatusValue { try #require(StatusValue(line: line)) }

    /// Line before, line behind, what is told of it.
    static let cases: [(String, String, String?)] = [
        (#"{"a":1,"b":[]}"#, #"{"a":1,"b":[]}"#, nil),
        (#"{"a":1,"b":2}"#, #"{"a":1,"b":null}"#, #"{"b":null}"#),
        (#"{"a":null}"#, #"{"a":{"b":true,"c":"\"x\n"}}"#, #"{"a":{"b":true,"c":"\"x\u000a"}}"#),
        (#"{"a":{"b":1,"c":2}}"#, #"{"a":{"b":1,"c":2.5}}"#, #"{"a":{"c":2.5}}"#),
        (
            #"{"a":[{"number":1,"n":1},{"number":2,"n":2}]}"#, #"{"a":[{"number":1,"n":1},{"number":2,"n":3}]}"#,
            #"{"a":{"1":{"n":3}}}"#
        ),
        (#"{"a":[1,2]}"#, #"{"a":[1,2,3]}"#, #"{"a":[1,2,3]}"#),
        (
            #"{"a":["one","two","three","four","five","six"]}"#, #"{"a":["two","three","four","five","six","seven"]}"#,
            #"{"a":{"added":{"5":"seven"},"removed":[0]}}"#
        ),
        // Where members go, or a list becomes an object, nothing shorter says it.
        (#"{"a":{"b":1}}"#, #"{"a":{"c":1}}"#, "whole"),
        (#"{"a":[1]}"#, #"{"a":{"0":2}}"#, "whole"),
        // In a list, the list says it.
        (#"{"a":[{"b":1},1]}"#, #"{"a":[{"c":1},1]}"#, #"{"a":[{"c":1},1]}"#),
    ]

    @Test(arguments: cases.indices) func changesAreNamedAndNothingElse(_ index: Int) throws {
        let (before, behind, told) = Self.cases[index]
        switch try value(before).change(to: value(behind)) {
        case .none: #expect(told == nil)
        case .some(let change):
            #expect(change.json == told)
            #expect(try value(before).applying(change) == value(behind))
        case .whole: #expect(told == "whole")
        }
    }

    /// A value of some depth; the same names at each place, nearly always.
    private func any(_ random: inout SeededRandom, depth: Int = 3) -> StatusValue {
        switch Int.random(in: 0...(depth == 0 ? 3 : 8), using: &random) {
        case 0: .null
        case 1: .flag(Bool.random(using: &random))
        case 2: .number(Double(Int.random(in: -3...3, using: &random)) / 2)
        case 3: .text(["", "é\"", "a b"].randomElement(using: &random)!)
        case 4, 5: .list((0..<Int.random(in: 0...3, using: &random)).map { _ in any(&random, depth: depth - 1) })
        default:
            .members(
                Dictionary(
                    uniqueKeysWithValues: ["a", "b", "c", "d"].prefix(Int.random(in: 3...4, using: &random))
                        .map { ($0, any(&random, depth: depth - 1)) }))
        }
    }

    /// What somebody knows who takes all that is told is what there is, wherever he comes and whatever he misses.
    @Test(arguments: 0..<20 as Range<UInt64>) func whoeverTakesItAllKnowsItAll(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed), telling = StatusTelling(), known: StatusValue?
        for step in 0..<300 {
            let now = StatusValue.members(["x": any(&random), "y": any(&random)]), line = now.json
            #expect(StatusValue(line: line) == now)
            if Int.random(in: 0..<20, using: &random) == 0 {
                telling.lose()
                continue
            }
            if let text = telling.text(of: status(line), at: time(Double(step) / 10)) {
                let told = try value(text)
                known = try told["changes"].map { try #require(known).applying($0) } ?? told
            }
            #expect(known == now)
        }
    }

    @Test func clocksAreToldOnceASecondAndMetersInDecibels() throws {
        var telling = StatusTelling()
        func told(_ seconds: Double, _ rest: String) -> String? {
            telling.text(
                of: status("{\"frames\":\(Int(seconds * 48_000)),\"seconds\":\(seconds),\"levels\":[\(rest)]}"), at: time(seconds)
            )
        }
        #expect(told(0, #"{"peak":-20.1,"average":-30}"#)?.hasPrefix(#"{"frames":0,"#) == true)
        #expect(told(0.1, #"{"peak":-20.2,"average":-30.4}"#) == nil)
        #expect(told(0.2, #"{"peak":-20.7,"average":-30.01}"#) == #"{"changes":{"levels":{"0":{"peak":-21}}}}"#)
        #expect(told(0.9, #"{"peak":-20.7,"average":-30.01}"#) == nil)
        #expect(told(1.1, #"{"peak":-20.7,"average":-30.01}"#) == #"{"changes":{"frames":52800,"seconds":1.1}}"#)
        #expect(told(2, #"{"peak":-20.7,"average":-30.01}"#) == nil)
    }

    @Test func aSessionThatGoesIsToldAndComesBackWhole() {
        var telling = StatusTelling()
        let line = #"{"frames":1}"#
        #expect(telling.text(of: status(line), at: time(0)) == line)
        #expect(telling.text(of: nil, at: time(1)) == StatusTelling.away)
        #expect(telling.text(of: status(line), at: time(2)) == line)
        // A session of another version may say what it likes.
        #expect(telling.text(of: status("hello"), at: time(3)) == "hello")
    }
}

extension StatusValue {
    /// A member; nil where there is none.
    subscript(name: String) -> StatusValue? {
        guard case .members(let members) = self else { return nil }
        return members[name]
    }

    /// The value with a change, as those do it who watch.
    func applying(_ change: StatusValue) -> StatusValue {
        guard case .members(let changes) = change else { return change }
        switch self {
        case .members(var members):
            for (name, change) in changes { members[name] = members[name]?.applying(change) ?? change }
            return .members(members)
        case .list(var items):
            if case .list(let removed)? = changes["removed"], case .members(let added)? = changes["added"] {
                items = items.indices.filter { !removed.contains(.number(Double($0))) }.map { items[$0] }
                let places: [Int] = added.keys.compactMap { Int($0) }.sorted()
                for place in places { items.insert(added["\(place)"]!, at: place) }
                return .list(items)
            }
            for (place, change) in changes {
                if let index = Int(place), items.indices.contains(index) { items[index] = items[index].applying(change) }
            }
            return .list(items)
        default: return change
        }
    }
}
