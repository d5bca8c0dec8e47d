import MIDI
import RealtimeCore
import Reports

/// A part of a session: its requests, its facts, its work in each turn, and its end. It owns its state and alone declares its
/// verbs and fields.
///
/// A part reaches the engine through the session's core, and another part only by what that offers. Session's thread; every
/// function but `verbs` and `fields` does nothing unless a part has its own.
package protocol SessionPart: AnyObject, SendableMetatype {
    /// The requests that it carries out.
    static var verbs: [Verb] { get }
    /// The facts that it reports, most of them keys of the status.
    static var fields: [PartField<Self>] { get }
    /// The reason for refusing its verbs in a session that has no such part.
    static var isMissing: Fault { get }

    /// Begins: from here on it sounds.
    func start() throws(Fault)
    /// Takes in what took effect since the last turn.
    func hear(_ performance: Performance) throws(Fault)
    /// Does its regular work, ten to a hundred times a second.
    func turn() throws(Fault)
    /// Applies the effects of requests and events, after each request and at the end of each turn.
    func settle()
    /// Takes out new notices for the user.
    func takeNotices() -> [String]
    /// Takes out remarks on requests that were not met as asked; a remark that is taken out repeatedly is shown once.
    func takeRemarks() -> [Remark]

    /// Takes out the requests that it makes itself, such as those of buttons. They are performed in the same turn.
    func takeRequests(_ parts: [any SessionPart]) -> [SessionRequest]

    /// Ends everything that it sounds, at once.
    func silence() throws(Fault)
    /// Accepts no more input: the session ends.
    func leave()
    /// Fades out what it sounds, from `stop` on. Called again if a queue is full.
    func release(at stop: SampleTime) throws(Fault)
    /// Completes its files, so that they are whole even if the device hangs from here on.
    func makeWhole() throws(Fault)
    /// Releases devices and threads.
    func stop()
    /// Writes the rest.
    func finish() throws(Fault)
}

/// A request that a part makes.
package struct SessionRequest: Sendable, Hashable {
    package let command: ControlCommand
    /// The sample time at which it was made, as by a button.
    package let time: SampleTime
}

/// A part that needs no other.
package protocol LonePart: SessionPart {
    init(_ core: SessionCore)
}

extension SessionPart {
    package static var verbs: [Verb] { [] }
    package static var fields: [PartField<Self>] { [] }
    package static var isMissing: Fault { .noPart("\(Self.self)") }

    package func start() throws(Fault) {}
    package func hear(_ performance: Performance) throws(Fault) {}
    package func turn() throws(Fault) {}
    package func settle() {}
    package func takeNotices() -> [String] { [] }
    package func takeRemarks() -> [Remark] { [] }
    package func takeRequests(_ parts: [any SessionPart]) -> [SessionRequest] { [] }
    package func silence() throws(Fault) {}
    package func leave() {}
    package func release(at stop: SampleTime) throws(Fault) {}
    package func makeWhole() throws(Fault) {}
    package func stop() {}
    package func finish() throws(Fault) {}

    /// The forms of its facts in status and metrics, and the keys that they stand before.
    static var shownFields: [(Field<SessionSnapshot>, follower: String?)] {
        fields.compactMap { field in field.shown.map { ($0, field.follower) } }
    }
    /// Writes its facts into a snapshot.
    func write(into snapshot: inout SessionSnapshot) { for field in Self.fields { field.write(self, &snapshot) } }
}

extension [any SessionPart] {
    /// The part of that type; nil where there is none.
    package subscript<Part: SessionPart>(_: Part.Type) -> Part? {
        for part in self { if let part = part as? Part { return part } }
        return nil
    }

    /// The part of that type. Throws its `isMissing` where there is none.
    func part<Part: SessionPart>() throws(Fault) -> Part {
        guard let part = self[Part.self] else { throw Part.isMissing }
        return part
    }

    /// Ends everything that sounds, at once.
    func silence() throws(Fault) {
        var faults = Attempts()
        for part in self { faults.attempt { () throws(Fault) in try part.silence() } }
        try faults.finish()
    }
}

/// Does a step that is tried again in the next turn without any loss: a full queue is no fault.
func again(_ step: () throws(Fault) -> Void) throws(Fault) {
    do { try step() } catch {
        if error.kind == .queueFull { return }
        throw error
    }
}
