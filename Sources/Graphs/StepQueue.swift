// [render]
import CRealtime
import Synchronization

/// The steps of a plan in some slices that follow each other, for several threads that take them: each once, its sources first.
///
/// A step of a slice waits for its sources in that slice; for itself in the slice before; and for those that read its buffers
/// two slices before, since it writes the same ones anew. So while effects and mixers are at one slice, instruments are one or
/// two ahead of them.
///
/// The thread that has done a step counts down those that wait for it. Of the steps that wait for nothing more it goes on
/// with the first, whose input is still in its processor's cache, and puts the others into the queue. There are as many
/// places as steps to do, and a thread that takes a ticket gets what is put into that place: so no thread has to search for
/// work or take a lock.
///
/// A thread whose place stays empty for some 20 microseconds writes `awaited` there and sleeps until it holds something else.
/// The thread that fills a place reads the old value in the same step, so it cannot miss the sleeper; and if the sleeper came
/// later, the kernel finds the place filled and does not let it sleep. So each thread knows whom it wakes, and none is woken
/// for nothing.
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
    /// The places: a task, or one of the numbers below.
    let places: UnsafeMutablePointer<Atomic<Int32>>
    let weights: StepWeights

    /// A place that is not filled; one whose thread sleeps; one that will not be filled, since all is done.
    private static var empty: Int32 { @_noLocks get { -1 } }
    private static var awaited: Int32 { @_noLocks get { -2 } }
    private static var over: Int32 { @_noLocks get { -3 } }

    /// Opens the queue with all steps of `slices` slices to do. One thread, before the others begin.
    @_noLocks func open(_ steps: UnsafeMutableBufferPointer<RenderStep>, slices: Int) {
        var filled: Int32 = 0
        for slice in 0..<slices {
            for index in 0..<count {
                let before = slice == 0 ? 0 : slice == 1 ? 1 : steps[index].readerCount &+ 1
                waiting[slice &* count &+ index].store(steps[index].sourceCount &+ before, ordering: .relaxed)
                places[slice &* count &+ index].store(Self.empty, ordering: .relaxed)
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

    /// -1 if all are done. While nothing can be done it waits for the threads that are at work.
    @_noLocks func take() -> Int {
        let whole = ends.pointee.whole.load(ordering: .relaxed)
        if ends.pointee.taken.load(ordering: .relaxed) >= whole { return -1 }
        let ticket = ends.pointee.taken.add(1, ordering: .sequentiallyConsistent).oldValue
        if ticket >= whole { return -1 }
        let place = places + Int(ticket)
        var looks: Int32 = 0
        while true {
            let task = place.pointee.load(ordering: .acquiring)
            if task >= 0 { return Int(task) }
            if ends.pointee.done.load(ordering: .sequentiallyConsistent) == whole { return -1 }
            if rt_look(&looks) { continue }
            if task == Self.awaited {
                rt_sleep(word(place), task)
            } else {
                // Then it checks once more whether all is done: the thread of the last step counts it as done before it looks
                // for sleepers.
                _ = place.pointee.compareExchange(
                    expected: Self.empty, desired: Self.awaited, ordering: .sequentiallyConsistent)
            }
        }
    }

    /// A task is done. Returns one that has waited for it and waits for nothing more, for the caller to go on with, or -1.
    @_noLocks func finish(_ task: Int, _ plan: PlanTables) -> Int {
        let index = task % count, step = plan.steps.baseAddress.unsafelyUnwrapped + index
        let slice = task &- index
        var next = -1
        let followers = plan.followers.baseAddress.unsafelyUnwrapped + Int(step.pointee.firstFollower)
        for number in 0..<Int(step.pointee.followerCount) { count(down: slice &+ Int(followers[number]), &next) }
        let whole = ends.pointee.whole.load(ordering: .relaxed), later = slice &+ count, last = later &+ count
        if later < Int(whole) { count(down: later &+ index, &next) }
        if last < Int(whole) {
            let origins = plan.origins.baseAddress.unsafelyUnwrapped + Int(step.pointee.firstOrigin)
            for number in 0..<Int(step.pointee.originCount) { count(down: last &+ Int(origins[number]), &next) }
        }
        if ends.pointee.done.add(1, ordering: .sequentiallyConsistent).newValue == whole { end() }
        return next
    }

    /// All is done: threads that wait for a place that will not be filled return.
    @_noLocks private func end() {
        var place = Int(ends.pointee.filled.load(ordering: .relaxed))
        let taken = ends.pointee.taken.load(ordering: .sequentiallyConsistent)
        let last = Int(min(taken, ends.pointee.whole.load(ordering: .relaxed)))
        while place < last {
            fill(place, with: Self.over)
            place &+= 1
        }
    }

    @_noLocks private func fill(_ number: Int, with task: Int32) {
        let place = places + number
        if place.pointee.exchange(task, ordering: .sequentiallyConsistent) == Self.awaited { rt_wake(word(place)) }
    }

    @_noLocks private func word(_ place: UnsafeMutablePointer<Atomic<Int32>>) -> UnsafeMutablePointer<Int32> {
        UnsafeMutableRawPointer(place).assumingMemoryBound(to: Int32.self)
    }

    @_noLocks private func count(down task: Int, _ next: inout Int) {
        // The thread that takes it sees all that the steps before it wrote.
        if waiting[task].subtract(1, ordering: .acquiringAndReleasing).oldValue > 1 { return }
        if next < 0 {
            next = task
        } else {
            let place = ends.pointee.filled.add(1, ordering: .relaxed).oldValue
            fill(Int(place), with: Int32(truncatingIfNeeded: task))
        }
    }
}
