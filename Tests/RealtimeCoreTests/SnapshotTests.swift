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
    /// The reader has seen enough: the writer may end.
    let isSeen = Atomic(false)
    let last = Atomic(0)
}

@Suite struct SnapshotTests {
    @Test func theNewestValueIsSeenAndNeverHalvesOfTwo() {
        let shared = Shared()
        let writer = TestThread {
            var n = 0
            while !shared.isSeen.load(ordering: .acquiring) {
                n += 1
                shared.snapshot.publish(Parts(n))
            }
            shared.last.store(n, ordering: .releasing)
        }
        var last: Int64 = 0, seen = 0
        while seen < 200 {
            let value = shared.snapshot.value
            #expect(value == Parts(Int(value.a)))
            #expect(value.a >= last)
            if value.a != last { seen += 1 }
            last = value.a
        }
        shared.isSeen.store(true, ordering: .releasing)
        writer.join()
        #expect(shared.snapshot.value == Parts(shared.last.load(ordering: .acquiring)))
    }

    @Test func aValueOfOneByteAndOneOfManyWordsPassUnchanged() {
        let small = Snapshot(UInt8(7))
        small.publish(9)
        #expect(small.value == 9)
        let wide = Snapshot(SIMD16<Int32>(repeating: 3).lowHalf.lowHalf.x)
        #expect(wide.value == 3)
    }
}
