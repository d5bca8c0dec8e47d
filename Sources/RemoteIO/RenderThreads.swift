import CRealtime
import Glibc
import Graphs

/// Threads that take part in rendering, owned by the puller of a renderer. They sleep while there is nothing to do, and
/// change no sample.
///
/// Sendable: `threads` is written by `init` and read by `deinit` alone.
package final class RenderThreads: @unchecked Sendable {
    /// The crew that they are, for the renderer.
    package let crew = RenderCrew()
    private var threads: [PlainThread] = []

    /// The most threads that one slice may be rendered on.
    package static let limit = 64

    /// The processors that this process may use.
    static var processors: Int { Int(rt_processors()) }

    /// `count` threads that help, 0 and up. - Throws: `noThread`.
    ///
    /// - Parameter priority: of real time, for what is heard as it is rendered; nil means none.
    package init(_ count: Int, priority: Int? = nil) throws(DeviceError) {
        for number in 0..<count {
            let crew = crew
            threads.append(
                try PlainThread(name: "carillon-help-\(number + 1)") {
                    if let priority { _ = ThreadPriority.promoteCurrentThread(priority: priority, locksMemory: false) }
                    crew.attend()
                })
        }
    }

    deinit {
        crew.dismiss()
        for thread in threads { thread.join() }
    }
}
