import Reports

/// The verbs and fields of the parts that a session can have. Grammar, help, completion, status, metrics and reference are
/// loops over them.
public struct SessionVocabulary: Sendable {
    /// All verbs, in the order of the help.
    package let verbs: [Verb]
    private let fields: [Field<SessionSnapshot>]

    /// The parts of every session.
    public static let standard = SessionVocabulary()

    /// The parts of every session, and these.
    package init(_ more: any SessionPart.Type...) {
        let parts = SessionParts.all + more + [WholePart.self]
        verbs = parts.flatMap { $0.verbs }
        var fields: [Field<SessionSnapshot>] = [], followers: [(Field<SessionSnapshot>, String)] = []
        for (field, follower) in parts.flatMap({ $0.shownFields }) {
            if let follower { followers.append((field, follower)) } else { fields.append(field) }
        }
        let places = Dictionary(uniqueKeysWithValues: Self.order.enumerated().map { ($1, $0) })
        let sorted = fields.enumerated().sorted {
            (places[$0.element.place] ?? .max, $0.offset) < (places[$1.element.place] ?? .max, $1.offset)
        }
        fields = sorted.map(\.element)
        for (field, follower) in followers {
            fields.insert(field, at: fields.firstIndex { $0.name == follower } ?? fields.endIndex)
        }
        self.fields = fields
    }

    /// The keys of the status in the order that clients know; further ones come after them. Metrics that the status does not
    /// show have a `#`.
    private static let order = """
        statusVersion frames seconds device deviceOutputs load worstLoad shedding xruns lateEvents lostEvents voices volume levels \
        limiter remarks capture captureFault keyTranspose song lyrics parameterEdition songEdition layers patches text scene scenes learning buttons \
        metronome zones following notes channels keyboards outputs #held_notes #keyboards #peak #average #device_output_running \
        #device_output_xruns #device_output_missing
        """.split(separator: " ").map(String.init)

    /// The shape of the status.
    package var shape: FieldShape { .group(fields.members()) }
    /// The metrics, in the order of the status.
    package var metrics: [Metric] { fields.flatMap(\.metrics) }

    /// Returns the status that a snapshot gives, with null for what it lacks.
    package func status(_ snapshot: SessionSnapshot) -> FieldValue { .object(fields.values(of: snapshot)) }

    /// Returns the samples that a snapshot gives.
    package func measured(_ snapshot: SessionSnapshot) -> [(metric: Metric, samples: [Metric.Sample])] {
        fields.measured(snapshot)
    }
}

extension Field {
    fileprivate var place: String { name ?? "#\(metrics.first?.name ?? "")" }
}
