import MIDI
import Testing

@testable import ALSA

@Suite struct MIDIReceiverTests {
    static let milliseconds: Int64 = 1_000_000
    static let left = MIDILink(sender: MIDIPortAddress(client: 20, port: 0), input: 0)
    static let right = MIDILink(sender: MIDIPortAddress(client: 24, port: 0), input: 0)

    static func on(_ key: UInt8, port: UInt8 = 0) -> MIDIMessage {
        MIDIMessage(status: 0x90, data1: key, data2: 90, port: port)
    }
    static func off(_ key: UInt8) -> MIDIMessage { MIDIMessage(status: 0x80, data1: key, data2: 64) }

    /// What has come out since it was last asked.
    static func events(_ receiver: inout MIDIReceiver) -> [MusicEvent] {
        defer { receiver.events = [] }
        return receiver.events
    }

    @Test func aLinkPlaysTheChannelsOfItsInputPort() {
        var receiver = MIDIReceiver(ports: 3)
        let link = MIDILink(sender: Self.left.sender, input: 2)
        receiver.take(.messages([Self.on(60)]), from: link, at: 5)
        #expect(Self.events(&receiver) == [.message(Self.on(60, port: 2))])
        #expect(receiver.activity(of: link)?.count == 1 && receiver.activity(of: link)?.last == 5)
    }

    @Test func aSourceThatSensesAndThenFallsSilentIsReleased() {
        var receiver = MIDIReceiver(ports: 1)
        receiver.take(.messages([Self.on(60)]), from: Self.left, at: 0)
        receiver.take(.messages([Self.on(64)]), from: Self.right, at: 0)
        receiver.take(.activeSensing, from: Self.left, at: 100 * Self.milliseconds)
        _ = Self.events(&receiver)
        #expect(receiver.deadline == 520 * Self.milliseconds)
        #expect(receiver.expire(at: 519 * Self.milliseconds).silent.isEmpty)
        let expiry = receiver.expire(at: 520 * Self.milliseconds)
        #expect(expiry.silent.map(\.link) == [Self.left])
        #expect(Self.events(&receiver) == [.message(Self.off(60))])
        // It is not missed twice, and the one that never sensed may be silent for ever.
        #expect(receiver.deadline == nil)
        #expect(receiver.expire(at: .max / 2).silent.isEmpty)
        receiver.take(.messages([Self.on(60)]), from: Self.left, at: 0)
        #expect(receiver.deadline == nil)
    }

    @Test func anythingIsASignOfLife() {
        var receiver = MIDIReceiver(ports: 1)
        receiver.take(.activeSensing, from: Self.left, at: 0)
        receiver.take(.messages([Self.on(60)]), from: Self.left, at: 300 * Self.milliseconds)
        #expect(receiver.expire(at: 700 * Self.milliseconds).silent.isEmpty)
        #expect(receiver.expire(at: 720 * Self.milliseconds).silent.count == 1)
    }

    @Test func systemExclusiveInPiecesIsUnderstoodPerLink() {
        var receiver = MIDIReceiver(ports: 1)
        receiver.take(.systemExclusive([0xF0, 0x7E]), from: Self.left, at: 0)
        receiver.take(.systemExclusive([0xF0, 0x43, 0x10, 0x4C, 0, 0]), from: Self.right, at: 1)
        receiver.take(.systemExclusive([0x7F, 0x09, 0x01, 0xF7]), from: Self.left, at: 2)
        receiver.take(.systemExclusive([0x7E, 0x00, 0xF7]), from: Self.right, at: 3)
        #expect(Self.events(&receiver) == [.reset(.generalMIDI, port: 0), .reset(.xg, port: 0)])
        #expect(receiver.systemExclusive == 2 && receiver.systemExclusiveLost == 0)
    }

    @Test func whatHasNoEffectIsCounted() {
        var receiver = MIDIReceiver(ports: 1)
        for now in 0..<3 {
            receiver.take(
                .systemExclusive([0xF0, 0x43, 0x10, 0x4C, 0x08, 0x00, 0x11, 20, 0xF7]), from: Self.left, at: Int64(now))
        }
        #expect(receiver.unfollowed.entries.map(\.title) == ["XG part dry level (08 0x 11)"])
        #expect(receiver.unfollowed.entries.map(\.count) == [3] && receiver.events.isEmpty)
    }

    @Test func sensingBetweenTwoPiecesOfSystemExclusiveEndsNothing() {
        var receiver = MIDIReceiver(ports: 1)
        receiver.take(.systemExclusive([0xF0, 0x7E]), from: Self.left, at: 0)
        receiver.take(.activeSensing, from: Self.left, at: 1)
        receiver.take(.systemExclusive([0x7F, 0x09, 0x01, 0xF7]), from: Self.left, at: 2)
        #expect(Self.events(&receiver) == [.reset(.generalMIDI, port: 0)] && receiver.systemExclusiveLost == 0)
    }

    @Test func brokenSystemExclusiveIsCounted() {
        var receiver = MIDIReceiver(ports: 1)
        receiver.take(.systemExclusive([0xF0, 0x7E]), from: Self.left, at: 0)
        receiver.take(.messages([Self.on(60)]), from: Self.left, at: 1)
        receiver.take(.systemExclusive([0xF0, 0x7E]), from: Self.left, at: 2)
        _ = receiver.expire(at: 2 + SystemExclusiveAssembler.patience)
        receiver.take(.systemExclusive([0xF0, 0x7E]), from: Self.left, at: 3)
        receiver.release(Self.left)
        #expect(receiver.systemExclusiveLost == 3)
    }

    @Test func whoeverHasGoneIsReleasedOnEveryInputAndNobodyElse() {
        var receiver = MIDIReceiver(ports: 2)
        let second = MIDILink(sender: Self.left.sender, input: 1)
        let otherPort = MIDILink(sender: MIDIPortAddress(client: 20, port: 3), input: 0)
        receiver.take(.messages([Self.on(60)]), from: Self.left, at: 0)
        receiver.take(.messages([Self.on(62)]), from: second, at: 1)
        receiver.take(.messages([Self.on(64)]), from: otherPort, at: 2)
        receiver.take(.messages([Self.on(60)]), from: Self.right, at: 3)
        _ = Self.events(&receiver)
        let gone = receiver.release { $0 == Self.left.sender }
        #expect(gone.map(\.sender) == [Self.left.sender] && gone.map(\.released) == [1])
        #expect(Self.events(&receiver) == [.message(MIDIMessage(status: 0x80, data1: 62, data2: 64, port: 1))])
        #expect(receiver.release { $0.client == 20 }.map(\.released) == [1])
        #expect(receiver.release { $0.client == 20 }.isEmpty)
        #expect(receiver.links == [Self.right])
        // No phantom holds the key that both had down.
        _ = Self.events(&receiver)
        receiver.take(.messages([Self.off(60)]), from: Self.right, at: 4)
        #expect(Self.events(&receiver) == [.message(Self.off(60)), .message(Self.off(60))])
    }

    @Test func thruSendsWhatCameAndWhatWasReleased() {
        var receiver = MIDIReceiver(ports: 1)
        receiver.isThruOn = true
        receiver.take(.messages([Self.on(60)]), from: Self.left, at: 0)
        receiver.take(.systemExclusive([0xF0, 0x7D, 1, 0xF7]), from: Self.left, at: 1)
        #expect(receiver.release(Self.left) == 1)
        #expect(
            receiver.thru == [
                .message(Self.on(60)), .systemExclusive([0xF0, 0x7D, 1, 0xF7]), .message(Self.off(60)),
            ])
    }

    /// What goes out comes back in 2 ms later over `Self.right`, which plays nothing itself.
    @Test func aFeedbackLoopIsFoundBrokenAndTheKeyboardKept() {
        var receiver = MIDIReceiver(ports: 1), now: Int64 = 0, found: [MIDILink] = []
        var circulating: [MIDIMessage] = [], isBroken = false
        receiver.isThruOn = true
        for step in 0..<2_000 {
            now += 2 * Self.milliseconds
            let returning = isBroken ? [] : circulating
            circulating = []
            if step % 50 == 0 { receiver.take(.messages([Self.on(60)]), from: Self.left, at: now) }
            if step % 50 == 25 { receiver.take(.messages([Self.off(60)]), from: Self.left, at: now) }
            for message in returning { receiver.take(.messages([message]), from: Self.right, at: now) }
            for case .message(let message) in receiver.thru { circulating.append(message) }
            receiver.thru = []
            let loops = receiver.expire(at: now).loops
            if !loops.isEmpty {
                found += loops
                isBroken = true
                receiver.release(Self.right)
            }
        }
        #expect(found == [Self.right])
        #expect(receiver.links == [Self.left])
    }

    @Test func aSourceThatRepeatsItselfIsNoLoop() {
        var receiver = MIDIReceiver(ports: 1)
        receiver.isThruOn = true
        let sustain = MIDIMessage(status: 0xB0, data1: 64, data2: 127)
        for step in 0..<1_000 {
            let now = Int64(step) * 10 * Self.milliseconds
            receiver.take(.messages([sustain]), from: Self.left, at: now)
            #expect(receiver.expire(at: now).loops.isEmpty)
        }
        // Sent on but for the trial.
        #expect(receiver.thru.count > 900)
    }

    @Test func twoKeyboardsThatSayTheSameAreNoLoop() {
        var receiver = MIDIReceiver(ports: 1)
        receiver.isThruOn = true
        for step in 0..<500 {
            let now = Int64(step) * 30 * Self.milliseconds, message = step % 2 == 0 ? Self.on(60) : Self.off(60)
            receiver.take(.messages([message]), from: Self.left, at: now)
            receiver.take(.messages([message]), from: Self.right, at: now + Self.milliseconds)
            #expect(receiver.expire(at: now).loops.isEmpty)
        }
    }
}
