import CRealtime
import MIDI
import RemoteIO

/// The output ports of a client: their connections, what is sent to them, and the clock. MIDI thread, once it runs.
final class MIDIOutputs {
    private let calls: ALSASequencerCalls
    private let name: String
    private var bay = OutputBay()
    /// The outputs, and the numbers of our ports for them.
    private var outputs: [(output: MIDIOutput, own: UInt8)] = []
    private var played: [UInt8: Set<UInt8>] = [:]
    private var clock: [String] = []
    private var clockPort: UInt8?
    private var queue: Int32?
    private var sending = SendingQueue()
    /// The queue for notes that are sent at a moment: from the first on.
    private var noteQueue: Int32?
    private var noteSending = SendingQueue()
    /// Endings that were held back while a feedback loop was suspected.
    private var late: [MIDIMessage] = []
    private(set) var notices: [MIDINotice] = []
    /// Connections that ports of the clock had.
    private(set) var faults = 0, clockConnections = 0

    init(_ calls: ALSASequencerCalls, name: String) {
        self.calls = calls
        self.name = name
    }

    var isOpen: Bool { !outputs.isEmpty }
    var deadline: Int64? { bay.deadline }
    /// Our ports that notes go out on.
    var notePorts: [UInt8] { outputs.map(\.own) }
    private var ports: [UInt8] { outputs.map(\.own) + (clockPort.map { [$0] } ?? []) }

    func open(_ wanted: [MIDIOutput], clock names: [String]) {
        for (index, output) in wanted.enumerated() {
            if index < outputs.count {
                outputs[index].output = output
                continue
            }
            guard let own = port("\(name) out to \(output.name)") else { continue }
            outputs.append((output, own))
            add(output.name, own)
        }
        for name in clock where !names.contains(name) {
            guard let own = clockPort, let address = bay.remove(name, own: own) else { continue }
            if calls.unsubscribe(from: MIDIPortAddress(client: calls.client, port: own), to: address) != nil { faults += 1 }
        }
        if !names.isEmpty, clockPort == nil { clockPort = port("\(name) clock") }
        if let own = clockPort { for name in names where !clock.contains(name) { add(name, own) } }
        clock = names
        if names.isEmpty, let queue {
            calls.free(queue: queue)
            (self.queue, sending) = (nil, SendingQueue())
        } else if !names.isEmpty, queue == nil {
            do throws(MIDIInletError) {
                queue = try calls.startSendingQueue(name: "\(name) clock", rate: SendingQueue.rate)
            } catch { notices.append(.noClock(error)) }
        }
    }

    private func port(_ name: String) -> UInt8? {
        do { return try calls.createOutput(name: name) } catch {
            notices.append(.noOutput(name: name, error))
            return nil
        }
    }

    private func add(_ name: String, _ own: UInt8) {
        do throws(MIDIInletError) { bay.add(name, try ConnectionRule(name), own: own) } catch {
            guard case .rule(_, let fault) = error else { return notices.append(.noOutput(name: name, error)) }
            notices.append(.output(name: name, .unreadable(fault)))
        }
    }

    var destinations: [MIDIDestination] {
        bay.lines.map { line in
            var port: String?
            if case .connected(let name) = line.state { port = name }
            return MIDIDestination(line.name, getsBeat: line.own == clockPort, port: port, state: "\(line.state)")
        }
    }

    func vanished(_ port: MIDIPortAddress) { bay.vanished(port) }
    func disconnected(_ own: UInt8, _ port: MIDIPortAddress) { bay.disconnected(own, port) }

    /// What goes there comes back: it no longer gets anything.
    func bar(_ own: UInt8, _ port: MIDIPortAddress) { bay.bar(own, port, .feedback) }

    /// Announcements may have been lost.
    func lookAround() {
        for own in ports {
            bay.reconcile(own, with: calls.listeners(of: MIDIPortAddress(client: calls.client, port: own)))
        }
    }

    /// Returns whether anything has changed.
    func connect(_ ports: [MIDIPort], at now: Int64) -> Bool {
        for change in bay.changes(ports, at: now) {
            let line = bay.lines[change.line], isAgain = line.wasConnected
            let own = MIDIPortAddress(client: calls.client, port: line.own)
            let fault = calls.subscribe(from: own, to: change.destination)
            bay.done(change, ports.first { $0.address == change.destination }?.name ?? "", fault, at: now)
            if fault != nil { continue }
            if line.own == clockPort {
                clockConnections += 1
            } else {
                greet(line.own, isAgain: isAgain)
            }
        }
        let changed = bay.takeChanged()
        notices += changed.map { .output(name: $0.name, $0.state) }
        return !changed.isEmpty
    }

    /// A device that was away may still hold notes whose ends it missed.
    private func greet(_ own: UInt8, isAgain: Bool) {
        if isAgain {
            for channel in (played[own] ?? []).sorted() {
                for controller in [Controller.sustain, .allNotesOff] {
                    post(MIDIMessage(status: 0xB0 | channel, data1: controller.rawValue), from: own)
                }
            }
        }
        for message in outputs.first(where: { $0.own == own })?.output.greeting ?? [] { post(message, from: own) }
    }

    func takeNotices() -> [MIDINotice] {
        defer { notices = [] }
        return notices
    }

    /// While a feedback loop is suspected (`isWithheld`) nothing is sent, an ending later.
    func send(_ message: MIDIMessage, isWithheld: Bool = false) {
        guard let number = message.output, outputs.indices.contains(number) else {
            faults += 1
            return
        }
        if isWithheld {
            if message.isEnding { late.append(message) }
            return
        }
        let own = outputs[number].own
        played[own, default: []].insert(message.channel)
        post(message, from: own)
    }

    func send(_ bytes: [UInt8], fromInput input: UInt8) {
        for (output, own) in outputs where output.systemExclusiveInputs.contains(input) {
            if calls.send(bytes, from: own) != nil { faults += 1 }
        }
    }

    /// No loop is suspected any more: the endings that were held back go out.
    func sendLate() {
        let messages = late
        late = []
        for message in messages { send(message) }
    }

    private func post(_ message: MIDIMessage, from own: UInt8) {
        if calls.send(message, from: own) != nil { faults += 1 }
    }

    /// What was to be sent at `withdrawn` or later is not.
    func schedule(_ messages: [StampedClockMessage], withdrawing withdrawn: Int64?) {
        guard let queue, let port = clockPort else {
            faults += messages.count
            return
        }
        observe(queue, &sending)
        if let withdrawn, let stamp = sending.withdraw(from: withdrawn), calls.withdraw(from: stamp, on: queue) != nil {
            faults += 1
        }
        for message in messages {
            guard let stamp = sending.stamp(message.nanoseconds),
                calls.send(message.message, from: port, on: queue, at: stamp) == nil
            else {
                faults += 1
                continue
            }
        }
    }

    /// What was scheduled for `withdrawn` or later is no longer sent.
    func schedule(_ messages: [StampedMIDIMessage], withdrawing withdrawn: Int64?) {
        if noteQueue == nil {
            do throws(MIDIInletError) {
                noteQueue = try calls.startSendingQueue(name: "\(name) notes", rate: SendingQueue.rate)
            } catch { notices.append(.noClock(error)) }
        }
        guard let queue = noteQueue else {
            faults += messages.count
            return
        }
        observe(queue, &noteSending)
        if let withdrawn, let stamp = noteSending.withdraw(from: withdrawn), calls.withdraw(from: stamp, on: queue) != nil {
            faults += 1
        }
        for stamped in messages {
            guard let number = stamped.message.output, outputs.indices.contains(number),
                let stamp = noteSending.stamp(stamped.nanoseconds)
            else {
                faults += 1
                continue
            }
            let own = outputs[number].own
            played[own, default: []].insert(stamped.message.channel)
            if calls.send(stamped.message, from: own, on: queue, at: stamp) != nil { faults += 1 }
        }
    }

    private func observe(_ queue: Int32, _ sending: inout SendingQueue) {
        for _ in 0..<4 {
            let before = rt_monotonic_nanoseconds()
            guard let time = calls.queueNanoseconds(of: queue) else { break }
            sending.observe(before: before, queue: time, after: rt_monotonic_nanoseconds())
        }
    }
}

extension MIDIMessage {
    /// A device would go on with something without this message.
    fileprivate var isEnding: Bool {
        switch kind {
        case .noteOff: true
        case .noteOn, .controlChange: data2 == 0
        default: false
        }
    }
}
