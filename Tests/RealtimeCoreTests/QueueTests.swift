import Glibc
import RealtimeCore
import Synchronization
import Testing

/// A thread that can be waited for; the tests of queues need real ones.
final class TestThread {
    private var handle = pthread_t()

    init(_ body: @escaping @Sendable () -> Void) {
        let box = Unmanaged.passRetained(Body(body))
        let status = pthread_create(
            &handle, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, box.toOpaque())
        precondition(status == 0)
    }

    func join() { pthread_join(handle, nil) }

    private final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }
}

/// A value whose two halves must never be seen apart.
struct Pair: BitwiseCopyable, Sendable {
    var number: UInt64
    var complement: UInt64
    init(_ number: UInt64) {
        self.number = number
        complement = ~number
    }
}

final class SharedQueue: Sendable {
    let queue: SPSCQueue<Pair>
    init(capacity: Int) { queue = SPSCQueue(capacity: capacity, filler: Pair(0)) }
}

final class SharedReadout: Sendable {
    let readout = Readout()
    let isFinished = Atomic(false)
}

/// The crossings between threads, with two real threads each; `tools/test` runs them under ThreadSanitizer, too.
@Suite struct QueueTests {
    @Test func aQueueGivesBackInOrderAndRefusesWhenFull() {
        let queue = SPSCQueue<Int>(capacity: 4, filler: 0)
        var taken: [Int?] = [queue.pop()]
        var pushed: [Bool] = []
        for n in 0...4 { pushed.append(queue.push(n)) }
        let wasFull = queue.isFull
        taken += [queue.peek(), queue.peek(), queue.pop()]
        pushed.append(queue.push(5))
        for _ in 0..<5 { taken.append(queue.pop()) }
        let isFull = queue.isFull
        #expect(pushed == [true, true, true, true, false, true])
        #expect(taken == [nil, 0, 0, 0, 1, 2, 3, 5, nil])
        #expect(wasFull && !isFull)
    }

    @Test(arguments: [1, 2, 64, 4096]) func twoThreadsShareAQueueWithoutLossOrTearing(_ capacity: Int) {
        let shared = SharedQueue(capacity: capacity), count: UInt64 = capacity < 64 ? 2_000 : 100_000
        let writer = TestThread {
            for number in 0..<count { while !shared.queue.push(Pair(number)) { sched_yield() } }
        }
        var wanted: UInt64 = 0, wrong = 0
        while wanted < count {
            guard let pair = shared.queue.pop() else {
                sched_yield()
                continue
            }
            if pair.number != wanted || pair.complement != ~wanted { wrong += 1 }
            wanted += 1
        }
        writer.join()
        #expect(wrong == 0)
        #expect(shared.queue.pop() == nil)
    }

    @Test func aReadoutShowsWholeNumbersThatOnlyGrow() {
        let shared = SharedReadout()
        let writer = TestThread {
            for n in 1...100_000 { shared.readout.publish(Float(n)) }
            shared.isFinished.store(true, ordering: .releasing)
        }
        var last: Float = 0, wrong = 0
        while !shared.isFinished.load(ordering: .acquiring) {
            let now = shared.readout.value
            if now < last || now != Float(Int(now)) { wrong += 1 }
            last = now
        }
        writer.join()
        #expect(wrong == 0 && shared.readout.value == 100_000)
    }
}
