import CRealtime
import Glibc

/// The scheduling that the system granted a thread, and the memory it may keep.
package struct ThreadPriority: Sendable, Equatable, CustomStringConvertible {
    /// The scheduling of the thread.
    package enum Scheduling: Sendable, Equatable {
        /// SCHED_FIFO from the kernel, with its priority.
        case realTime(Int)
        /// SCHED_FIFO from RealtimeKit, the desktop's service.
        case realtimeKit(Int)
        /// No real time, but a nice value below 0.
        case nice(Int)
        /// Like every other thread.
        case normal
    }

    /// The scheduling that was granted.
    package let scheduling: Scheduling
    /// The priority that was wanted.
    package let wanted: Int
    /// True if all memory stays in RAM; if not, what the audio thread uses was touched beforehand.
    package let isMemoryLocked: Bool

    /// Creates a grant as it is.
    package init(scheduling: Scheduling, wanted: Int, isMemoryLocked: Bool) {
        (self.scheduling, self.wanted, self.isMemoryLocked) = (scheduling, wanted, isMemoryLocked)
    }

    /// The priority that a sound server has given its thread; 0 is none.
    package init(ofServer priority: Int, wanted: Int) {
        self.init(scheduling: priority > 0 ? .realTime(priority) : .normal, wanted: wanted, isMemoryLocked: false)
    }

    /// Asks for real time at `priority` (1...99) for the calling thread, touches its stack and, if allowed, locks the
    /// memory of the process. May block for a second; before the first slice.
    package static func promoteCurrentThread(priority: Int, locksMemory: Bool = true) -> ThreadPriority {
        let priority = min(max(priority, 1), 99)
        let grant = rt_thread_promote(Int32(priority))
        rt_stack_prefault(128 * 1024)
        let scheduling: Scheduling
        switch grant.granted {
        case RT_THREAD_FIFO: scheduling = .realTime(Int(grant.level))
        case RT_THREAD_RTKIT: scheduling = .realtimeKit(Int(grant.level))
        case RT_THREAD_NICE: scheduling = .nice(Int(grant.level))
        default: scheduling = .normal
        }
        return ThreadPriority(
            scheduling: scheduling, wanted: priority, isMemoryLocked: locksMemory && rt_memory_lock() == 0)
    }

    /// True if the thread has a deadline's priority.
    package var isRealTime: Bool {
        switch scheduling {
        case .realTime, .realtimeKit: true
        case .nice, .normal: false
        }
    }

    /// One line: what was granted; if it is not real time, the exact line that would change that.
    package var description: String {
        let memory = isMemoryLocked ? "memory locked" : "memory prefaulted"
        switch scheduling {
        case .realTime(let level): return "real time: SCHED_FIFO \(level), \(memory)"
        case .realtimeKit(let level): return "real time: SCHED_FIFO \(level) by RealtimeKit, \(memory)"
        case .nice(let level): return "no real time, nice \(level), \(memory); \(remedy)"
        case .normal: return "no real time, \(memory); \(remedy)"
        }
    }

    private var remedy: String {
        "for real time add the line \"@audio - rtprio \(wanted)\" (and \"@audio - memlock unlimited\") to "
            + "/etc/security/limits.d/audio.conf, join the group audio, and log in again"
    }
}
