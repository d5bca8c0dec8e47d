import CRealtime
import Glibc
import RemoteIO
import Synchronization

/// A client of the ALSA sequencer for a program that routes MIDI itself: its ports come and go one by one, messages are bytes,
/// and each goes to one port of another program or to all that listen, at once or at a moment.
///
/// Any thread. A thread of its own reads, between the initialiser and `close`.
package final class SequencerPorts: Sendable {
    /// A message, or a piece of a System Exclusive message, that came to one of our ports.
    package struct Arrival: Sendable {
        package let source: MIDIPortAddress
        /// The number of our port.
        package let port: UInt8
        /// The moment at which the kernel took it: CLOCK_MONOTONIC.
        package let nanoseconds: Int64
        package let bytes: [UInt8]
    }

    /// The two ends of a cable: each joins the pieces of its own messages.
    private struct Cable: Hashable {
        let port: UInt8
        let destination: MIDIPortAddress?
    }

    private struct State {
        let calls: ALSASequencerCalls
        let reader: MIDIByteCoder
        var stamps = EventStamps()
        var senders: [Cable: MIDIByteCoder] = [:]
        /// The queue for messages that are sent at a moment, from the first output on.
        var queue: Int32?
        var sending = SendingQueue()
        var isOver = false
        var thread: PlainThread?
    }

    private let state: Mutex<State>
    private let wake: WakeEvent
    private let received: @Sendable (Arrival) -> Void
    private let changed: @Sendable () -> Void

    private static let priority = 60, readAtOnce = 256

    /// Opens the client and begins to read. - Throws: `MIDIInletError`.
    /// - Parameters:
    ///   - received: takes what comes, on the thread that reads.
    ///   - changed: says that ports of others came, went or changed; on the thread that reads.
    package init(
        name: String, received: @escaping @Sendable (Arrival) -> Void, changed: @escaping @Sendable () -> Void
    ) throws(MIDIInletError) {
        (self.received, self.changed) = (received, changed)
        wake = try WakeEvent()
        let calls = try ALSASequencerCalls(name: name)
        try calls.enlargePools()
        try calls.startQueue(name: name)
        let own = MIDIPortAddress(client: calls.client, port: try calls.createAnnouncements(name: "\(name) announcements"))
        if let fault = calls.subscribe(from: .announce, to: own) { throw .failed("\(fault)") }
        let descriptor = try calls.inputDescriptor().fd
        state = Mutex(State(calls: calls, reader: try MIDIByteCoder()))
        do throws(DeviceError) {
            let thread = try PlainThread(name: "carillon-midi") { [self] in read(descriptor) }
            state.withLock { $0.thread = thread }
        } catch { throw .failed("\(error)") }
    }

    /// Ends the thread and closes the client; returns when nothing comes any more. Not on the thread that reads.
    package func close() {
        let thread = state.withLock { state in
            state.isOver = true
            defer { state.thread = nil }
            return state.thread
        }
        wake.signal()
        thread?.join()
    }

    /// The ports of others, in the order of their addresses.
    package var ports: [MIDIPort] {
        state.withLock { $0.calls.ports() }.filter { $0.kind != .own && $0.kind != .system }
    }

    /// Adds a port that can be played to. Others see it unless it is hidden. - Throws: `failed`.
    package func addInput(_ name: String, isHidden: Bool = false) throws(MIDIInletError) -> UInt8 {
        try add { calls throws(MIDIInletError) in
            isHidden ? try calls.createHiddenInput(name: name) : try calls.createInput(name: name)
        }
    }

    /// Adds a port to send from. Others see it unless it is hidden. - Throws: `failed`.
    package func addOutput(_ name: String, isHidden: Bool = false) throws(MIDIInletError) -> UInt8 {
        state.withLock { state in
            if state.queue != nil { return }
            do throws(MIDIInletError) {
                state.queue = try state.calls.startSendingQueue(name: name, rate: SendingQueue.rate)
            } catch {
                // Without a timer everything is sent at once, late rather than never.
                state.queue = -1
            }
        }
        return try add { calls throws(MIDIInletError) in
            isHidden ? try calls.createHiddenOutput(name: name) : try calls.createOutput(name: name)
        }
    }

    private func add(
        _ make: @Sendable (ALSASequencerCalls) throws(MIDIInletError) -> UInt8
    ) throws(MIDIInletError) -> UInt8 {
        let result: Result<UInt8, MIDIInletError> = state.withLock { state in
            do throws(MIDIInletError) { return .success(try make(state.calls)) } catch { return .failure(error) }
        }
        return try result.get()
    }

    /// Takes a port away, with its connections.
    package func remove(_ port: UInt8) {
        state.withLock { state in
            state.calls.delete(port: port)
            state.senders = state.senders.filter { $0.key.port != port }
        }
    }

    /// Connects another's port to an input. nil when it worked or was done already.
    package func connect(from source: MIDIPortAddress, to input: UInt8) -> ALSAFault? {
        state.withLock { $0.calls.subscribe(from: source, to: MIDIPortAddress(client: $0.calls.client, port: input)) }
    }

    /// Takes a connection to an input away. nil when it worked or was done already.
    package func disconnect(from source: MIDIPortAddress, to input: UInt8) -> ALSAFault? {
        state.withLock { $0.calls.unsubscribe(from: source, to: MIDIPortAddress(client: $0.calls.client, port: input)) }
    }

    /// Connects an output to another's port, which a device needs to be open. nil when it worked or was done already.
    package func connect(from output: UInt8, to destination: MIDIPortAddress) -> ALSAFault? {
        state.withLock { $0.calls.subscribe(from: MIDIPortAddress(client: $0.calls.client, port: output), to: destination) }
    }

    /// Sends bytes from an output, to one port or to all that listen; at a moment (CLOCK_MONOTONIC nanoseconds) within 1 ms of
    /// it, or at once. The kernel holds some 1000 messages that wait. A message may come in pieces. nil when it was taken.
    package func send(
        _ bytes: [UInt8], from output: UInt8, to destination: MIDIPortAddress? = nil, at nanoseconds: Int64? = nil
    ) -> ALSAFault? {
        state.withLock { state in
            var moment: (queue: Int32, stamp: Int64)?
            if let nanoseconds, let queue = state.queue, queue >= 0 {
                for _ in 0..<4 {
                    let before = rt_monotonic_nanoseconds()
                    guard let time = state.calls.queueNanoseconds(of: queue) else { break }
                    state.sending.observe(before: before, queue: time, after: rt_monotonic_nanoseconds())
                }
                moment = state.sending.stamp(nanoseconds).map { (queue, $0) }
            }
            let cable = Cable(port: output, destination: destination)
            do throws(MIDIInletError) {
                let coder: MIDIByteCoder
                if let known = state.senders[cable] { coder = known } else { coder = try MIDIByteCoder() }
                state.senders[cable] = coder
                return state.calls.send(bytes, coder, from: output, to: destination, at: moment)
            } catch { return ALSAFault("snd_midi_event_new", -ENOMEM) }
        }
    }

    /// Withdraws what waits for a destination, or for all.
    package func withdraw(to destination: MIDIPortAddress?) { state.withLock { $0.calls.withdraw(to: destination) } }

    private func read(_ descriptor: Int32) {
        _ = ThreadPriority.promoteCurrentThread(priority: Self.priority, locksMemory: false)
        var descriptors = [
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        while true {
            let next = state.withLock { state -> Int64? in
                state.stamps.readClock(state.calls)
                return state.isOver ? nil : state.stamps.nextReading
            }
            guard let next else { return }
            let wait = max(0, (next - rt_monotonic_nanoseconds() + 999_999) / 1_000_000)
            poll(&descriptors, nfds_t(descriptors.count), Int32(clamping: wait))
            if descriptors[1].revents != 0 { rt_event_clear(wake.descriptor) }
            var isBehind = true
            while isBehind {
                let (arrivals, isNews, isFull) = state.withLock { Self.take(&$0) }
                for arrival in arrivals { received(arrival) }
                if isNews { changed() }
                isBehind = isFull
                // A real-time thread that never sleeps stops the machine.
                if isFull { usleep(500) }
            }
        }
    }

    private static func take(_ state: inout State) -> ([Arrival], isNews: Bool, isFull: Bool) {
        var arrivals: [Arrival] = [], isNews = false
        let began = rt_monotonic_nanoseconds()
        for _ in 0..<readAtOnce {
            switch state.calls.readBytes(state.reader) {
            case .empty:
                state.stamps.foundEnd(at: began)
                return (arrivals, isNews, false)
            case .message(let bytes, let source, let destination, let stamp):
                let now = rt_monotonic_nanoseconds()
                state.stamps.heardMusic(at: now)
                let moment = state.stamps.moment(ofStamp: stamp, now: now)
                arrivals.append(Arrival(source: source, port: destination, nanoseconds: moment, bytes: bytes))
            // What was lost may have been news.
            case .announcement, .overrun: isNews = true
            case .other: break
            }
        }
        return (arrivals, isNews, true)
    }
}
