// [render]
import CRealtime
import Synchronization

/// A number that one thread raises and others wait for: they look for some 20 microseconds, and then sleep.
///
/// No wake-up is lost. A thread that is about to sleep counts itself first and then looks at the number; a thread that raises
/// the number does so first and then looks for sleepers: in one order of all of that, one of the two sees the other. Between
/// that look and the sleep, the kernel decides: it puts no thread to sleep over a number that has changed (futex). If no
/// thread sleeps, raising the number takes no system call.
///
/// Sendable: the pointer never changes, and any thread reads and writes its two words, which are atomic.
///
/// Source: D. P. Reed and R. K. Kanodia, "Synchronization with Eventcounts and Sequencers", 1979.
package struct EventCount: ~Copyable, @unchecked Sendable {
    /// The number, and how many sleep over it.
    private let words: UnsafeMutablePointer<Atomic<Int32>>

    /// Begins with 0. Control side.
    package init() {
        words = .allocate(capacity: 2)
        words.initialize(to: Atomic(0))
        (words + 1).initialize(to: Atomic(0))
    }

    deinit {
        words.deinitialize(count: 2)
        words.deallocate()
    }

    /// The number now; a reader that sees it sees what was written before it was raised. It wraps around. Any thread.
    package var number: Int32 { @_noLocks get { words[0].load(ordering: .acquiring) } }

    /// The number of threads that sleep. Any thread.
    package var sleepers: Int { Int(words[1].load(ordering: .relaxed)) }

    /// Raises the number by one and wakes all threads that wait for that, in the render callback: it never waits.
    @_noLocks package func advance() { if raise() { rt_wake(word) } }

    /// Raises the number by one and wakes all threads that wait for that, outside of the render callback.
    package func announce() { if raise() { rt_word_wake(word) } }

    /// Waits until the number is another than `number`. Any thread but one that renders.
    package func wait(past number: Int32) {
        var looks: Int32 = 0
        while words[0].load(ordering: .acquiring) == number {
            if rt_look(&looks) { continue }
            words[1].add(1, ordering: .sequentiallyConsistent)
            if words[0].load(ordering: .sequentiallyConsistent) == number { rt_word_sleep(word, number) }
            words[1].subtract(1, ordering: .relaxed)
        }
    }

    @_noLocks private func raise() -> Bool {
        words[0].wrappingAdd(1, ordering: .sequentiallyConsistent)
        return words[1].load(ordering: .sequentiallyConsistent) > 0
    }

    private var word: UnsafeMutablePointer<Int32> {
        @_noLocks get { UnsafeMutableRawPointer(words).assumingMemoryBound(to: Int32.self) }
    }
}
