import Carillon

/// The page of the documentation that is made from the declarations.
public enum ControlReference {
    /// The page in Markdown: every request, every metric.
    public static var markdown: String {
        """
        # Control

        The requests that a session accepts through its socket (<doc:SteerFromOutside>), its status and its metrics. Made from the declarations.

        ## Requests

        \(ControlGrammar.reference)
        ## Status

        `status` and `watch` answer one line of JSON with these keys, always all of them; what does not exist is null.

        \(status)

        ## Metrics

        `metrics` answers these under `name`; a Prometheus server knows them by the name in the first column.

        \(metrics)
        """
    }

    private static var metrics: String {
        let rows = SessionMetrics.metrics.map { metric in
            "| `\(metric.prometheusName)` | `\(metric.name)` | \(metric.kind.rawValue) | \(metric.help) |"
        }
        return (["| Prometheus | `name` | kind | what it says |", "|---|---|---|---|"] + rows).joined(separator: "\n")
    }

    private static func rows(_ shape: FieldShape, below path: String = "") -> [String] {
        switch shape {
        case .group(let members):
            members.flatMap { member in
                let name = path + member.name
                return ["| `\(name)` | \(member.shape.word) | \(member.help) |"] + rows(member.shape, below: name + ".")
            }
        case .list(let item): rows(item, below: String(path.dropLast()) + "[].")
        case .optional(let shape): rows(shape, below: path)
        case .text, .whole, .number, .flag, .choice: []
        }
    }

    static var status: String {
        (["| key | kind | what it says |", "|---|---|---|"] + rows(SessionSnapshot.shape)).joined(separator: "\n")
    }
}

extension FieldShape {
    fileprivate var word: String {
        switch self {
        case .text: "text"
        case .whole: "whole number"
        case .number: "number"
        case .flag: "true, false"
        case .choice(let words): words.joined(separator: ", ")
        case .list: "list"
        case .group: "object"
        case .optional(let shape): shape.word + " or null"
        }
    }
}
