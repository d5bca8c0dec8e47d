import Testing

@testable import ALSA

/// Ports that the kernel announces before it lists their card.
@Suite struct AnnouncedCardsTests {
    private static func ports(awaitsCard: Bool) -> [MIDIPort] {
        var port = PatchbayTests.port(20, "Keyboard")
        port.awaitsCard = awaitsCard
        return [port]
    }
    private static let unlisted = ports(awaitsCard: true), listed = ports(awaitsCard: false)

    private func expect(_ isPostponed: Bool, _ wanted: Bool, _ place: SourceLocation = #_sourceLocation) {
        #expect(isPostponed == wanted, sourceLocation: place)
    }

    @Test func portsAreLeftUntilTheirCardIsListed() {
        var cards = AnnouncedCards()
        expect(cards.postpones(20, Self.listed, at: 0), false)
        #expect(cards.deadline == nil && cards.clients == [])
        expect(cards.postpones(20, Self.unlisted, at: 1_000_000), true)
        #expect(cards.deadline == 3_000_000 && cards.clients == [20])
        // Another announcement in between is another look, and does not put off the next.
        expect(cards.postpones(20, Self.unlisted, at: 2_000_000), true)
        #expect(cards.deadline == 3_000_000)
        expect(cards.postpones(20, Self.unlisted, at: 3_000_000), true)
        #expect(cards.deadline == 7_000_000)
        expect(cards.postpones(20, Self.listed, at: 7_000_000), false)
        #expect(cards.deadline == nil && cards.clients == [])
    }

    @Test func aCardThatIsNeverListedIsTakenAsItIsAfterTwoSeconds() {
        var cards = AnnouncedCards(), now: Int64 = 0, looks = 0
        while cards.postpones(20, Self.unlisted, at: now) {
            now = cards.deadline ?? .max
            looks += 1
        }
        #expect(now == 2_046_000_000 && looks == 10)
        // A later announcement is still a look, but puts nothing off.
        #expect(cards.clients == [20] && cards.deadline == .max)
        expect(cards.postpones(20, Self.unlisted, at: now + 1), false)
        cards.forget(20)
        #expect(cards.clients == [])
    }
}
