import MIDI
import Testing

struct KeySetTests {
    @Test func keysAreThoseThatWereSetFromTheLowestOn() {
        var set = KeySet()
        #expect(set.isEmpty && set.first == nil && set.keys.isEmpty)
        let keys: [UInt8] = [0, 1, 35, 63, 64, 100, 127]
        for key in keys.reversed() { set.set(key, true) }
        #expect(set.keys == keys && set.first == 0)
        #expect((UInt8(0)..<128).filter(set.contains) == keys)
        for key in keys.dropLast() { set.set(key, false) }
        #expect(set.keys == [127] && set.first == 127 && !set.isEmpty)
        set.set(127, false)
        #expect(set == KeySet())
    }
}
