import RealtimeCore
import Remarks

/// A part of a session: what it can be asked, what it tells, what it does with each turn, and how it ends. It owns its state;
/// nobody else names its words.
///
/// A part reaches the engine through the session's core, and another part only by what that offers. Session's thread; every
/// function but `verbs` and `fields` does nothing unless a part has its own.
package protocol SessionPart: AnyObject, SendableMetatype {
    /// The requests that it obeys.
    static var verbs: [Verb] { get }
    /// The facts that it tells, each a key of the status.
    static var fields: [Field<Self>] { get }
    /// The reason for refusing its verbs in a session that has no such part.
    static var isMissing: LiveError { get }

    /// Begins: from here on it sounds.
    func start() throws(LiveError)
    /// Takes in what took effect since the last turn.
    func hear(_ performance: Performance) throws(LiveError)
    /// Does what is to be done now and then, ten to a hundred times a second.
    func turn() throws(LiveError)
    /// Follows what was asked for or has happened, after each request and at the end of each turn.
    func settle()
    /// Shows itself.
    func tell(_ snapshot: inout SessionSnapshot)
    /// Takes out what a person may want to know and has not been told.
    func takeNotices() -> [String]
    /// Takes out what was not as it was asked for; what is taken out again and again is shown once.
    func takeRemarks() -> [Remark]

    /// Ends everything that it sounds, at once.
    func silence() throws(LiveError)
    /// Lets nothing more in: the session ends.
    func leave()
    /// Lets what it sounds die away, from `stop` on. Called again where a queue is full.
    func release(at stop: SampleTime) throws(LiveError)
    /// Makes what it has written a whole file, whatever the device does from here on.
    func makeWhole() throws(LiveError)
    /// Lets go of devices and threads.
    func stop()
    /// Writes the rest.
    func finish() throws(LiveError)
}

/// A part that needs no other.
package protocol LonePart: SessionPart {
    init(_ core: SessionCore)
}

extension SessionPart {
    package static var verbs: [Verb] { [] }
    package static var fields: [Field<Self>] { [] }
    package static var isMissing: LiveError { .noPart("\(Self.self)") }

    package func start() throws(LiveError) {}
    package func hear(_ performance: Performance) throws(LiveError) {}
    package func turn() throws(LiveError) {}
    package func settle() {}
    package func tell(_ snapshot: inout SessionSnapshot) {}
    package func takeNotices() -> [String] { [] }
    package func takeRemarks() -> [Remark] { [] }
    package func silence() throws(LiveError) {}
    package func leave() {}
    package func release(at stop: SampleTime) throws(LiveError) {}
    package func makeWhole() throws(LiveError) {}
    package func stop() {}
    package func finish() throws(LiveError) {}

    /// The keys that it tells, and its metrics.
    static var described: [(name: String, help: String, shape: FieldShape)] { fields.members() }
    static var ownMetrics: [Metric] { fields.flatMap(\.metrics) }
    /// The facts that it tells now.
    var told: [FieldValue.Member] { Self.fields.told(self) }
    /// The metrics that are among them.
    var measured: [(metric: Metric, samples: [Metric.Sample])] { Self.fields.measured(self) }
}

extension [any SessionPart] {
    /// The part of that type; nil where there is none.
    package subscript<Part: SessionPart>(_: Part.Type) -> Part? {
        for part in self { if let part = part as? Part { return part } }
        return nil
    }
}

/// A part that plays cues: an installation's.
package protocol CuePart: SessionPart {
    /// Asks for a cue by its name.
    func ask(for name: String) throws(LiveError)
    /// Lets go of a cue that is held.
    func release(_ name: String)
}

/// Does a step that is tried again with the next turn and loses nothing until then: a full queue is no fault.
func again(_ step: () throws(LiveError) -> Void) throws(LiveError) {
    do { try step() } catch {
        if case .engine(.queueFull) = error { return }
        throw error
    }
}
