import Graphs
import Reports
import UnitAPI

/// A count that a unit keeps, and the remark that it is worth once it is above 0.
struct NodeRemark {
    private let readout: String
    private let kind: Remark.Kind
    private let sentence: @Sendable (Int) -> String
    private let remedy: String?

    private init(
        _ readout: String, _ kind: Remark.Kind, remedy: String? = nil, _ sentence: @escaping @Sendable (Int) -> String
    ) {
        (self.readout, self.kind, self.sentence, self.remedy) = (readout, kind, sentence, remedy)
    }

    static let ofInstruments = [
        NodeRemark("unplayable-notes", .missing) {
            "no preset with a sample for \(CountedNoun.text($0, "note")), which stayed silent"
        },
        NodeRemark("unanswered-notes", .missing) {
            "no sample for \(CountedNoun.text($0, "note")) at \($0 == 1 ? "its" : "their") key and velocity, which stayed silent"
        },
        NodeRemark("unreadable-samples", .missing, remedy: "copy the SoundFont again") {
            "\(CountedNoun.text($0, "sample")) unreadable, and silent"
        },
        NodeRemark("stolen-voices", .cut, remedy: "raise the polyphony to hear them") {
            "\(CountedNoun.text($0, "voice")) cut short for newer ones"
        },
        NodeRemark("clamped-values", .substituted) { "\(CountedNoun.text($0, "controller value")) out of range, and limited" },
    ]

    static let ofPlugIns = [
        NodeRemark("crashes", .missing, remedy: "check whether the plug-in works") {
            "its process ended \(CountedNoun.text($0, "time"))"
        },
        NodeRemark("lost-frames", .missing) {
            "\(CountedNoun.text($0, "frame")) of the plug-in were not there in time, and were silent"
        },
        NodeRemark("allocations", .level) {
            "the plug-in allocates while it renders (\(CountedNoun.text($0, "call"))); live it may crackle"
        },
    ]

    func remark(on node: Graph.Node) -> Remark? {
        guard let value = node.instance.readout(readout), value > 0 else { return nil }
        return Remark(kind, node.name, sentence(Int(value)), count: Int(value), remedy: remedy)
    }
}
