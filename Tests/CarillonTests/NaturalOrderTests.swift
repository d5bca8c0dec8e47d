import Carillon
import Testing

/// Names in the order in which people count.
@Suite struct NaturalOrderTests {
    @Test func numbersAreCounted() {
        let sorted = [
            "", "Song", "a", "a1b1", "a1b02", "a1b10", "a2", "song", "song-", "song-1.mid", "song-2.mid", "song-02.mid",
            "song-10.mid", "song-10b.mid", "song-99999999999999999999.mid", "song-100000000000000000000.mid", "x", "é",
        ]
        #expect(sorted.reversed().sorted(by: NaturalOrder.precedes) == sorted)
    }

    /// A strict order, whatever the names.
    @Test func ofTwoNamesOneComesFirst() {
        let names = ["0", "00", "1", "01", "a0", "a00", "a", "0a", "00a", "a01b", "a1b", "10", "9"]
        for a in names {
            for b in names where a != b { #expect(NaturalOrder.precedes(a, b) != NaturalOrder.precedes(b, a), "\(a) \(b)") }
            #expect(!NaturalOrder.precedes(a, a))
            for b in names where NaturalOrder.precedes(a, b) {
                for c in names where NaturalOrder.precedes(b, c) { #expect(NaturalOrder.precedes(a, c), "\(a) \(b) \(c)") }
            }
        }
    }
}
