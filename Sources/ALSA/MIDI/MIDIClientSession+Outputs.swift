import CRealtime
import MIDI
import RealtimeCore
import RemoteIO

/// The part of a session that sends on: to the renderer, on its output port, to the outputs.
extension MIDIClientSession {
    /// Makes outputs and connects them. Before the thread runs.
    func open(_ wanted: [MIDIOutput], clock: [String]) {
        outputs.open(wanted, clock: clock)
        connect()
        publish(at: rt_monotonic_nanoseconds())
    }

    /// Ports that carry on what we send: Midi Through ports that listen to our outputs, and those that listen to them.
    func listenersOfOutput() -> Set<MIDIPortAddress> {
        let thru = setup.isThru ? calls.listeners(of: MIDIPortAddress(client: calls.client, port: output)) : []
        receiver.isThruOn = !thru.isEmpty || outputs.isOpen
        if counters.listeners != thru.count {
            counters.listeners = thru.count
            hasChanged = true
        }
        var waiting = thru + outputs.notePorts.flatMap { calls.listeners(of: MIDIPortAddress(client: calls.client, port: $0)) }
        var found: Set<MIDIPortAddress> = []
        while let address = waiting.popLast() {
            guard patchbay[address]?.port.kind == .through, found.insert(address).inserted else { continue }
            waiting += calls.listeners(of: address)
        }
        return found
    }

    /// If we send to the very client that plays over `link`, that connection is removed, and the keyboard stays.
    func breakLoop(_ link: MIDILink) {
        counters.loops += 1
        hasChanged = true
        isUnsettled = true
        var isDirect = false
        for port in [output] + outputs.notePorts {
            let own = MIDIPortAddress(client: calls.client, port: port)
            for listener in calls.listeners(of: own) where listener.client == link.sender.client {
                _ = calls.unsubscribe(from: own, to: listener)
                outputs.bar(port, listener)
                isDirect = true
            }
        }
        notices.append(.loop(name: name(of: link), isInputKept: isDirect))
        if !isDirect { patchbay.bar(link.sender, because: .feedback) }
        receiver.endHeld(by: link)
    }

    func deliver(at moment: Int64) { deliver(setup.isImmediate ? .inTurn : time(moment) ?? .inTurn) }

    /// Endings that were not played, since a keyboard has gone or a panic ended all notes: they have no place in the music.
    func deliverAtOnce() { deliver(.inTurn) }

    private func deliver(_ time: SampleTime) {
        for (place, event) in receiver.events.enumerated() {
            guard let filter else {
                outbox.send(event, at: time)
                continue
            }
            for made in filter(event, time) {
                if case .music(.message(let message)) = made.event, message.output != nil {
                    outputs.send(message, isWithheld: receiver.withheld.contains(place))
                } else {
                    outbox.send(made, at: time)
                }
            }
        }
        receiver.events.removeAll(keepingCapacity: true)
        receiver.withheld.removeAll(keepingCapacity: true)
        for (bytes, input) in receiver.dumps { outputs.send(bytes, fromInput: input) }
        receiver.dumps.removeAll(keepingCapacity: true)
        for item in setup.isThru ? receiver.thru : [] {
            let fault =
                switch item {
                case .message(let message): calls.send(message, from: output)
                case .systemExclusive(let bytes): calls.send(bytes, from: output)
                }
            if fault != nil { counters.thruFaults += 1 }
        }
        receiver.thru.removeAll(keepingCapacity: true)
    }
}
