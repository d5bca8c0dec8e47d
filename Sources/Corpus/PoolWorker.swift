import AudioFiles
import Carillon
import Glibc
import Synchronization

/// A worker of a pool, which does one job at a time.
package protocol PoolWorker<Job, Answer>: AnyObject {
    associatedtype Job
    associatedtype Answer

    /// Descriptors that are readable once it has something to report.
    var reports: [Int32] { get }
    /// Begins a job; it has none.
    func begin(_ job: Job)
    /// The answer to its job, once; and whether it has ended, so that no answer can come.
    func take() -> (answer: Answer?, isOver: Bool)
    /// There are no more jobs: it ends after the one that it has.
    func finish()
    /// Ends it at once, and returns how far its job has come, as the end of a sentence; nil if it cannot be ended.
    func kill() -> String?
    /// Waits for its end, and says how it ended.
    func death() -> WorkerDeath
}

/// The way in which a worker ended: a word for the cause, nil if it ended by itself; and a sentence without a subject, with a
/// remedy.
package typealias WorkerDeath = (cause: String?, reason: String)

/// A thread of a pool, which calls a closure for each job.
package final class ThreadWorker<Job: Sendable, Answer: Sendable>: PoolWorker {
    private final class Exchange: Sendable {
        let job = Mutex<Job?>(nil), answer = Mutex<Answer?>(nil)
    }

    private let exchange = Exchange()
    private let orders: Pipe, answers: Pipe
    private let thread: PlainThread

    package var reports: [Int32] { [answers.reader] }

    /// - Parameter prepare: called first on the thread.
    package init(prepare: @escaping @Sendable () -> Void = {}, _ work: @escaping @Sendable (Job) -> Answer) throws(Fault) {
        (orders, answers) = (try Pipe(), try Pipe())
        let (exchange, orders, answers) = (exchange, orders.reader, answers.writer)
        do {
            thread = try PlainThread {
                prepare()
                while Pipe.hasByte(orders) {
                    guard let job = exchange.job.withLock({ $0.take() }) else { continue }
                    let answer = work(job)
                    exchange.answer.withLock { $0 = answer }
                    Pipe.sendByte(answers)
                }
            }
        } catch {
            var code: Int32 = 0
            if case .noThread(let number) = error { code = number }
            throw Fault("no thread can be started (\(SystemFault(code: code)))", .system)
        }
    }

    package func begin(_ job: Job) {
        exchange.job.withLock { $0 = job }
        Pipe.sendByte(orders.writer)
    }

    package func take() -> (answer: Answer?, isOver: Bool) {
        guard let answer = exchange.answer.withLock({ $0.take() }) else { return (nil, false) }
        _ = Pipe.hasByte(answers.reader)
        return (answer, false)
    }

    package func finish() { orders.closeWriter() }
    package func kill() -> String? { nil }

    package func death() -> WorkerDeath {
        thread.join()
        return (nil, "")
    }
}
