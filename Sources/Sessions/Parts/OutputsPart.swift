import Graphs
import MIDI
import Patches
import RealtimeCore
import RemoteIO
import Reports
import Sequencer

/// Music that is played out, to MIDI ports of the system: notes of zones, channels of songs, and the beat.
///
/// Keyboards' events go there on the MIDI thread itself; notes of other surfaces and the clock come from here. Control side,
/// one thread.
final class OutputsPart: SessionPart {
    private let core: SessionCore
    private(set) var outlet: (any MIDIOutlet)?
    /// The outputs that have numbers, in their order.
    private(set) var names: [String] = []
    /// Ports that get MIDI clock in addition to those of the patch.
    private let ownClock: [String]
    private var clock: [String] = []
    private var ledger = SourceLedger()
    private var schedule: ClockSchedule
    /// Channels of songs that go out; nil means none do.
    private var sends: SendSchedule?
    private let songSends: [SongSend]
    private let sampleRate: Int
    /// Connections of the clock when it was looked at last; nil means never.
    private var connections: Int?
    /// The beat that is sent while no song plays.
    private(set) var beat: MetronomeBeat
    /// The passages of songs, for the clock; empty: none are played.
    var passages: () -> [ClockPassage] = { [] }
    var metronome: () -> (isRunning: Bool, tempo: Double)? = { nil }
    /// Called when the session's tempo changes, with the time.
    var onTempo: (Double, SampleTime) -> Void = { _, _ in }
    /// Called when a patch plays from now on.
    var onPatch: (Patch?) -> Void = { _ in }

    private static let source = SourceLedger.Source(rawValue: 0)

    static let fields: [PartField<OutputsPart>] = [
        PartField(\.outputs, "outputs", "MIDI output ports.") { $0.states }
    ]

    init(_ core: SessionCore) {
        self.core = core
        ownClock = core.options.connections.clock
        (songSends, sampleRate) = (core.options.connections.sends, core.options.sampleRate)
        schedule = ClockSchedule(sampleRate: sampleRate)
        beat = MetronomeBeat(sampleRate: sampleRate)
    }

    func isNeeded(by patch: Patch?) -> Bool {
        if !ownClock.isEmpty || !songSends.isEmpty { return true }
        return patch.map { !$0.clock.isEmpty || $0.zones.contains { $0.output != nil } } ?? false
    }

    func attach(_ outlet: (any MIDIOutlet)?) { self.outlet = outlet }

    /// The outputs that zones name, and the ports that get MIDI clock of a patch. Does nothing if nothing has changed.
    func open(_ zones: ZoneRouter?, _ patch: Patch?) {
        var outputs = zones?.outputs ?? names.map { MIDIOutput($0) }
        for send in songSends where !outputs.contains(where: { $0.name == send.output }) {
            outputs.append(MIDIOutput(send.output))
        }
        names = outputs.map(\.name)
        if sends == nil, !songSends.isEmpty {
            var numbers: [Int: UInt8] = [:]
            for send in songSends {
                let number = names.firstIndex(of: send.output).map { UInt8($0) }
                for channel in send.channels { numbers[channel - 1] = number }
            }
            sends = SendSchedule(numbers, sampleRate: sampleRate)
        }
        let wanted = patch?.clock ?? []
        clock = ownClock + wanted.filter { !ownClock.contains($0) }
        outlet?.open(outputs, clock: clock)
        onPatch(patch)
    }

    /// Sends the events that go out; returns the rest, which is the graph's.
    func divert(_ commands: [RenderCommand]) -> [RenderCommand] {
        commands.filter { command in
            guard case .music(let event) = command.event, event.isOutside else { return true }
            send(event)
            return false
        }
    }

    func send(_ event: MusicEvent) {
        guard case .message(var message) = event else { return }
        message.port -= MIDIOutput.firstPort
        var sent: [MusicEvent] = []
        ledger.take(.message(message), from: Self.source) { sent.append($0) }
        post(sent)
    }

    /// Ends keys, pedals and bends that were begun from here.
    func release() { post(ledger.release(Self.source)) }

    private func post(_ events: [MusicEvent]) {
        let messages = events.compactMap { event -> MIDIMessage? in
            guard case .message(var message) = event else { return nil }
            message.port += MIDIOutput.firstPort
            return message
        }
        if !messages.isEmpty { outlet?.send(messages) }
    }

    private var states: [SessionSnapshot.Output] {
        guard let outlet else {
            let wanted = names.map { ($0, false) } + clock.map { ($0, true) }
            return wanted.map { name, getsBeat in
                .init(name: name, getsBeat: getsBeat, port: nil, state: "there is no ALSA sequencer to play out through")
            }
        }
        return outlet.destinations.map { .init(name: $0.name, getsBeat: $0.getsBeat, port: $0.port, state: $0.state) }
    }

    func silence() { release() }

    /// Keeps MIDI's clock, and the channels of songs that are played outside, ahead of the music. All of it goes out when the
    /// music is heard: after the buffer and after the latency of the graph.
    func settle() {
        let now = core.now, soon = core.soon, latency = core.graph.latency
        if let metronome = metronome() {
            beat.follow(isRunning: metronome.isRunning, tempo: metronome.tempo, now: now, soon: soon)
        }
        let moment = core.port.status.time.map { time in { time.nanoseconds(at: $0 + latency) } }
        follow(passages(), now: now, soon: soon, moment: moment)
        followSongs(now: now, moment: moment)
    }

    func change(isRunning: Bool, tempo: Double?, at time: SampleTime) {
        let former = beat.tempo
        beat.change(isRunning: isRunning, tempo: tempo, at: time)
        if beat.tempo != former { onTempo(beat.tempo, time) }
    }

    /// Keeps the clock ahead. `songs` are empty where none are played; `moment` is when a sample time is heard, in nanoseconds.
    private func follow(_ songs: [ClockPassage], now: SampleTime, soon: SampleTime, moment: ((SampleTime) -> Int64)?) {
        guard let outlet, !clock.isEmpty, let moment else { return }
        let connections = outlet.clockConnections
        let change = schedule.update(
            beat.filling(songs), now: now, soon: soon, at: outlet.nanoseconds,
            hasNewcomer: self.connections.map { $0 != connections } ?? false, moment: moment)
        self.connections = connections
        if let change { outlet.schedule(change.messages, withdrawing: change.withdrawn) }
    }

    /// Takes the next segments of the songs.
    func post(_ segments: [ScoreSegment]) { if sends != nil { for segment in segments { sends?.post(segment) } } }

    /// Keeps the songs' outgoing channels ahead.
    private func followSongs(now: SampleTime, moment: ((SampleTime) -> Int64)?) {
        guard let outlet, let moment else { return }
        if let change = sends?.update(now: now, at: outlet.nanoseconds, moment: moment) {
            outlet.schedule(change.messages, withdrawing: change.withdrawn)
        }
    }

    /// Ends the notes that were begun, and stops the followers of the clock, at once.
    func leave() {
        release()
        if let outlet, let change = sends?.end(at: outlet.nanoseconds) {
            outlet.schedule(change.messages, withdrawing: change.withdrawn)
        }
        if !clock.isEmpty { outlet?.schedule([StampedClockMessage(.stop, at: 0)], withdrawing: 0) }
        outlet = nil
    }
}

extension SnapshotKeys {
    /// The MIDI ports outside that are played to.
    public var outputs: SnapshotKey<[SessionSnapshot.Output]> { SnapshotKey([]) }
}

extension SessionSnapshot {
    /// A MIDI port that is played to, from zones or with the beat.
    public struct Output: Sendable, Hashable {
        /// The name that the patch calls it by.
        public var name: String
        /// True if it gets MIDI clock; else it gets notes.
        public var getsBeat: Bool
        /// The port that it is connected to; nil while it is not.
        public var port: String?
        /// A sentence on where it goes, or why it goes nowhere.
        public var state: String
    }
}

extension SessionSnapshot.Output: Fielded {
    package static let fields: [Field<Self>] = [
        Field("name", \.name, "Its name in the patch."),
        Field("getsBeat", \.getsBeat, "Whether it gets MIDI clock; otherwise it gets notes."),
        Field("port", \.port, "The port that it is connected to."),
    ]
}
