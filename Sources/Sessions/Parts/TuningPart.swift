import EngineCore
import Reports

/// The tuning of all instruments.
final class TuningPart: LonePart {
    private let core: SessionCore

    static let verbs = [Verb.tuning]
    static let fields: [PartField<TuningPart>] = [
        PartField(\.tuning, "tuning", "The tuning of the instruments; none: equal temperament at 440 Hz.") {
            $0.core.engine.midi.tuning?.name
        }
    ]

    init(_ core: SessionCore) { self.core = core }

    func tune(_ text: String, map: String?) throws(Fault) { core.engine.midi.tune(try Tuning(asked: text, map: map)) }

    func takeRemarks() -> [Remark] { core.engine.midi.tuningRemarks }
}

extension SnapshotKeys {
    /// The tuning of the instruments, as it was asked for; nil: equal temperament at 440 Hz.
    public var tuning: SnapshotKey<String?> { SnapshotKey(nil) }
}

extension Verb {
    static let tuning = Verb(
        "tuning", [.init("HERTZ|FILE|off", .name), .init("MAP", .name, isOptional: true)],
        help: "Tunes all instruments but drums: hertz of A4, a Scala file (.scl) with or without a keyboard map (.kbm), or off.",
        "tuning 442", movesSound: true
    ) { (tuning: TuningPart, values) throws(Fault) in try tuning.tune(values.text(0), map: values.optionalText(1)) }
}

extension ControlCommand {
    /// Tunes all instruments, drums apart, those that sound too: hertz of A4 (220 to 880), the path of a Scala file (.scl) with or
    /// without that of a keyboard map (.kbm), or `off` for equal temperament at 440 Hz.
    public static func tuning(_ text: String, map: String? = nil) -> ControlCommand { Verb.tuning(text, map) }
}
