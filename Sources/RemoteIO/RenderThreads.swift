import CRealtime
import Glibc
import Graph
import Synchronization

/// Threads that take part in rendering: whoever pulls a renderer owns them, calls them before a slice and lets them go behind
/// it.
///
/// Between two slices that follow one another at once they stay awake; else they sleep. They change no sample.
public final class RenderThreads: @unchecked Sendable {
    /// One of the threads, and how it is woken.
    struct Bed: ~Copyable {
        let event: Int32
        let isAsleep = Atomic<Bool>(false)
    }

    /// A handle for the thread that renders, to call the others and let them go. It stays good as long as they do.
    package struct Call: BitwiseCopyable, @unchecked Sendable {
        let crew: Unmanaged<RenderCrew>
        fileprivate let isCalled: UnsafeMutablePointer<Atomic<Bool>>
        fileprivate let beds: UnsafeMutablePointer<Bed>
        fileprivate let count: Int

        /// Wakes who sleeps: a slice is about to be rendered.
        @_noLocks func begin() {
            isCalled.pointee.store(true, ordering: .sequentiallyConsistent)
            for index in 0..<count where beds[index].isAsleep.exchange(false, ordering: .sequentiallyConsistent) {
                rt_event_signal(beds[index].event)
            }
        }

        /// The slice is done.
        @_noLocks func end() { isCalled.pointee.store(false, ordering: .relaxed) }
    }

    package let call: Call
    private let crew: RenderCrew
    private let isOver: UnsafeMutablePointer<Atomic<Bool>>
    private let count: Int
    private var threads: [PlainThread] = []

    /// The most threads that one slice may be rendered on.
    public static let limit = 64

    /// The processors that this process may use.
    static var processors: Int { Int(rt_processors()) }

    /// `count` threads that help, 0 and up. - Throws: `noThread`.
    ///
    /// - Parameter priority: of real time, for what is heard as it is rendered; nil: none.
    public init(_ count: Int, priority: Int? = nil) throws(DeviceError) {
        crew = RenderCrew()
        self.count = count
        isOver = .allocate(capacity: 1)
        isOver.initialize(to: Atomic(false))
        let isCalled = UnsafeMutablePointer<Atomic<Bool>>.allocate(capacity: 1)
        isCalled.initialize(to: Atomic(false))
        let beds = UnsafeMutablePointer<Bed>.allocate(capacity: max(count, 1))
        for index in 0..<count { (beds + index).initialize(to: Bed(event: rt_event_make())) }
        call = Call(crew: .passUnretained(crew), isCalled: isCalled, beds: beds, count: count)
        for index in 0..<count {
            if beds[index].event < 0 { throw .noThread(code: EMFILE) }
            let crew = crew, call = call, sleeper = Sleeper(bed: beds + index, isOver: isOver)
            threads.append(try PlainThread { sleeper.run(crew, call, number: index + 1, priority) })
        }
    }

    deinit {
        isOver.pointee.store(true, ordering: .sequentiallyConsistent)
        call.begin()
        for thread in threads { thread.join() }
        for index in 0..<count where call.beds[index].event >= 0 { rt_event_close(call.beds[index].event) }
        call.beds.deinitialize(count: count)
        call.beds.deallocate()
        call.isCalled.deallocate()
        isOver.deallocate()
    }

    /// The work of one of the threads.
    private struct Sleeper: @unchecked Sendable {
        let bed: UnsafeMutablePointer<Bed>
        let isOver: UnsafeMutablePointer<Atomic<Bool>>

        func run(_ crew: RenderCrew, _ call: Call, number: Int, _ priority: Int?) {
            rt_thread_name("carillon-help-\(number)")
            if let priority { _ = ThreadPriority.promoteCurrentThread(priority: priority, locksMemory: false) }
            // The next slice of a file comes at once, that of a device in some milliseconds.
            let patience = priority == nil ? 4_000 : 100
            var looks = 0
            while !isOver.pointee.load(ordering: .acquiring) {
                if crew.help() {
                    looks = 0
                    continue
                }
                looks += 1
                if looks < patience {
                    rt_pause()
                } else if call.isCalled.pointee.load(ordering: .relaxed) {
                    sched_yield()
                } else {
                    sleep(call)
                    looks = 0
                }
            }
        }

        private func sleep(_ call: Call) {
            bed.pointee.isAsleep.store(true, ordering: .sequentiallyConsistent)
            // Whoever calls after this sees that it sleeps; who called before is seen here.
            if call.isCalled.pointee.load(ordering: .sequentiallyConsistent) || isOver.pointee.load(ordering: .acquiring) {
                // Where somebody has just woken it, the signal is there.
                if bed.pointee.isAsleep.exchange(false, ordering: .sequentiallyConsistent) { return }
            }
            _ = rt_event_wait(bed.pointee.event, .max)
            rt_event_clear(bed.pointee.event)
        }
    }
}
