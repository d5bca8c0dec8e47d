import CRealtime
import Graphs
import MIDI
import RealtimeCore
import RemoteIO

/// The work of the MIDI thread, without its waiting. Belongs to that thread, once it runs.
final class MIDIClientSession {
    enum Command: Sendable {
        case stop
        case panic
        case release(DeviceIdentity)
        /// Outputs, and ports that get MIDI clock.
        case open([MIDIOutput], clock: [String])
        case send([MIDIMessage])
        case schedule([StampedClockMessage], withdrawing: Int64?)
        case scheduleNotes([StampedMIDIMessage], withdrawing: Int64?)
    }

    let calls: ALSASequencerCalls
    let setup: MIDIClientSetup
    let time: @Sendable (Int64) -> SampleTime?
    let filter: (@Sendable (MusicEvent, SampleTime) -> [RenderCommand])?
    private let board: MIDIBoard
    let output: UInt8
    let outputs: MIDIOutputs
    private let master: MIDIClockInput?
    private let announcements: UInt8

    private var stamps = EventStamps()
    var patchbay: Patchbay
    var receiver: MIDIReceiver
    var outbox: LiveOutbox
    var counters = MIDICounters()
    var notices: [MIDINotice] = []
    var hasChanged = true
    /// True if more has arrived than one round takes. Some of it may be in libasound's memory, where `poll` does not see it.
    private(set) var isBehind = false
    /// True if connections may not be as the rules want them.
    var isUnsettled = true
    private var nextPublication: Int64 = 0

    /// More events than that in one round, and the thread takes a breath before the next.
    private static let readAtOnce = 512
    /// Nanoseconds.
    private static let publicationTime: Int64 = 20_000_000

    /// Throws when the kernel refuses what cannot be done without.
    init(
        _ setup: MIDIClientSetup, board: MIDIBoard, filter: (@Sendable (MusicEvent, SampleTime) -> [RenderCommand])? = nil,
        time: @escaping @Sendable (Int64) -> SampleTime?, send: @escaping @Sendable (RenderCommand) -> Bool
    ) throws(MIDIInletError) {
        guard (0...16).contains(setup.ports) else { throw .portCount(setup.ports) }
        (self.setup, self.time, self.filter, self.board) = (setup, time, filter, board)
        calls = try ALSASequencerCalls(name: setup.name)
        try calls.enlargePools()
        try calls.startQueue(name: setup.name)
        for number in 0..<setup.ports { _ = try calls.createInput(name: "\(setup.name) in \(number + 1)") }
        // After the inputs, whose numbers are their places.
        let calls = calls
        master = try setup.master.map { (name) throws(MIDIInletError) in
            try MIDIClockInput(calls, following: name, client: setup.name)
        }
        output = try calls.createOutput(name: "\(setup.name) out")
        outputs = MIDIOutputs(calls, name: setup.name)
        announcements = try calls.createAnnouncements(name: "\(setup.name) announcements")
        patchbay = Patchbay(rules: setup.rules, inputCount: setup.ports)
        receiver = MIDIReceiver(ports: setup.ports)
        outbox = LiveOutbox(push: send)
        let own = MIDIPortAddress(client: calls.client, port: announcements)
        if let fault = calls.subscribe(from: .announce, to: own) { throw .failed("\(fault)") }
        stamps.readClock(calls)
        lookAround()
        connect()
        publish(at: rt_monotonic_nanoseconds())
    }

    func inputDescriptor() throws(MIDIInletError) -> Int32 { try calls.inputDescriptor().fd }

    /// Milliseconds until something is to be done although nothing arrives; -1 is never.
    var timeout: Int32 {
        if isBehind { return 0 }
        let now = rt_monotonic_nanoseconds()
        var deadline = stamps.nextReading
        if let next = receiver.deadline { deadline = min(deadline, next) }
        for next in [connectionDeadline, patchbay.announced.deadline] { deadline = min(deadline, next ?? deadline) }
        if hasChanged { deadline = min(deadline, nextPublication) }
        if outbox.isWaiting { deadline = min(deadline, now + 2_000_000) }
        return Int32(min(max((deadline - now + 999_999) / 1_000_000, 0), 10_000))
    }

    private var connectionDeadline: Int64? { [patchbay.deadline, outputs.deadline, master?.deadline].compactMap { $0 }.min() }

    /// Returns false after a command to stop.
    func work(_ commands: [Command]) -> Bool {
        stamps.readClock(calls)
        if outbox.isWaiting { outbox.retry() }
        readEvents()
        let now = rt_monotonic_nanoseconds()
        let expiry = receiver.expire(at: now)
        for (link, released) in expiry.silent {
            counters.sensingTimeouts += 1
            notices.append(.sensingLost(name: name(of: link), released: released))
        }
        for link in expiry.loops { breakLoop(link) }
        deliverAtOnce()
        var goesOn = true
        for command in commands { goesOn = obey(command) && goesOn }
        if !receiver.isSuspicious { outputs.sendLate() }
        if isUnsettled || patchbay.announced.deadline ?? .max <= now {
            for client in patchbay.announced.clients { update(client) }
        }
        if isUnsettled || connectionDeadline ?? .max <= now { connect() }
        deliverAtOnce()
        if hasChanged && now >= nextPublication || !goesOn { publish(at: now) }
        return goesOn
    }

    private func obey(_ command: Command) -> Bool {
        hasChanged = true
        switch command {
        case .stop:
            _ = receiver.endAll()
            deliverAtOnce()
            outbox.retry()
            return false
        case .panic:
            receiver.panic()
        case .release(let identity):
            for entry in patchbay.ports where entry.port.identity == identity {
                for link in receiver.links(from: entry.port.address) { receiver.endHeld(by: link) }
            }
        case .open(let wanted, let clock):
            outputs.open(wanted, clock: clock)
            isUnsettled = true
        case .send(let messages): for message in messages { outputs.send(message) }
        case .schedule(let messages, let withdrawn): outputs.schedule(messages, withdrawing: withdrawn)
        case .scheduleNotes(let messages, let withdrawn): outputs.schedule(messages, withdrawing: withdrawn)
        }
        deliverAtOnce()
        return true
    }

    private func readEvents() {
        isBehind = false
        let began = rt_monotonic_nanoseconds()
        for _ in 0..<Self.readAtOnce {
            switch calls.read() {
            case .empty:
                stamps.foundEnd(at: began)
                return
            case .overrun:
                // Note-offs may be among what was lost, and comings and goings.
                counters.overruns += 1
                notices.append(.overrun(released: receiver.endAll()))
                lookAround()
                hasChanged = true
                isUnsettled = true
            case .event(let event): take(event)
            }
        }
        isBehind = true
    }

    private func take(_ event: MIDIPortEvent) {
        let now = rt_monotonic_nanoseconds()
        let stamp = stamps.moment(of: event, now: now)
        if let master, event.destination == master.own, case .clock(let message) = event.body {
            stamps.heardMusic(at: now)
            return board.hear(StampedClockMessage(message, at: stamp))
        }
        if Int(event.destination) < setup.ports && event.body.isMusic {
            stamps.heardMusic(at: now)
            receiver.take(event.body, from: MIDILink(sender: event.source, input: event.destination), at: stamp)
            deliver(at: stamp)
            counters.longestDelivery = max(counters.longestDelivery, rt_monotonic_nanoseconds() - stamp)
            hasChanged = true
            return
        }
        // Only the kernel announces ports, not a program that pretends to be it.
        guard event.source.client == 0 else { return }
        hasChanged = true
        isUnsettled = true
        switch event.body {
        case .clientChanged(let client): update(client)
        case .portChanged(let address): update(address.client)
        case .clientGone(let client):
            patchbay.announced.forget(client)
            for entry in patchbay.update(client: client, ports: []) { vanish(entry) }
            forget { $0.client == client }
        case .portGone(let address):
            if let entry = patchbay.remove(address) { vanish(entry) }
            forget { $0 == address }
        case .subscribed(let from, let to):
            if to.client == calls.client && Int(to.port) < setup.ports { patchbay.connected(from, Int(to.port)) }
        case .unsubscribed(let from, let to):
            if to.client == calls.client && Int(to.port) < setup.ports {
                receiver.release(MIDILink(sender: from, input: to.port))
                deliverAtOnce()
                patchbay.disconnected(from, Int(to.port))
            }
            if from.client == calls.client { outputs.disconnected(from.port, to) }
            if to.client == calls.client, to.port == master?.own { master?.disconnected(from) }
        default: break
        }
    }

    private func lookAround() {
        let ports = calls.ports()
        let here = Set(ports.map(\.address.client))
        for client in here.union(patchbay.ports.map(\.port.address.client)).sorted() {
            update(client, ports.filter { $0.address.client == client })
        }
        forget { !here.contains($0.client) }
        outputs.lookAround()
        master?.lookAround()
        for entry in patchbay.ports where entry.port.isReadable || !entry.inputs.isEmpty {
            let address = entry.port.address
            let own = calls.listeners(of: address).filter { $0.client == calls.client && Int($0.port) < setup.ports }
            for input in patchbay.reconcile(address, with: Set(own.map { Int($0.port) })) {
                receiver.release(MIDILink(sender: address, input: UInt8(input)))
            }
        }
        deliverAtOnce()
    }

    private func update(_ client: UInt8) {
        if client != calls.client { update(client, calls.ports(ofClient: client)) }
    }

    private func update(_ client: UInt8, _ ports: [MIDIPort]) {
        if patchbay.announced.postpones(client, ports, at: rt_monotonic_nanoseconds()) { return }
        isUnsettled = true
        for entry in patchbay.update(client: client, ports: ports) { vanish(entry) }
    }

    private func vanish(_ entry: Patchbay.Entry) {
        outputs.vanished(entry.port.address)
        master?.vanished(entry.port.address)
        var released = 0
        let links = receiver.links(from: entry.port.address)
        for link in links { released += receiver.release(link) }
        deliverAtOnce()
        if links.isEmpty && entry.inputs.isEmpty && entry.bar == nil { return }
        counters.disappearances += 1
        notices.append(.vanished(name: entry.port.name, released: released))
    }

    /// Senders that have gone and that the patchbay did not know when they did: a program that sent straight to our port
    /// and ended before we had looked at it.
    private func forget(where isGone: (MIDIPortAddress) -> Bool) {
        for (sender, released) in receiver.release(from: isGone) where released > 0 {
            counters.disappearances += 1
            notices.append(.vanished(name: "\(sender)", released: released))
        }
        deliverAtOnce()
    }

    func connect() {
        isUnsettled = false
        // A second look gives reasons to the first's connections; a third is for another program that connects ports too.
        for _ in 0..<3 {
            let now = rt_monotonic_nanoseconds()
            let fedBack = listenersOfOutput()
            let changes = patchbay.changes(at: now, fedBack: fedBack)
            if changes.isEmpty { break }
            hasChanged = true
            for change in changes { make(change, at: now) }
        }
        if outputs.connect(patchbay.ports.map(\.port), at: rt_monotonic_nanoseconds()) { hasChanged = true }
        if let master {
            if master.connect(patchbay.ports.map(\.port), at: rt_monotonic_nanoseconds()) { hasChanged = true }
            notices += master.takeNotices()
        }
        notices += outputs.takeNotices()
        for entry in patchbay.takeChanged() where entry.port.isReadable {
            let isDevice = entry.port.kind == .hardware || entry.port.kind == .program
            if isDevice || entry.reason.isConnected { notices.append(.port(name: entry.port.name, entry.reason)) }
        }
    }

    private func make(_ change: Patchbay.Change, at now: Int64) {
        let input = MIDIPortAddress(client: calls.client, port: UInt8(change.input))
        if change.isConnection {
            let fault = calls.subscribe(from: change.port, to: input)
            if fault == nil { counters.connections += 1 }
            patchbay.done(change, fault, at: now)
            return
        }
        patchbay.done(change, calls.unsubscribe(from: change.port, to: input), at: now)
        receiver.release(MIDILink(sender: change.port, input: UInt8(change.input)))
        deliverAtOnce()
    }

    func name(of link: MIDILink) -> String { patchbay[link.sender]?.port.name ?? "\(link.sender)" }

    func publish(at now: Int64) {
        counters.received = receiver.received
        counters.systemExclusive = receiver.systemExclusive
        counters.systemExclusiveLost = receiver.systemExclusiveLost
        counters.unfollowed = receiver.unfollowed.entries
        counters.sent = outbox.sent
        counters.refused = outbox.refused
        counters.dropped = outbox.dropped
        counters.outputFaults = outputs.faults
        counters.clockConnections = outputs.clockConnections
        let sources = patchbay.ports.filter { $0.port.isReadable && $0.port.kind != .system && $0.port.kind != .own }
        board.write(
            sources: sources.map(source), destinations: outputs.destinations, counters: counters, notices: notices,
            master: master?.port)
        notices.removeAll(keepingCapacity: true)
        hasChanged = false
        nextPublication = now + Self.publicationTime
    }

    private func source(_ entry: Patchbay.Entry) -> MIDISource {
        let links = receiver.links(from: entry.port.address)
        let activity = links.compactMap { receiver.activity(of: $0) }
        return MIDISource(
            identity: entry.port.identity, name: entry.port.name, address: entry.port.address, reason: entry.reason,
            inputs: entry.inputs, heldNotes: links.flatMap { receiver.ledger.heldNotes(of: $0.source) },
            eventCount: activity.reduce(0) { $0 + $1.count }, lastActivity: activity.map(\.last).max())
    }
}
