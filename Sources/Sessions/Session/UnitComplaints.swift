import EngineCore
import Graphs

/// Complaints of units about what keeps them from their work, reported when they begin. A unit that goes on failing is reported
/// less and less often: the first time, the second, the fourth, the eighth.
struct UnitComplaints {
    /// The complaints that hold now, and the number that there were, each by the unit's name.
    private var now: [String: String] = [:], count: [String: Int] = [:]

    /// Units complain by the name that their patch gives them. Returns new complaints, as sentences.
    mutating func look(_ graph: Graph) -> [String] {
        var lines: [String] = [], found: [String: String] = [:]
        for node in graph.nodes {
            guard let complaint = node.instance.companion?.complaint else { continue }
            let name = node.nameInPatch
            found[name] = complaint
            if now[name] != nil { continue }
            let times = count[name, default: 0] + 1
            count[name] = times
            if times & (times - 1) == 0 { lines.append("\(name): \(complaint)") }
        }
        now = found
        return lines
    }
}
