import Testing

@testable import RemoteIO

@Suite struct SwitchOffersTests {
    static let second: Int64 = 1_000_000_000

    @Test func aDeviceThatFailsAfterEverySwitchIsOfferedEverLessOften() {
        var offers = SwitchOffers(deviceCount: 2), times: [Int64] = []
        // Half an hour in which the second plays whenever one looks.
        for now in stride(from: Int64(0), to: 1800 * Self.second, by: Int(2 * Self.second)) {
            offers.saw(1, at: now)
            if offers.isAllowed(0, at: now) {
                offers.offered(0, at: now)
                times.append(now / Self.second)
            }
        }
        #expect(times == [0, 10, 30, 70, 150, 310, 610, 910, 1210, 1510])
    }

    @Test func oneThatIsSeenPlayingForASecondOrTwoHasNotLastedYet() {
        var offers = SwitchOffers(deviceCount: 3)
        for round in Int64(0)..<5 {
            let now = round * 1000 * Self.second
            #expect(offers.isAllowed(0, at: now))
            offers.offered(0, at: now)
            // Looked at again and again, but what lies between is not seen.
            offers.saw(0, at: now + Self.second)
            offers.saw(nil, at: now + 2 * Self.second)
            offers.saw(0, at: now + 3 * Self.second)
            offers.saw(2, at: now + 4 * Self.second)
            offers.saw(0, at: now + 9 * Self.second)
            let pause = 10 * Self.second << round
            #expect(!offers.isAllowed(0, at: now + pause - 1) && offers.isAllowed(0, at: now + pause))
            // The others are no worse for it.
            #expect(offers.isAllowed(1, at: now))
            offers.saw(2, at: now + 900 * Self.second)
        }
    }

    @Test func oneThatLastedIsOfferedAtOnceWhenItIsBack() {
        var offers = SwitchOffers(deviceCount: 2)
        for now in [0, 20, 60] as [Int64] { offers.offered(0, at: now * Self.second) }
        for now in stride(from: Int64(62), through: 72, by: 2) { offers.saw(0, at: now * Self.second) }
        offers.saw(1, at: 74 * Self.second)
        #expect(offers.isAllowed(0, at: 74 * Self.second))
        offers.offered(0, at: 74 * Self.second)
        #expect(offers.isAllowed(0, at: 84 * Self.second) && !offers.isAllowed(0, at: 83 * Self.second))
    }

    @Test(arguments: [-1, 2, Int.max]) func aDeviceThatIsNotOfTheListIsNeverOffered(_ device: Int) {
        var offers = SwitchOffers(deviceCount: 2)
        offers.saw(device, at: 0)
        offers.offered(device, at: 0)
        #expect(!offers.isAllowed(device, at: 0) && offers.isAllowed(0, at: 0))
    }
}
