import Graph

/// Complaints of units about what keeps them from their work, told when it begins. A unit that goes on failing is told less and
/// less often: the first time, the second, the fourth, the eighth.
struct UnitComplaints {
    /// The complaints that hold now, and the number that there were, each by the unit's name.
    private var now: [String: String] = [:], count: [String: Int] = [:]

    /// Looks at the units of a graph. Returns what is new, as sentences.
    mutating func look(_ graph: Graph) -> [String] {
        var lines: [String] = [], found: [String: String] = [:]
        for node in graph.nodes {
            guard let complaint = node.instance.companion?.complaint else { continue }
            found[node.name] = complaint
            if now[node.name] != nil { continue }
            let times = count[node.name, default: 0] + 1
            count[node.name] = times
            if times & (times - 1) == 0 { lines.append("\(node.name): \(complaint)") }
        }
        now = found
        return lines
    }
}
