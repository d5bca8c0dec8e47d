import CarillonTestKit
import MIDI
import Testing

@Suite struct SourceLedgerTests {
    static let left = SourceLedger.Source(rawValue: 1), right = SourceLedger.Source(rawValue: 2)

    static func message(_ kind: MIDIMessage.Kind, _ data1: UInt8, _ data2: UInt8 = 0, channel: UInt8 = 0) -> MusicEvent {
        .message(MIDIMessage(status: kind.rawValue | channel, data1: data1, data2: data2))
    }
    static func on(_ key: UInt8, channel: UInt8 = 0) -> MusicEvent { message(.noteOn, key, 90, channel: channel) }
    static func off(_ key: UInt8, channel: UInt8 = 0) -> MusicEvent { message(.noteOff, key, 64, channel: channel) }
    static func control(_ controller: Controller, _ value: UInt8) -> MusicEvent {
        message(.controlChange, controller.rawValue, value)
    }
    static let bendUp = message(.pitchBend, 0, 100), centre = message(.pitchBend, 0, 64)

    /// What goes on to the instruments when `events` come in.
    static func passed(_ ledger: inout SourceLedger, _ events: [(SourceLedger.Source, MusicEvent)]) -> [MusicEvent] {
        var sent: [MusicEvent] = []
        for (source, event) in events { ledger.take(event, from: source) { sent.append($0) } }
        return sent
    }

    @Test func whatOneSourcePlaysPassesAsItCame() {
        var ledger = SourceLedger(), random = SeededRandom(seed: 3)
        for _ in 0..<5_000 {
            let event = LedgerMaterial.event(&random)
            #expect(Self.passed(&ledger, [(Self.left, event)]) == [event])
        }
    }

    @Test func aNoteOffDoesNotEndTheNoteAnotherSourceHolds() {
        var ledger = SourceLedger()
        let begun = Self.passed(&ledger, [(Self.left, Self.on(60)), (Self.right, Self.on(60)), (Self.left, Self.off(60))])
        #expect(begun == [Self.on(60), Self.on(60)])
        // The note-off held back comes with the last one, for instruments that count.
        #expect(Self.passed(&ledger, [(Self.right, Self.off(60))]) == [Self.off(60), Self.off(60)])
        #expect(ledger.isEmpty)
    }

    @Test func aNoteOffForWhatAnotherSourceAloneHoldsIsSwallowed() {
        var ledger = SourceLedger()
        #expect(Self.passed(&ledger, [(Self.left, Self.on(60)), (Self.right, Self.off(60))]) == [Self.on(60)])
        #expect(ledger.noteCount(of: Self.left) == 1)
    }

    @Test func aDoubledNoteOnDoesNotKeepAnotherSourcesNoteHanging() {
        var ledger = SourceLedger()
        let doubled = [(Self.left, Self.on(60)), (Self.left, Self.on(60)), (Self.left, Self.off(60))]
        #expect(Self.passed(&ledger, doubled) == [Self.on(60), Self.on(60), Self.off(60)])
        #expect(ledger.noteCount(of: Self.left) == 0 && ledger.heldNotes(of: Self.left).isEmpty)
        #expect(Self.passed(&ledger, [(Self.right, Self.on(60)), (Self.right, Self.off(60))]) == [Self.on(60), Self.off(60)])
        // The second note-off may still come: nobody holds the key.
        #expect(Self.passed(&ledger, [(Self.left, Self.off(60))]) == [Self.off(60)])
        #expect(ledger.isEmpty)
    }

    @Test func theSecondNoteOffOfADoubledNoteWaitsForTheSourceThatHoldsTheKey() {
        var ledger = SourceLedger()
        let sent = Self.passed(
            &ledger,
            [
                (Self.left, Self.on(60)), (Self.left, Self.on(60)), (Self.left, Self.off(60)), (Self.right, Self.on(60)),
                (Self.left, Self.off(60)),
            ])
        #expect(sent == [Self.on(60), Self.on(60), Self.off(60), Self.on(60)])
        #expect(Self.passed(&ledger, [(Self.right, Self.off(60))]) == [Self.off(60), Self.off(60)])
        #expect(ledger.isEmpty)
    }

    @Test func whatIsOwedForOneKeyStaysBounded() {
        var ledger = SourceLedger()
        for _ in 0..<10_000 { _ = Self.passed(&ledger, [(Self.left, Self.on(60))]) }
        #expect(ledger.release(Self.left) == [MusicEvent](repeating: Self.off(60), count: 128))
        _ = Self.passed(&ledger, [(Self.right, Self.on(60))])
        for _ in 0..<10_000 { _ = Self.passed(&ledger, [(Self.left, Self.on(60)), (Self.left, Self.off(60))]) }
        #expect(ledger.release(Self.right).count == 129)
        #expect(ledger.isEmpty)
    }

    @Test func aSourceThatVanishesReleasesExactlyItsOwnInTheOrderOfPlaying() {
        var ledger = SourceLedger()
        _ = Self.passed(
            &ledger,
            [
                (Self.left, Self.on(72)), (Self.right, Self.on(50)), (Self.left, Self.on(48)), (Self.left, Self.on(60)),
                (Self.right, Self.on(60)), (Self.left, Self.control(.sustain, 127)), (Self.left, Self.bendUp),
            ])
        #expect(ledger.heldNotes(of: Self.left).map(\.key) == [72, 48, 60])
        #expect(ledger.release(Self.left) == [Self.off(72), Self.off(48), Self.control(.sustain, 0), Self.centre])
        #expect(ledger.heldNotes(of: Self.right).map(\.key) == [50, 60])
        #expect(ledger.release(Self.left) == [])
        #expect(ledger.release(Self.right) == [Self.off(50), Self.off(60), Self.off(60)])
        #expect(ledger.isEmpty)
    }

    @Test func aPedalIsTheOrOfItsSources() {
        var ledger = SourceLedger()
        let pressed = Self.passed(
            &ledger,
            [
                (Self.left, Self.control(.sustain, 127)), (Self.right, Self.control(.sustain, 70)),
                (Self.left, Self.control(.sustain, 0)),
            ])
        #expect(pressed == [Self.control(.sustain, 127), Self.control(.sustain, 70)])
        #expect(ledger.release(Self.right) == [Self.control(.sustain, 0)])
    }

    @Test func aBendIsCentredOnlyForWhoeverBentLast() {
        var ledger = SourceLedger()
        _ = Self.passed(&ledger, [(Self.left, Self.bendUp), (Self.right, Self.bendUp)])
        #expect(ledger.release(Self.left) == [])
        #expect(ledger.release(Self.right) == [Self.centre])
    }

    @Test func allNotesOffOfOneSourceLeavesTheNotesOfOthers() {
        var ledger = SourceLedger()
        let sent = Self.passed(
            &ledger,
            [
                (Self.left, Self.on(60)), (Self.right, Self.on(64)), (Self.left, Self.control(.allNotesOff, 0)),
            ])
        #expect(sent.last == Self.off(60))
        #expect(Self.passed(&ledger, [(Self.right, Self.control(.allNotesOff, 0))]) == [Self.control(.allNotesOff, 0)])
        #expect(ledger.isEmpty)
    }

    @Test func panicLeavesNothingAndSilencesEveryPart() {
        var ledger = SourceLedger()
        _ = Self.passed(&ledger, [(Self.left, Self.on(60)), (Self.right, Self.on(64, channel: 3))])
        let events = ledger.panic(ports: 2)
        #expect(events.prefix(2) == [Self.off(60), Self.off(64, channel: 3)])
        #expect(events.filter { if case .message(let m) = $0 { m.data1 == 120 } else { false } }.count == 32)
        #expect(ledger.isEmpty)
    }

    /// The law: whatever four sources play into each other, a key sounds as long as one of them holds it and no longer, a
    /// pedal is as deep as the deepest, and when all have gone nothing is left. An instrument that counts may hold a key
    /// longer where a source doubles note-ons, but never shorter, and it ends at zero, too.
    @Test(arguments: 0..<24, [true, false]) func nothingHangsAndNothingIsCutOff(seed: UInt64, isDoubling: Bool) {
        var random = SeededRandom(seed: seed), ledger = SourceLedger()
        var players = SourcePlayers()
        var instrument = LedgerInstrument(isCounting: false), counting = LedgerInstrument(isCounting: true)
        let sources = (0..<4).map { SourceLedger.Source(rawValue: $0 * 7) }
        for step in 0..<1_000 {
            let source = sources[Int(random.next() % 4)]
            if random.next() % 97 == 0 {
                let released = ledger.release(source)
                for event in released { check(event, from: source) }
                players.leave(source)
            } else {
                let event = LedgerMaterial.event(&random)
                if !isDoubling && players.isDoubled(event, source) { continue }
                players.play(event, source)
                var sent: [MusicEvent] = []
                ledger.take(event, from: source) { sent.append($0) }
                for event in sent { check(event, from: source) }
            }
            #expect(instrument.sounding == players.held, "seed \(seed), step \(step)")
            #expect(isDoubling ? counting.sounding.isSuperset(of: players.held) : counting.sounding == players.held)
            #expect(instrument.pedals == players.pedals, "seed \(seed), step \(step)")
        }
        for source in sources {
            for event in ledger.release(source) { check(event, from: source) }
            players.leave(source)
        }
        #expect(ledger.isEmpty && instrument.isAtRest, "seed \(seed): \(instrument)")
        #expect(counting.isAtRest, "seed \(seed): \(counting)")

        /// A note-off that goes on may not hit a key that somebody else holds.
        func check(_ event: MusicEvent, from source: SourceLedger.Source) {
            if case .message(let message) = event, message.kind == .noteOff || message.kind == .noteOn && message.data2 == 0 {
                let slot = message.part << 7 | Int(message.data1)
                #expect(!players.isHeld(slot, byOthersThan: source), "seed \(seed): \(message) of \(source.rawValue)")
            }
            instrument.play(event)
            counting.play(event)
        }
    }
}
