import Carillon
import Reports

/// All metrics of one moment, as text.
public struct SessionMetrics: Sendable {
    private let snapshot: SessionSnapshot
    private let vocabulary: SessionVocabulary
    private let memory: Int?

    /// - Parameters:
    ///   - vocabulary: the parts whose metrics there are.
    ///   - memory: bytes of the process; those of this one unless given.
    public init(
        _ snapshot: SessionSnapshot, of vocabulary: SessionVocabulary = .standard,
        memory: Int? = ProcessMemory.residentBytes
    ) {
        (self.snapshot, self.vocabulary, self.memory) = (snapshot, vocabulary, memory)
    }

    static func metrics(_ vocabulary: SessionVocabulary) -> [Metric] { vocabulary.metrics + [memory] }

    private static let memory = Metric.gauge("resident_memory", in: "bytes", "Resident memory of the process.")

    /// Each metric with its values: none if there is nothing to measure, as without a song.
    private var samples: [(metric: Metric, samples: [Metric.Sample])] {
        let all = vocabulary.measured(snapshot) + [(Self.memory, memory.map { [Metric.Sample(Double($0))] } ?? [])]
        let found = Dictionary(all.map { ($0.metric, $0.samples) }, uniquingKeysWith: +)
        return Self.metrics(vocabulary).map { ($0, found[$0] ?? []) }
    }

    /// One line of JSON: `{"metrics":[{"name":"frames","kind":"counter","unit":"","help":"...","values":[{"value":48000}]}]}`.
    public var json: String {
        FieldValue.group([
            (
                "metrics",
                .list(
                    samples.map { metric, samples in
                        let values = samples.map { sample -> FieldValue in
                            let label = sample.label.count == 2 ? [(sample.label[0], FieldValue.text(sample.label[1]))] : []
                            return .group(label + [("value", .number(sample.value))])
                        }
                        return .group([
                            ("name", .text(metric.name)), ("kind", .text(metric.kind.rawValue)), ("unit", .text(metric.unit)),
                            ("help", .text(metric.help)), ("values", .list(values)),
                        ])
                    })
            )
        ]).json
    }

    static let shape = FieldShape.group([
        (
            "metrics", "All metrics.",
            .list(
                .group([
                    ("name", "Its name.", .text), ("kind", "Whether it is counted or read.", .text),
                    ("unit", "The unit; empty for bare numbers.", .text), ("help", "What it says.", .text),
                    (
                        "values", "Its values: none if there is nothing to measure.",
                        .list(.group([("value", "The number, and the label that distinguishes it from the others.", .number)]))
                    ),
                ]))
        )
    ])

    /// The text that a Prometheus server reads (text format 0.0.4): HELP, TYPE and a line for each value. A metric without a
    /// value is left out.
    public var prometheusText: String {
        var text = ""
        for (metric, samples) in samples where !samples.isEmpty {
            let name = metric.prometheusName
            text += "# HELP \(name) \(metric.help)\n# TYPE \(name) \(metric.kind.rawValue)\n"
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
