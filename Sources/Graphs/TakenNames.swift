import UnitAPI

/// The names and the units that a graph has, so that adding one more looks through none of those that are there.
struct TakenNames: Sendable {
    private(set) var names: Set<String> = []
    private(set) var units: Set<ObjectIdentifier> = []
    /// For each name a number below which none is free.
    private var lowest: [String: Int] = [:]

    /// Nothing is taken.
    init() {}

    init(_ nodes: [Graph.Node]) { for node in nodes { insert(node) } }

    mutating func insert(_ node: Graph.Node) {
        names.insert(node.name)
        units.insert(ObjectIdentifier(node.instance))
    }

    /// Returns the name if it is free, else the name with the lowest number that is, from 2 on.
    mutating func free(_ name: String) -> String {
        if !names.contains(name) { return name }
        var number = lowest[name] ?? 2
        while names.contains("\(name)-\(number)") { number += 1 }
        lowest[name] = number
        return "\(name)-\(number)"
    }
}
