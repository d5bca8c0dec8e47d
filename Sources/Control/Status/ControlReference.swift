import Carillon
import Reports

/// The page of the documentation that is made from the declarations.
public struct ControlReference {
    private let grammar: ControlGrammar

    /// The page of a grammar.
    public init(_ grammar: ControlGrammar) { self.grammar = grammar }

    /// The page in Markdown: every request, every metric.
    public var markdown: String {
        """
        # Control

        The requests that a session accepts through its socket (<doc:SteerFromOutside>), its status and its metrics. Made from the declarations.

        ## Requests

        \(grammar.reference)
        ## Status

        `status` and `watch` answer one line of JSON with these keys, always all of them; what does not exist is null. Keys and
        metrics with `house` are those of an installation.

        \(status)

        ## Metrics

        `metrics` answers these under `name`; a Prometheus server knows them by the name in the first column.

        \(metrics)
        """
    }

    private var metrics: String {
        let rows = SessionMetrics.metrics(grammar.vocabulary).map { metric in
            "| `\(metric.prometheusName)` | `\(metric.name)` | \(metric.kind.rawValue) | \(metric.help) |"
        }
        return (["| Prometheus | `name` | kind | what it says |", "|---|---|---|---|"] + rows).joined(separator: "\n")
    }

    var status: String {
        (["| key | kind | what it says |", "|---|---|---|"] + grammar.vocabulary.shape.rows(nothing: " or null"))
            .joined(separator: "\n")
    }
}
