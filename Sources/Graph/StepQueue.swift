// [render]
import CRealtime
import Synchronization

/// The steps of a plan in some slices that follow each other, for several threads that take them: each once, its sources first.
///
/// A step of a slice waits for its sources in that slice; for itself in the slice before; and for those that read its buffers
/// two slices before, since it writes the same ones anew. So while effects and mixers are at one slice, instruments are one or
/// two ahead of them.
///
/// Whoever has done a step counts down those that wait for it. Of the ones that wait for nothing more it goes on with the
/// first, whose input is still in its processor's cache, and puts the others into the queue. There are as many places as
/// there is to do, and a thread that takes a ticket gets what is put into that place: so nobody has to look for work, and
/// nobody takes a lock.
struct StepQueue: BitwiseCopyable {
    /// Places taken, places filled, steps that are done, and how many there are.
    struct Ends: ~Copyable {
        let taken = Atomic<Int32>(0)
        // A cache line apart, or each would slow the others down.
        private let room = (0, 0, 0, 0, 0, 0, 0, 0)
        let filled = Atomic<Int32>(0)
        private let more = (0, 0, 0, 0, 0, 0, 0, 0)
        let done = Atomic<Int32>(0)
        let whole = Atomic<Int32>(0)
    }

    /// Steps of a slice. A task is a slice's number times this, and a step's.
    let count: Int
    let ends: UnsafeMutablePointer<Ends>
    /// The number of others that each task still waits for.
    let waiting: UnsafeMutablePointer<Atomic<Int32>>
    /// The places: a task, or -1 for one that is not filled.
    let places: UnsafeMutablePointer<Atomic<Int32>>

    /// All of so many slices is still to do. One thread, before the others begin.
    @_noLocks func open(_ steps: UnsafeMutableBufferPointer<RenderStep>, slices: Int) {
        var filled: Int32 = 0
        for slice in 0..<slices {
            for index in 0..<count {
                let before = slice == 0 ? 0 : slice == 1 ? 1 : steps[index].readerCount &+ 1
                waiting[slice &* count &+ index].store(steps[index].sourceCount &+ before, ordering: .relaxed)
                places[slice &* count &+ index].store(-1, ordering: .relaxed)
            }
        }
        for index in 0..<count where steps[index].sourceCount == 0 {
            places[Int(filled)].store(Int32(truncatingIfNeeded: index), ordering: .relaxed)
            filled &+= 1
        }
        ends.pointee.filled.store(filled, ordering: .relaxed)
        ends.pointee.taken.store(0, ordering: .relaxed)
        ends.pointee.done.store(0, ordering: .relaxed)
        ends.pointee.whole.store(Int32(truncatingIfNeeded: slices &* count), ordering: .relaxed)
    }

    /// The next task out of the queue, or -1 where all are done. While nothing can be done it waits for the threads that are
    /// at work.
    @_noLocks func take() -> Int {
        let whole = ends.pointee.whole.load(ordering: .relaxed)
        if ends.pointee.taken.load(ordering: .relaxed) >= whole { return -1 }
        let ticket = ends.pointee.taken.add(1, ordering: .relaxed).oldValue
        if ticket >= whole { return -1 }
        var looks: Int32 = 0
        while true {
            let task = places[Int(ticket)].load(ordering: .acquiring)
            if task >= 0 { return Int(task) }
            if ends.pointee.done.load(ordering: .relaxed) == whole { return -1 }
            rt_wait(&looks)
        }
    }

    /// A task is done. Returns one that has waited for it and waits for nothing more, for the caller to go on with, or -1.
    @_noLocks func finish(_ task: Int, _ plan: PlanTables) -> Int {
        let index = task % count, step = plan.steps.baseAddress.unsafelyUnwrapped + index
        let slice = task &- index
        var next = -1
        let followers = plan.followers.baseAddress.unsafelyUnwrapped + Int(step.pointee.firstFollower)
        for number in 0..<Int(step.pointee.followerCount) { count(down: slice &+ Int(followers[number]), &next) }
        let whole = Int(ends.pointee.whole.load(ordering: .relaxed)), later = slice &+ count, last = later &+ count
        if later < whole { count(down: later &+ index, &next) }
        if last < whole {
            let origins = plan.origins.baseAddress.unsafelyUnwrapped + Int(step.pointee.firstOrigin)
            for number in 0..<Int(step.pointee.originCount) { count(down: last &+ Int(origins[number]), &next) }
        }
        ends.pointee.done.add(1, ordering: .relaxed)
        return next
    }

    @_noLocks private func count(down task: Int, _ next: inout Int) {
        // Whoever takes it sees all that those before it wrote.
        if waiting[task].subtract(1, ordering: .acquiringAndReleasing).oldValue > 1 { return }
        if next < 0 {
            next = task
        } else {
            let place = ends.pointee.filled.add(1, ordering: .relaxed).oldValue
            places[Int(place)].store(Int32(truncatingIfNeeded: task), ordering: .releasing)
        }
    }
}
