import Carillon

/// All metrics of one moment, as text.
public struct SessionMetrics: Sendable {
    private let snapshot: SessionSnapshot
    private let memory: Int?

    /// - Parameter memory: bytes of the process; those of this one unless given.
    public init(_ snapshot: SessionSnapshot, memory: Int? = ProcessMemory.residentBytes) {
        (self.snapshot, self.memory) = (snapshot, memory)
    }

    /// One line of JSON: `{"metrics":[{"name":"frames","kind":"counter","unit":"","help":"...","values":[{"value":48000}]}]}`.
    public var json: String {
        JSONText.object([
            (
                "metrics",
                .array(
                    SessionMetric.allCases.map { metric in
                        let declaration = metric.declaration
                        let values = metric.samples(snapshot, memory: memory).map { sample -> JSONText in
                            .object(
                                (sample.label.count == 2 ? [(sample.label[0], .string(sample.label[1]))] : [])
                                    + [("value", .number(sample.value))])
                        }
                        return .object([
                            ("name", .string(declaration.name)), ("kind", .string(declaration.kind.rawValue)),
                            ("unit", .string(declaration.unit)), ("help", .string(declaration.help)), ("values", .array(values)),
                        ])
                    })
            )
        ]).text
    }

    /// The text that a Prometheus server reads (text format 0.0.4): HELP, TYPE and a line for each value. A metric without a
    /// value is left out.
    public var prometheusText: String {
        var text = ""
        for metric in SessionMetric.allCases {
            let samples = metric.samples(snapshot, memory: memory), declaration = metric.declaration
            if samples.isEmpty { continue }
            let name = declaration.prometheusName
            text += "# HELP \(name) \(declaration.help)\n# TYPE \(name) \(declaration.kind.rawValue)\n"
            for sample in samples {
                let label = sample.label.count == 2 ? "{\(sample.label[0])=\"\(Self.escaped(sample.label[1]))\"}" : ""
                text += "\(name)\(label) \(Int64(exactly: sample.value).map { "\($0)" } ?? "\(sample.value)")\n"
            }
        }
        return text
    }

    /// Escapes a name that a user gave, for the value of a label. Source: Prometheus, "Exposition formats".
    private static func escaped(_ value: String) -> String {
        value.map { $0 == "\\" ? "\\\\" : $0 == "\"" ? "\\\"" : $0.isNewline ? "\\n" : String($0) }.joined()
    }
}
