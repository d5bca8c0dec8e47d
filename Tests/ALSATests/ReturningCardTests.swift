import Glibc
import RemoteIO
import Reports
import Testing

@testable import ALSA

/// The volume of a card that is unplugged and comes back, which is another to the system.
@Suite struct ReturningCardTests {
    private func volume(of card: FakeCard) throws -> HardwareVolume {
        try HardwareVolume(of: "hw:Fake", pause: 1) { () throws(Fault) in try card.open() }
    }

    @Test func aCardThatIsGoneSaysSoAndOneThatIsBackIsReadAndSet() throws {
        let card = FakeCard(), volume = try volume(of: card)
        #expect(try volume.level == .init(decibels: 0, share: 1, isMuted: false))
        card.pull()
        let fault = Fault.failed(device: "hw:Fake", FakeCard.gone)
        #expect(throws: fault) { _ = try volume.level }
        #expect(throws: fault) { try volume.set(share: 0.5) }
        card.putBack(step: 4)
        #expect(try volume.level == .init(decibels: -18, share: 0.4, isMuted: false))
        try volume.set(decibels: -9)
        try volume.set(isMuted: true)
        #expect(try volume.level == .init(decibels: -9, share: 0.7, isMuted: true))
        // Opened once for each time that it was there.
        #expect(card.state.withLock { $0.opened } == 2)
    }

    @Test func aCardThatIsBackBeforeSomebodyAsksIsNotMissed() throws {
        let card = FakeCard(), volume = try volume(of: card)
        card.pull()
        card.putBack(step: 2)
        try volume.set(isMuted: true)
        #expect(try volume.level == .init(decibels: -24, share: 0.2, isMuted: true))
    }

    @Test(.timeLimit(.minutes(1))) func whereACardStandsThatIsBackIsToldAndWhatChangesThen() async throws {
        let card = FakeCard(), volume = try volume(of: card)
        let (levels, told) = AsyncStream.makeStream(of: Double.self)
        try volume.onChange { told.yield($0.share) }
        var next = levels.makeAsyncIterator()
        card.turn(to: 5)
        #expect(await next.next() == 0.5)
        for step in [8, 3, 6] {
            card.pull()
            card.putBack(step: step)
            #expect(await next.next() == Double(step) / 10)
            card.turn(to: step + 1)
            #expect(await next.next() == Double(step + 1) / 10)
        }
        // Away for long enough that somebody noticed.
        card.pull()
        #expect(throws: Fault.failed(device: "hw:Fake", FakeCard.gone)) { _ = try volume.level }
        card.putBack(step: 1)
        #expect(await next.next() == 0.1)
        try volume.onChange(nil)
    }
}
