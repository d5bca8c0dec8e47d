import Testing

@testable import ALSA

@Suite struct PatchbayTests {
    static func port(
        _ client: UInt8, _ name: String, kind: MIDIPort.Kind = .hardware, identity: DeviceIdentity? = nil,
        isReadable: Bool = true, port: UInt8 = 0
    ) -> MIDIPort {
        MIDIPort(
            address: MIDIPortAddress(client: client, port: port), clientName: name, portName: "\(name) MIDI \(port)",
            kind: kind, identity: identity ?? DeviceIdentity(client: name, port: Int(port)), isReadable: isReadable,
            isWritable: true)
    }
    static let piano = DeviceIdentity.USBModel(vendor: 0x0499, product: 0x1617)
    static func piano(_ client: UInt8, at path: String) -> MIDIPort {
        port(client, "Digital Piano", identity: DeviceIdentity(usb: piano, path: path, client: "Digital Piano", port: 0))
    }

    /// Does what the patchbay wants, as a willing kernel would, and returns what that was.
    @discardableResult
    static func settle(
        _ patchbay: inout Patchbay, at now: Int64 = 0, fedBack: Set<MIDIPortAddress> = []
    ) -> [Patchbay.Change] {
        var all: [Patchbay.Change] = []
        for _ in 0..<4 {
            let changes = patchbay.changes(at: now, fedBack: fedBack)
            if changes.isEmpty { return all }
            for change in changes { patchbay.done(change, nil, at: now) }
            all += changes
        }
        Issue.record("the patchbay never comes to rest")
        return all
    }

    static func patchbay(_ rules: [String], inputs: Int = 16, _ ports: MIDIPort...) throws -> Patchbay {
        var patchbay = Patchbay(rules: try rules.map { try ConnectionRule($0) }, inputCount: inputs)
        for client in Set(ports.map(\.address.client)) {
            _ = patchbay.update(client: client, ports: ports.filter { $0.address.client == client })
        }
        settle(&patchbay)
        return patchbay
    }

    @Test func anyConnectsKeyboardsAndProgramsAndSaysWhyNotTheRest() throws {
        let patchbay = try Self.patchbay(
            ["any"], Self.port(0, "System", kind: .system), Self.port(14, "Midi Through", kind: .through),
            Self.port(20, "Keyboard"), Self.port(24, "Sound module", isReadable: false),
            Self.port(128, "Player", kind: .program), Self.port(129, "Carillon", kind: .own))
        #expect(patchbay.ports.map(\.inputs) == [[], [], [0], [], [0], []])
        #expect(
            patchbay.ports.map(\.reason) == [
                .systemPort, .throughPort, .rule(.any), .notReadable, .rule(.any), .ownPort,
            ])
        for entry in patchbay.ports {
            #expect(entry.reason.description.hasPrefix(entry.inputs.isEmpty ? "not connected" : "connected because"))
        }
    }

    @Test func withoutAFittingRuleAPortIsLeftAlone() throws {
        let patchbay = try Self.patchbay(["Piano*"], Self.port(20, "Keyboard"), Self.port(14, "Midi Through", kind: .through))
        #expect(patchbay.ports.map(\.reason) == [.noRule, .noRule])
    }

    @Test func theRuleThatSaysMoreChoosesFirst() throws {
        let patchbay = try Self.patchbay(
            ["any", "Digital*@2", "usb:0499:1617@3", "path:b@4"], Self.piano(20, at: "a"), Self.piano(24, at: "b"),
            Self.port(28, "Digital Drum"), Self.port(32, "Flute"))
        #expect(patchbay.ports.map(\.inputs) == [[2], [3], [1], [0]])
    }

    @Test func twoKeyboardsOfOneModelAreKeptApartByTheirSockets() throws {
        let rules = ["usb:0499:1617,path:left@1", "usb:0499:1617,path:right@2"]
        var patchbay = try Self.patchbay(rules, Self.piano(20, at: "right"), Self.piano(24, at: "left"))
        #expect(patchbay.ports.map(\.inputs) == [[1], [0]])
        // They come back in the other order, with other numbers.
        _ = patchbay.update(client: 20, ports: [])
        _ = patchbay.update(client: 24, ports: [])
        _ = patchbay.update(client: 20, ports: [Self.piano(20, at: "left")])
        #expect(Self.settle(&patchbay) == [.init(port: MIDIPortAddress(client: 20, port: 0), input: 0, isConnection: true)])
        _ = patchbay.update(client: 28, ports: [Self.piano(28, at: "right")])
        Self.settle(&patchbay)
        #expect(patchbay.ports.map(\.inputs) == [[0], [1]])
    }

    @Test func aKeyboardMovedToAnotherSocketIsFoundAndOneInItsPlaceIsNotTaken() throws {
        let rules = ["usb:0499:1617,path:left@1", "usb:0499:1617,path:right@2"]
        let patchbay = try Self.patchbay(rules, Self.piano(20, at: "elsewhere"), Self.piano(24, at: "right"))
        #expect(patchbay.ports.map(\.inputs) == [[0], [1]])
        let alone = try Self.patchbay(rules, Self.piano(24, at: "right"))
        #expect(alone.ports.map(\.inputs) == [[1]])
    }

    @Test func aRuleForAnInputThatIsNotThereConnectsNothing() throws {
        let patchbay = try Self.patchbay(["any@2"], inputs: 1, Self.port(20, "Keyboard"))
        #expect(patchbay.ports.map(\.inputs) == [[]])
    }

    @Test func whatAnotherProgramDisconnectsStaysDisconnectedUntilItReturns() throws {
        var patchbay = try Self.patchbay(["any"], Self.port(20, "Keyboard"))
        let address = MIDIPortAddress(client: 20, port: 0)
        patchbay.disconnected(address, 0)
        #expect(Self.settle(&patchbay) == [])
        #expect(patchbay[address]?.reason == .disconnected)
        patchbay.connected(address, 0)
        Self.settle(&patchbay)
        #expect(patchbay[address]?.inputs == [0])
        patchbay.disconnected(address, 0)
        Self.settle(&patchbay)
        #expect(patchbay.update(client: 20, ports: []).count == 1)
        _ = patchbay.update(client: 20, ports: [Self.port(20, "Keyboard")])
        #expect(Self.settle(&patchbay).count == 1)
    }

    @Test func aKeyboardThatWentAndCameBackUnheardIsConnectedAgain() throws {
        var patchbay = try Self.patchbay(["any"], Self.port(20, "Keyboard"))
        let address = MIDIPortAddress(client: 20, port: 0)
        patchbay.connected(address, 3)
        #expect(patchbay.reconcile(address, with: [0, 3]) == [])
        #expect(Self.settle(&patchbay) == [] && patchbay[address]?.inputs == [0, 3])
        // The kernel knows nothing of these connections: the announcements in between were lost.
        _ = patchbay.update(client: 20, ports: [Self.port(20, "Keyboard")])
        #expect(patchbay.reconcile(address, with: []) == [0, 3])
        #expect(patchbay[address]?.inputs == [])
        #expect(Self.settle(&patchbay) == [.init(port: address, input: 0, isConnection: true)])
        #expect(patchbay[address]?.inputs == [0] && patchbay[address]?.reason == .rule(.any))
    }

    @Test func aConnectionThatWasMadeUnheardIsShown() throws {
        var patchbay = try Self.patchbay(["Piano"], Self.port(20, "Keyboard"))
        let address = MIDIPortAddress(client: 20, port: 0)
        patchbay.connected(address, 3)
        #expect(patchbay.reconcile(address, with: [2]) == [3])
        #expect(Self.settle(&patchbay) == [])
        #expect(patchbay[address]?.inputs == [2] && patchbay[address]?.reason == .otherProgram)
        #expect(patchbay.reconcile(MIDIPortAddress(client: 99, port: 0), with: [1]) == [])
    }

    @Test func whatWasTakenAwayByHandIsNotForcedBackByALook() throws {
        var patchbay = try Self.patchbay(["any"], Self.port(20, "Keyboard"))
        let address = MIDIPortAddress(client: 20, port: 0)
        patchbay.disconnected(address, 0)
        #expect(patchbay.reconcile(address, with: []) == [])
        #expect(Self.settle(&patchbay) == [] && patchbay[address]?.reason == .disconnected)
        #expect(patchbay.reconcile(address, with: [0]) == [])
        Self.settle(&patchbay)
        #expect(patchbay[address]?.inputs == [0])
    }

    @Test func aHandMadeConnectionIsShownAndLeft() throws {
        var patchbay = try Self.patchbay(["Piano"], Self.port(20, "Keyboard"))
        let address = MIDIPortAddress(client: 20, port: 0)
        patchbay.connected(address, 3)
        #expect(Self.settle(&patchbay) == [])
        #expect(patchbay[address]?.reason == .otherProgram && patchbay[address]?.inputs == [3])
    }

    @Test func aRefusedConnectionIsTriedAgainButNotInABusyLoop() throws {
        var patchbay = Patchbay(rules: [.any], inputCount: 1)
        _ = patchbay.update(client: 20, ports: [Self.port(20, "Keyboard")])
        let fault = ALSAFault("snd_seq_subscribe_port", -16)
        let change = try #require(patchbay.changes(at: 0).first)
        patchbay.done(change, fault, at: 0)
        #expect(patchbay.changes(at: Patchbay.retryTime - 1) == [])
        #expect(patchbay[change.port]?.reason == .refused(fault))
        #expect(patchbay.deadline == Patchbay.retryTime)
        #expect(patchbay.changes(at: Patchbay.retryTime) == [change])
        patchbay.done(change, nil, at: Patchbay.retryTime)
        Self.settle(&patchbay, at: Patchbay.retryTime)
        #expect(patchbay[change.port]?.reason == .rule(.any) && patchbay.deadline == nil)
    }

    @Test func aPortThatCarriesWhatWeSendIsDisconnected() throws {
        let address = MIDIPortAddress(client: 14, port: 0)
        var patchbay = try Self.patchbay(["Midi Through"], Self.port(14, "Midi Through", kind: .through))
        #expect(patchbay[address]?.inputs == [0])
        #expect(Self.settle(&patchbay, fedBack: [address]) == [.init(port: address, input: 0, isConnection: false)])
        #expect(patchbay[address]?.reason == .loop)
        Self.settle(&patchbay)
        #expect(patchbay[address]?.inputs == [0])
    }

    @Test func aPortWithANewNameIsLookedAtAgain() throws {
        var patchbay = try Self.patchbay(["Piano"], Self.port(20, "Keyboard"))
        _ = patchbay.update(client: 20, ports: [Self.port(20, "Piano")])
        #expect(Self.settle(&patchbay).map(\.isConnection) == [true])
        _ = patchbay.update(client: 20, ports: [Self.port(20, "Organ")])
        #expect(Self.settle(&patchbay).map(\.isConnection) == [false])
        #expect(patchbay.takeChanged().map(\.reason) == [.noRule])
    }
}
