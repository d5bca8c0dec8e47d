import RealtimeCore
import Reports

/// The session as a whole: its time, its counters, its end.
final class WholePart: LonePart {
    private let core: SessionCore

    static let verbs = [Verb.panic, .quit]

    static let fields: [PartField<WholePart>] = [
        PartField(
            showing: Field(
                "statusVersion", { _ in SessionSnapshot.statusVersion }, "Increases when a key is removed or changes its meaning."
            )),
        PartField(\.sampleTime) { $0.core.moment },
        PartField(
            showing: Field("frames", { Int($0.sampleTime.rawValue) }, as: .counter("frames"), "Frames rendered so far.")),
        PartField(\.seconds, "seconds", "Seconds since the beginning.") { part in
            Double(part.core.moment.rawValue) / Double(part.core.options.sampleRate)
        },
        PartField(\.lateEvents, "lateEvents", as: .counter("late_events"), "Events that came after their time.") {
            $0.core.engine.renderer.counters.lateEvents
        },
        PartField(
            \.lostEvents, "lostEvents", as: .counter("lost_events"),
            "Events dropped for lack of room, and notes that reached no instrument."
        ) { $0.core.lostEvents },
        PartField(
            \.remarks, "remarks", as: .gauge("remarks"),
            "Different remarks so far, on what songs, SoundFonts and keyboards request and is not done."
        ) { $0.core.remarks.count },
    ]

    init(_ core: SessionCore) { self.core = core }

    func quit() { core.isOver = true }
}

extension SessionSnapshot {
    /// Rises when a key changes its meaning or goes; new keys do not raise it.
    package static let statusVersion = 1
}

extension SnapshotKeys {
    /// The sample time of the next slice.
    public var sampleTime: SnapshotKey<SampleTime> { SnapshotKey(.zero) }
    /// Seconds since the beginning.
    public var seconds: SnapshotKey<Double> { SnapshotKey(0) }
    /// Events that came after their time.
    public var lateEvents: SnapshotKey<Int> { SnapshotKey(0) }
    /// Events that found a full queue or a unit that is not there, and notes that began and reached no instrument.
    public var lostEvents: SnapshotKey<Int> { SnapshotKey(0) }
    /// The number of different remarks so far: on requests of songs, SoundFonts and keyboards that are not met.
    public var remarks: SnapshotKey<Int> { SnapshotKey(0) }
}

extension Verb {
    static let panic = Verb("panic", help: "Ends everything that sounds.", "panic") { (parts) throws(Fault) in
        try parts.silence()
    }
    package static let quit = Verb("quit", help: "Ends the session.", "quit", role: .end) { (whole: WholePart, _) in whole.quit()
    }
}

extension ControlCommand {
    /// Ends notes that hang.
    public static func panic(_ scope: PanicScope) -> ControlCommand {
        switch scope {
        case .all: Verb.panic()
        case .channel(let channel): Verb.panicChannel(channel)
        case .unit(let name): Verb.panicUnit(name)
        case .source(let name): Verb.panicSource(name)
        }
    }
    /// Ends the session: notes are released, files and devices closed.
    public static let quit = Verb.quit()
}

/// The scope of a panic.
public enum PanicScope: Sendable, Hashable {
    /// Everything that one MIDI source holds, by its name.
    case source(String)
    /// Everything that one unit of the graph sounds, by its name there.
    case unit(String)
    /// Everything that sounds on a channel, counted from 1.
    case channel(Int)
    /// Everything.
    case all
}
