import Testing

@testable import ALSA

/// Which output goes where, whoever comes and goes.
@Suite struct OutputBayTests {
    private static let own = UInt8(3)

    private func port(
        _ client: UInt8, _ name: String, kind: MIDIPort.Kind = .hardware, isWritable: Bool = true, port: UInt8 = 0,
        identity: DeviceIdentity? = nil
    ) -> MIDIPort {
        MIDIPort(
            address: MIDIPortAddress(client: client, port: port), clientName: name, portName: "\(name) MIDI \(port)", kind: kind,
            identity: identity ?? DeviceIdentity(client: name, port: Int(port)), isReadable: true, isWritable: isWritable)
    }

    private func bay(_ names: String...) throws -> OutputBay {
        var bay = OutputBay()
        for (index, name) in names.enumerated() { bay.add(name, try ConnectionRule(name), own: Self.own + UInt8(index)) }
        return bay
    }

    /// Does what is wanted, as a willing kernel would; where each line goes then.
    private func settle(_ bay: inout OutputBay, _ ports: MIDIPort..., at now: Int64 = 0) -> [UInt8?] {
        for change in bay.changes(ports, at: now) { bay.done(change, "there", nil, at: now) }
        #expect(bay.changes(ports, at: now) == [])
        return bay.lines.map { $0.destination?.client }
    }

    @Test func anOutputGoesToTheFirstPortOfItsName() throws {
        var bay = try bay("synth", "Drum*", "usb:0499:1617")
        let usb = port(40, "Stage Piano", identity: DeviceIdentity(usb: .init(vendor: 0x0499, product: 0x1617)))
        #expect(settle(&bay) == [nil, nil, nil])
        #expect(bay.takeChanged().map(\.state) == [.absent, .absent, .absent])
        #expect(
            settle(&bay, port(28, "Synth B"), port(24, "Synth A"), port(20, "Keys"), port(32, "Drumbox"), usb)
                == [24, 32, 40])
        #expect(bay.takeChanged().map(\.state) == [.connected("there"), .connected("there"), .connected("there")])
        // Where it goes it stays, whoever else comes.
        #expect(settle(&bay, port(28, "Synth B"), port(24, "Synth A"), port(16, "Synth C")) == [24, nil, nil])
    }

    @Test func whatCannotBePlayedToOrIsOursOrTheSystemsIsLeftAlone() throws {
        var bay = try bay("x")
        #expect(
            settle(
                &bay, port(20, "x", isWritable: false), port(0, "x", kind: .system), port(128, "x", kind: .own)) == [nil])
        #expect(settle(&bay, port(14, "Midi x", kind: .through)) == [14])
        var any = OutputBay()
        any.add("any", .any, own: 1)
        #expect(settle(&any, port(20, "x")) == [nil])
    }

    @Test func whoListensTakesPortsThatCanBeHeard() throws {
        func deaf(_ client: UInt8, _ name: String) -> MIDIPort {
            MIDIPort(
                address: MIDIPortAddress(client: client, port: 0), clientName: name, portName: name, kind: .hardware,
                identity: DeviceIdentity(client: name, port: 0), isReadable: false, isWritable: true)
        }
        var bay = OutputBay(listens: true)
        bay.add("TR", try ConnectionRule("TR"), own: Self.own)
        #expect(settle(&bay, deaf(20, "TR-8S")) == [nil])
        #expect(settle(&bay, deaf(20, "TR-8S"), port(24, "TR-8S", isWritable: false), port(25, "TR-8S")) == [24])
        // One at a time: each pulse would come twice.
        bay.vanished(MIDIPortAddress(client: 24, port: 0))
        #expect(settle(&bay, port(25, "TR-8S")) == [25])
    }

    @Test func whoGoesIsWaitedForAndKnownAgain() throws {
        var bay = try bay("Synth")
        #expect(settle(&bay, port(24, "Synth")) == [24])
        #expect(bay.lines[0].wasConnected)
        bay.vanished(MIDIPortAddress(client: 24, port: 0))
        #expect(bay.lines[0].state == .absent && settle(&bay) == [nil])
        #expect(settle(&bay, port(29, "Synth")) == [29])
        // Gone and back again unheard, at the same address.
        bay.reconcile(Self.own, with: [])
        #expect(bay.changes([port(29, "Synth")], at: 0).count == 1)
    }

    @Test func whatAnotherProgramTakesAwayStaysAwayUntilItReturns() throws {
        var bay = try bay("Synth")
        let address = MIDIPortAddress(client: 24, port: 0)
        #expect(settle(&bay, port(24, "Synth")) == [24])
        bay.disconnected(Self.own, address)
        #expect(settle(&bay, port(24, "Synth")) == [nil] && bay.lines[0].state == .disconnected)
        bay.vanished(address)
        #expect(settle(&bay, port(24, "Synth")) == [24])
        bay.bar(Self.own, address, .feedback)
        #expect(settle(&bay, port(24, "Synth")) == [nil] && bay.lines[0].state == .feedback)
        // Somebody else's connection is none of ours.
        bay.disconnected(Self.own + 1, address)
        #expect(bay.lines[0].state == .feedback)
    }

    @Test func aRefusedConnectionIsTriedAgainButNotInABusyLoop() throws {
        var bay = try bay("Synth")
        let ports = [port(24, "Synth")], fault = ALSAFault("snd_seq_subscribe_port", -16)
        for change in bay.changes(ports, at: 0) { bay.done(change, "", fault, at: 0) }
        #expect(bay.changes(ports, at: Patchbay.retryTime - 1) == [] && bay.deadline == Patchbay.retryTime)
        #expect(bay.changes(ports, at: Patchbay.retryTime).count == 1)
        #expect(settle(&bay, ports[0], at: Patchbay.retryTime) == [24] && bay.deadline == nil)
    }

    @Test func anOutputThatIsNoMoreSaysWhereItWent() throws {
        var bay = try bay("Synth", "Drums")
        _ = settle(&bay, port(24, "Synth"), port(28, "Drums"))
        #expect(bay.remove("Synth", own: Self.own) == MIDIPortAddress(client: 24, port: 0))
        #expect(bay.lines.map(\.name) == ["Drums"] && bay.takeChanged().map(\.name) == ["Drums"])
        #expect(bay.remove("Synth", own: Self.own) == nil)
    }

    @Test func everyStateIsASentence() {
        let states: [OutputState] = [
            .connected("x"), .absent, .refused(ALSAFault("f", -1)), .disconnected, .feedback, .unreadable(.usb),
        ]
        for state in states { #expect(!"\(state)".isEmpty && !"\(state)".contains("\n")) }
    }
}
