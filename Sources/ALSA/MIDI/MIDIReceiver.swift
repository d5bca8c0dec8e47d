import MIDI

/// The receiver that turns what sources play into music events: the ledger, System Exclusive, active sensing, thru and feedback
/// loops, for all links. Pure: time comes in as an argument, and what is to be sent lies in `events` and `thru` afterwards.
struct MIDIReceiver: Sendable {
    /// The time that a source that has sent FE may be silent: the standard's 300 ms and some for a slow machine.
    static let sensingTime: Int64 = 420_000_000

    enum Thru: Hashable, Sendable {
        case message(MIDIMessage)
        case systemExclusive([UInt8])
    }

    private struct State {
        var eventCount = 0
        var lastActivity: Int64
        /// It has sent FE: then silence means that it is gone.
        var isSensing = false
        var assembler = SystemExclusiveAssembler()
    }

    private var states: [MIDILink: State] = [:]
    private(set) var ledger = SourceLedger()
    private var interpreter = SystemExclusive()
    private var feedback = FeedbackDetector()
    private(set) var unfollowed = UnfollowedMusic(isLive: true)
    private let ports: Int

    /// In order; the caller empties it.
    var events: [MusicEvent] = []
    /// Places in `events` of what may have gone out before and come back. The caller empties it.
    var withheld: Set<Int> = []
    /// System Exclusive messages as they came, with the input port; the caller empties it.
    var dumps: [(bytes: [UInt8], input: UInt8)] = []
    /// In order; the caller empties it.
    var thru: [Thru] = []
    var isThruOn = false
    private(set) var received = 0, systemExclusive = 0, systemExclusiveLost = 0

    /// 1...16 input ports.
    init(ports: Int) { self.ports = ports }

    func activity(of link: MIDILink) -> (count: Int, last: Int64)? {
        states[link].map { ($0.eventCount, $0.lastActivity) }
    }

    func links(from sender: MIDIPortAddress) -> [MIDILink] { states.keys.filter { $0.sender == sender }.sorted() }
    var links: [MIDILink] { states.keys.sorted() }
    var isSuspicious: Bool { feedback.deadline != nil }

    /// `now` in CLOCK_MONOTONIC nanoseconds.
    mutating func take(_ body: MIDIPortEvent.Body, from link: MIDILink, at now: Int64) {
        var state = states[link] ?? State(lastActivity: now)
        state.lastActivity = max(now, state.lastActivity)
        let lostBefore = state.assembler.lost
        if case .activeSensing = body {
            state.isSensing = true
            states[link] = state
            return
        }
        received += 1
        state.eventCount += 1
        switch body {
        case .messages(let messages):
            state.assembler.interrupt()
            for message in messages { take(message, from: link, at: now) }
        case .systemExclusive(let piece):
            if let message = state.assembler.take(piece, at: now) { take(message, from: link) }
        case .reset:
            send(ledger.release(link.source), isForwarded: true)
        default: break
        }
        systemExclusiveLost += state.assembler.lost - lostBefore
        states[link] = state
    }

    private mutating func take(_ message: MIDIMessage, from link: MIDILink, at now: Int64) {
        var message = message
        message.port = link.input
        unfollowed.take(.message(message))
        let isForwarded = isThruOn && feedback.mayForward(message, from: link, at: now)
        var sent: [MusicEvent] = []
        ledger.take(.message(message), from: link.source) { sent.append($0) }
        send(sent, isForwarded: isForwarded)
    }

    private mutating func take(_ message: [UInt8], from link: MIDILink) {
        systemExclusive += 1
        unfollowed.take(exclusive: message, port: link.input)
        for event in interpreter.events(from: message, port: link.input) {
            unfollowed.take(event)
            ledger.take(event, from: link.source) { events.append($0) }
        }
        guard isThruOn else { return }
        thru.append(.systemExclusive(message))
        dumps.append((message, link.input))
    }

    private mutating func send(_ sent: [MusicEvent], isForwarded: Bool) {
        if isThruOn && !isForwarded { withheld.formUnion(events.count..<events.count + sent.count) }
        events += sent
        guard isThruOn && isForwarded else { return }
        for case .message(let message) in sent { thru.append(.message(message)) }
    }

    /// Returns how many events the release took.
    @discardableResult
    mutating func release(_ link: MIDILink) -> Int {
        if var state = states.removeValue(forKey: link) {
            let lost = state.assembler.lost
            state.assembler.interrupt()
            systemExclusiveLost += state.assembler.lost - lost
        }
        feedback.forget(link)
        return endHeld(by: link)
    }

    /// Releases what vanished senders hold; returns them in the order of their addresses, with the number of events of each.
    mutating func release(from isGone: (MIDIPortAddress) -> Bool) -> [(sender: MIDIPortAddress, released: Int)] {
        var gone: [(sender: MIDIPortAddress, released: Int)] = []
        for link in links where isGone(link.sender) {
            if gone.last?.sender != link.sender { gone.append((link.sender, 0)) }
            gone[gone.count - 1].released += release(link)
        }
        return gone
    }

    /// `link` may go on playing. Returns how many events that took.
    @discardableResult
    mutating func endHeld(by link: MIDILink) -> Int {
        let released = ledger.release(link.source)
        send(released, isForwarded: true)
        return released.count
    }

    /// Returns how many events that took.
    mutating func endAll() -> Int { links.reduce(0) { $0 + endHeld(by: $1) } }

    /// Silence on every part of every port.
    mutating func panic() { send(ledger.panic(ports: ports), isForwarded: true) }

    /// nil when nothing waits.
    var deadline: Int64? {
        var times: [Int64] = feedback.deadline.map { [$0] } ?? []
        for state in states.values {
            if state.isSensing { times.append(state.lastActivity + Self.sensingTime) }
            if let expiry = state.assembler.expiry { times.append(expiry) }
        }
        return times.min()
    }

    struct Expiry: Sendable {
        /// Links that went silent in spite of active sensing, and how many events their release took.
        var silent: [(link: MIDILink, released: Int)] = []
        var loops: [MIDILink] = []
    }

    /// Everything that has arrived must have been taken before.
    mutating func expire(at now: Int64) -> Expiry {
        var expiry = Expiry()
        for link in links {
            guard var state = states[link] else { continue }
            let lost = state.assembler.lost
            state.assembler.expire(at: now)
            systemExclusiveLost += state.assembler.lost - lost
            let isSilent = state.isSensing && now >= state.lastActivity + Self.sensingTime
            if isSilent { state.isSensing = false }
            states[link] = state
            if isSilent { expiry.silent.append((link, endHeld(by: link))) }
        }
        expiry.loops = feedback.verdicts(at: now)
        return expiry
    }
}
