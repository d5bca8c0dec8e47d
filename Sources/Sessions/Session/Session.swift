import EngineCore
import Graphs
import MIDI
import RealtimeCore
import RemoteIO
import Reports
import SongRendering

/// An instrument that is being played: an engine, a device, and parts that know each other only by what each offers: songs,
/// keys, patches, recorder and any other that was listed.
///
/// ```
/// MIDI thread -> Renderer <- device          CommandInbox, any thread
///                  ^  |                           |
///   SongsPart -----+  performed -> every part   verbs
/// ```
/// Control side, one thread: call `maintain` ten to a hundred times a second. The audio and MIDI threads run whether it is
/// called or not; only the recorder and a capture would miss something after some seconds. On a `SimulatedPort` time passes
/// only on request, and the same session runs without waiting for anything.
public final class Session {
    /// The inbox into which any thread puts its commands for the session.
    public let inbox: CommandInbox
    let core: SessionCore
    let parts: [any SessionPart]
    private var performances: PerformanceReader
    /// Called when a stage of the end begins (`finish`), with the seconds that it may take: a stage that takes longer hangs, as
    /// with a driver that does not release its device. Session's thread.
    public var onEnd: (_ seconds: Double) -> Void = { _ in }
    /// Calls a closure on the MIDI thread when a button was moved or a patch selected: a surface then calls `maintain` soon.
    public func onButton(_ body: @escaping @Sendable () -> Void) { self[KeysPart.self]?.filter.onPress(body) }
    /// Called with each performance, once it is recorded.
    var onPerformance: (Performance) -> Void = { _ in }

    /// Creates a session of these parts; nothing sounds yet.
    init(_ core: SessionCore, _ parts: [any SessionPart], remarks: [Remark] = [], inbox: CommandInbox = CommandInbox()) {
        (self.core, self.parts, self.inbox) = (core, parts, inbox)
        core.remarks.note(remarks)
        performances = PerformanceReader(core.engine)
        noteRemarks()
    }

    /// The engine that plays.
    public var engine: Engine { core.engine }
    /// The options that it was started with.
    public var options: LiveOptions { core.options }
    /// The graph's units by their part.
    package var graph: SongGraph { core.graph }
    /// True once `quit` was requested, or the last song has ended and nothing else is to be played.
    public var isOver: Bool { core.isOver }
    /// The sample time of the next slice.
    public var sampleTime: SampleTime { core.now }
    /// The counts that the renderer keeps: late events, faults of units, and more.
    public var counters: RenderCounters { engine.renderer.counters }

    /// The part of that type; nil if the session has none.
    package subscript<Part: SessionPart>(_: Part.Type) -> Part? { parts[Part.self] }

    /// The part of that type. Throws its `isMissing` if the session has none.
    func part<Part: SessionPart>(_: Part.Type) throws(Fault) -> Part { try parts.part() }

    /// Starts the threads: from here on it sounds.
    public func start() throws(Fault) {
        performRequests()
        for part in parts { try part.start() }
        settle()
    }

    /// Lets `milliseconds` pass: waits, or advances the clock if time is simulated (`DevicePort.pass`).
    public func pass(milliseconds: Int) { core.port.pass(milliseconds: milliseconds) }

    /// Carries out a command at once. Session's thread; others use the `inbox`.
    @discardableResult
    public func perform(_ command: ControlCommand) throws(Fault) -> CommandOutcome {
        // A question changes nothing.
        defer { if command.verb.role != .look { settle() } }
        return try command.perform(on: parts)
    }

    private func settle() { for part in parts { part.settle() } }

    /// Carries out the commands in the inbox, hands the performed events to the parts, gives each part its turn, and frees
    /// units that have come back.
    ///
    /// If a step fails, the rest is still done. A capture that fails ends there; it is reported once, and once more by
    /// `finish`.
    public func maintain() throws(Fault) {
        var faults = Attempts()
        for item in inbox.take() {
            do throws(Fault) {
                let outcome = try perform(item.command)
                item.answer?(.success(outcome))
            } catch {
                if let answer = item.answer { answer(.failure(error)) } else { core.tell(["\(error)"]) }
            }
        }
        performRequests()
        noteRemarks()
        let performance = performances.read { core.port.report?.eventError.add($0) }
        core.hear(performance)
        for part in parts { faults.attempt { () throws(Fault) in try part.hear(performance) } }
        onPerformance(performance)
        for part in parts { faults.attempt { () throws(Fault) in try part.turn() } }
        settle()
        faults.attempt { () throws(Fault) in
            try engine.maintain()
        }
        try faults.finish()
    }

    /// Requests of the session's own parts: what is refused becomes a notice.
    private func performRequests() {
        for request in parts.flatMap({ $0.takeRequests(parts) }) {
            core.requestTime = request.time
            do throws(Fault) { try perform(request.command) } catch { core.tell(["\(error)"]) }
        }
        core.requestTime = nil
    }

    /// True while buttons wait for time to pass, so that turns should come every 20 ms.
    package var awaitsButtons: Bool { self[ButtonsPart.self]?.isWaiting ?? false }

    /// The session as it shows itself now.
    public var snapshot: SessionSnapshot {
        core.moment = core.now
        return SessionSnapshot(of: parts)
    }

    /// Takes out new notices for the user: sources that came and went, loops, lost events, songs that were left out, commands
    /// that were refused.
    public func takeNotices() -> [String] { core.takeNotices() + parts.flatMap { $0.takeNotices() } }

    /// Takes out the remarks on unmet requests, each once in the session's life: of SoundFonts and patches at the start, of a
    /// song when it is read, of keyboards when it is played.
    public func takeRemarks() -> [Remark] {
        noteRemarks()
        return core.remarks.take()
    }

    private func noteRemarks() { core.remarks.note(parts.flatMap { $0.takeRemarks() }) }

    /// Seconds that a device may take to close, another one second more, and a disk to take the next piece of a file.
    public static let devicePatience = 1.5, filePatience = 6.0

    /// The most seconds that sounds get to die away: half of one, and the slices till the song's stop.
    public var longestFade: Double {
        let slice = max(core.port.grant?.sliceFrames ?? 0, options.device.period)
        return 0.5 + Double(6 * slice) / Double(max(options.sampleRate, 1))
    }

    /// Ends the session: keys and pedals go up and all sound dies away, for half a second at most after the song's stop;
    /// threads end, the device is closed, a capture gets its end. Nothing may be called after it but `snapshot`.
    public func finish() throws(Fault) {
        onEnd(longestFade)
        for part in parts { part.leave() }
        for item in inbox.close() { item.answer?(.failure(.interrupted)) }
        // The song's own stop takes effect then.
        let stop = core.soon, port = core.port
        let wait = { port.pass(milliseconds: 5) }
        var faults = Attempts()
        for part in parts { faults.attempt(passing: wait) { () throws(Fault) in try part.release(at: stop) } }
        var left = 500 + 1000 * max(stop - core.now, 0) / options.sampleRate
        // On a busy machine a pass takes longer than it should.
        let clock = ContinuousClock(), limit = clock.now + .milliseconds(left)
        repeat {
            port.pass(milliseconds: 5)
            left -= 5
            faults.attempt { () throws(Fault) in try maintain() }
        } while left > 0 && !(port.hasOwnThread && clock.now > limit) && !(core.now >= stop && core.meters.areQuiet)
        faults.attempt(passing: wait) { () throws(Fault) in try parts.silence() }
        port.pass(milliseconds: 1 + 2_000 * max(port.grant?.sliceFrames ?? 1, 1) / options.sampleRate)
        onEnd(Self.filePatience)
        faults.attempt { () throws(Fault) in try maintain() }
        for part in parts { faults.attempt { () throws(Fault) in try part.makeWhole() } }
        onEnd(Self.devicePatience + Double(engine.deviceOutputs.count))
        for part in parts { part.stop() }
        onEnd(Self.filePatience)
        faults.attempt { () throws(Fault) in try maintain() }
        for part in parts { faults.attempt { () throws(Fault) in try part.finish() } }
        core.isOver = true
        try faults.finish()
    }
}
