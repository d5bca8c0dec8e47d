import RealtimeCore
import Synchronization
import Testing

/// A value whose parts belong together, of an odd size.
private struct Parts: BitwiseCopyable, Equatable {
    var a: Int64, b: Double, c: Int32, d: UInt8

    init(_ n: Int) {
        a = Int64(n)
        b = Double(n) * 2
        c = Int32(truncatingIfNeeded: n)
        d = UInt8(truncatingIfNeeded: n)
    }
}

private final class Shared: Sendable {
    let snapshot = Snapshot(Parts(0))
    let isOver = Atomic(false)
}

@Suite struct SnapshotTests {
    @Test func theNewestValueIsSeenAndNeverHalvesOfTwo() {
        let shared = Shared()
        let writer = TestThread {
            for n in 1...200_000 { shared.snapshot.publish(Parts(n)) }
            shared.isOver.store(true, ordering: .releasing)
        }
        var last: Int64 = 0, seen = 0
        while !shared.isOver.load(ordering: .acquiring) {
            let value = shared.snapshot.value
            #expect(value == Parts(Int(value.a)))
            #expect(value.a >= last)
            if value.a != last { seen += 1 }
            last = value.a
        }
        writer.join()
        #expect(shared.snapshot.value == Parts(200_000))
        #expect(seen > 0)
    }

    @Test func aValueOfOneByteAndOneOfManyWordsPassUnchanged() {
        let small = Snapshot(UInt8(7))
        small.publish(9)
        #expect(small.value == 9)
        let wide = Snapshot(SIMD16<Int32>(repeating: 3).lowHalf.lowHalf.x)
        #expect(wide.value == 3)
    }
}
