/// Units of a report that are of one kind and connected alike: sixteen strips are one row of a drawing.
struct GraphGroups {
    struct Way: Hashable {
        let target: String
        let facts: String
        let isSend: Bool
        var carriesMusic = false
    }

    struct Row {
        /// `reverb`; `strip-1 ... strip-16`.
        let title: String
        let facts: [String]
        /// The part of the render time, 0...1, that they take together.
        let share: Double
        /// Main outputs before sends.
        let ways: [Way]
    }

    private(set) var rows: [Row] = []

    init(_ report: GraphReport) {
        let kinds = Self.kinds(report)
        var members: [Int: [Int]] = [:], order: [Int] = []
        for index in report.units.indices {
            if members[kinds[index]] == nil { order.append(kinds[index]) }
            members[kinds[index], default: []].append(index)
        }
        let place = Dictionary(uniqueKeysWithValues: report.units.enumerated().map { ($1.name, $0) })
        let titles = members.mapValues { list in Self.title(list.map { report.units[$0].name }) }
        for kind in order {
            let list = members[kind] ?? [], names = Set(list.map { report.units[$0].name })
            var ways: [Way] = []
            for edge in report.edges where names.contains(edge.source) {
                let target = place[edge.destination].flatMap { titles[kinds[$0]] } ?? edge.destination
                let bus = Self.stem(edge.sourceBusName)
                let shown = bus == "main" || bus == "output" || edge.carriesMusic ? "" : bus + ", "
                // A side-chain, say; the inputs of a mixer only count up.
                let input = Self.stem(edge.destinationBusName)
                let isPlain = ["main", "input", "source"].contains(input) || edge.carriesMusic
                let way = Way(
                    target: target, facts: shown + edge.format + (isPlain ? "" : ", into \(input)"), isSend: edge.isSend,
                    carriesMusic: edge.carriesMusic)
                if !ways.contains(way) { ways.append(way) }
            }
            ways = ways.filter { !$0.isSend } + ways.filter(\.isSend)
            if let output = report.output, names.contains(output.unit) {
                ways.append(Way(target: "output", facts: report.outputFacts, isSend: false))
            }
            let first = report.units[list[0]]
            var facts = first.description.filter { $0 != "at rest" }
            let resting = list.count { report.units[$0].isAtRest }
            if resting > 0 { facts.append(resting == list.count ? "at rest" : "\(resting) at rest") }
            if list.count > 1 { facts.insert("\(list.count) units", at: 0) }
            rows.append(
                Row(
                    title: titles[kind] ?? first.name, facts: facts,
                    share: list.reduce(0) { $0 + (report.units[$1].share ?? 0) }, ways: ways))
        }
    }

    /// `strip-1`; `strip-1, strip-3`; `strip-1 ... strip-16`: consecutive numbers are shortened.
    private static func title(_ names: [String]) -> String {
        var runs: [[String]] = []
        for name in names {
            if let last = runs.last?.last, stem(name) == stem(last), number(name) == number(last).map({ $0 + 1 }) {
                runs[runs.count - 1].append(name)
            } else {
                runs.append([name])
            }
        }
        return runs.map { run in
            run.count < 3 ? run.joined(separator: ", ") : "\(run[0]) ... \(run[run.count - 1])"
        }.joined(separator: ", ")
    }

    private static func number(_ name: String) -> Int? { Int(name.dropFirst(stem(name).count + 1)) }

    /// A name without the number at its end.
    static func stem(_ name: String) -> String {
        var stem = name[...]
        while let last = stem.last, last.isNumber { stem.removeLast() }
        if stem.last == "-" { stem.removeLast() }
        return stem.isEmpty ? name : String(stem)
    }

    /// A number for each unit, the same for those that are alike: first by their types, then, repeatedly, by their connections,
    /// until groups no longer split.
    private static func kinds(_ report: GraphReport) -> [Int] {
        let place = Dictionary(uniqueKeysWithValues: report.units.enumerated().map { ($1.name, $0) })
        func numbered(_ keys: [[String]]) -> [Int] {
            var numbers: [[String]: Int] = [:]
            return keys.map { key in
                if let number = numbers[key] { return number }
                numbers[key] = numbers.count
                return numbers.count - 1
            }
        }
        var kinds = numbered(
            report.units.map { unit in
                // Units that share only a type, an equaliser here and one there, keep their own names.
                [unit.component, stem(unit.name), unit.role?.rawValue ?? "", "\(unit.latency)", "\(unit.isBypassed)"]
            })
        while true {
            var keys = kinds.map { ["\($0)"] }
            for edge in report.edges {
                guard let source = place[edge.source], let destination = place[edge.destination] else { continue }
                let facts = [stem(edge.sourceBusName), edge.format, stem(edge.destinationBusName)].joined(separator: "/")
                keys[source].append("to \(kinds[destination]) \(facts)")
                keys[destination].append("from \(kinds[source]) \(facts)")
            }
            if let output = report.output.flatMap({ place[$0.unit] }) { keys[output].append("output") }
            let next = numbered(keys.map { [$0[0]] + Set($0.dropFirst()).sorted() })
            if Set(next).count == Set(kinds).count { return next }
            kinds = next
        }
    }
}
