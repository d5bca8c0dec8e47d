/// The page of the documentation that is made from the declarations.
public enum ControlReference {
    /// The page in Markdown: every request, every metric.
    public static var markdown: String {
        """
        # Control

        What a session may be asked through its socket (<doc:SteerFromOutside>), and what it counts. Made from the declarations.

        ## Requests

        \(ControlGrammar.reference)
        ## Metrics

        `metrics` answers these under `name`; a Prometheus server knows them by the name in the first column.

        \(metrics)
        """
    }

    private static var metrics: String {
        let rows = SessionMetric.allCases.map { metric in
            let declaration = metric.declaration
            let names = "`\(declaration.prometheusName)` | `\(declaration.name)`"
            return "| \(names) | \(declaration.kind.rawValue) | \(declaration.help) |"
        }
        return (["| Prometheus | `name` | kind | what it says |", "|---|---|---|---|"] + rows).joined(separator: "\n")
    }
}
