/// A number of a session that is watched over months: name, kind, unit and help in one place.
package struct Metric: Sendable, Hashable {
    /// The behaviour of a value.
    package enum Kind: String, Sendable {
        /// A value that only grows, from 0 at the start.
        case counter
        case gauge
    }

    /// A value at one moment; several of one metric differ by their label.
    package struct Sample: Sendable, Hashable {
        /// The name and value of the label that distinguishes it from others: `cause`, `driver`.
        package let label: [String]
        package let value: Double

        /// One of several, or the only one.
        package init(_ value: Double, _ label: String...) { (self.label, self.value) = (label, value) }
    }

    /// Words with underscores; the unit is not among them.
    package let name: String
    package let kind: Kind
    /// The unit that is counted, as Prometheus names it: `seconds`; empty for a bare number.
    package let unit: String
    /// One sentence; that of the field, if a field has the metric.
    package internal(set) var help: String

    /// The name that Prometheus knows: `carillon_frames_total`.
    package var prometheusName: String {
        ["carillon", name, unit, kind == .counter ? "total" : ""].filter { !$0.isEmpty }.joined(separator: "_")
    }

    /// A value that only grows.
    package static func counter(_ name: String, in unit: String = "", _ help: String = "") -> Metric {
        Metric(name: name, kind: .counter, unit: unit, help: help)
    }

    /// A value that goes up and down.
    package static func gauge(_ name: String, in unit: String = "", _ help: String = "") -> Metric {
        Metric(name: name, kind: .gauge, unit: unit, help: help)
    }
}
