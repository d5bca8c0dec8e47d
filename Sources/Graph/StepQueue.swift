// [render]
import CRealtime
import Synchronization

/// The steps of a plan that can be rendered now, for several threads that take them: each once, its sources first.
///
/// Whoever has done a step counts down those that wait for it. Of the ones that wait for nothing more it goes on with the
/// first, whose input is still in its processor's cache, and puts the others into the queue. There are as many places as
/// steps, and a thread that takes a ticket gets what is put into that place: so nobody has to look for work, and nobody
/// takes a lock.
struct StepQueue: BitwiseCopyable {
    /// Places taken, places filled, and steps that are done.
    struct Ends: ~Copyable {
        let taken = Atomic<Int32>(0)
        // A cache line apart, or each would slow the others down.
        private let room = (0, 0, 0, 0, 0, 0, 0, 0)
        let filled = Atomic<Int32>(0)
        private let more = (0, 0, 0, 0, 0, 0, 0, 0)
        let done = Atomic<Int32>(0)
    }

    let count: Int
    let ends: UnsafeMutablePointer<Ends>
    /// How many steps each step still waits for.
    let waiting: UnsafeMutablePointer<Atomic<Int32>>
    /// The places: a step's index, or -1 for one that is not filled.
    let places: UnsafeMutablePointer<Atomic<Int32>>

    /// Everything is still to do. One thread, before the others begin.
    @_noLocks func open(_ steps: UnsafeMutableBufferPointer<RenderStep>) {
        var filled: Int32 = 0
        for index in 0..<count {
            waiting[index].store(steps[index].sourceCount, ordering: .relaxed)
            places[index].store(-1, ordering: .relaxed)
        }
        for index in 0..<count where steps[index].sourceCount == 0 {
            places[Int(filled)].store(Int32(truncatingIfNeeded: index), ordering: .relaxed)
            filled &+= 1
        }
        ends.pointee.filled.store(filled, ordering: .relaxed)
        ends.pointee.taken.store(0, ordering: .relaxed)
        ends.pointee.done.store(0, ordering: .relaxed)
    }

    /// The next step out of the queue, or -1 where all are done. While nothing can be done it waits for the threads that are
    /// at work.
    @_noLocks func take() -> Int {
        if Int(ends.pointee.taken.load(ordering: .relaxed)) >= count { return -1 }
        let ticket = Int(ends.pointee.taken.add(1, ordering: .relaxed).oldValue)
        if ticket >= count { return -1 }
        var looks: Int32 = 0
        while true {
            let step = places[ticket].load(ordering: .acquiring)
            if step >= 0 { return Int(step) }
            if ends.pointee.done.load(ordering: .relaxed) == Int32(truncatingIfNeeded: count) { return -1 }
            rt_wait(&looks)
        }
    }

    /// A step is done, and those in `followers` have waited for it. Returns one of them that waits for nothing more, for the
    /// caller to go on with, or -1.
    @_noLocks func finish(_ followers: UnsafeMutablePointer<Int32>, _ followerCount: Int) -> Int {
        var next = -1
        for number in 0..<followerCount {
            let follower = followers[number]
            // Whoever takes it sees all that its sources wrote.
            if waiting[Int(follower)].subtract(1, ordering: .acquiringAndReleasing).oldValue > 1 { continue }
            if next < 0 {
                next = Int(follower)
            } else {
                let place = ends.pointee.filled.add(1, ordering: .relaxed).oldValue
                places[Int(place)].store(follower, ordering: .releasing)
            }
        }
        ends.pointee.done.add(1, ordering: .relaxed)
        return next
    }
}
