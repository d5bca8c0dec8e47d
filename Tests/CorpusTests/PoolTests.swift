import Glibc
import Reports
import Synchronization
import Testing

@testable import Corpus

/// Workers that do jobs side by side.
@Suite struct PoolTests {
    /// A worker that answers at once, or does what a job says.
    private final class Scripted: PoolWorker {
        let pipe: Pipe
        private var job = ""

        init() throws(Fault) { pipe = try Pipe() }

        var reports: [Int32] { [pipe.reader] }
        func begin(_ job: String) {
            self.job = job
            if job != "hang" { Pipe.sendByte(pipe.writer) }
        }
        func take() -> (answer: String?, isOver: Bool) { job == "die" ? (nil, true) : (job == "hang" ? nil : job, false) }
        func finish() {}
        func kill() -> String? { " at 1 s" }
        func death() -> WorkerDeath { ("test", "died") }
    }

    @Test(arguments: [1, 3, 64]) func eachJobIsDoneOnce(_ size: Int) throws {
        let running = Atomic<Int>(0), most = Atomic<Int>(0)
        var done: [Int] = []
        try Pool<Int, Int>(size: size).run(Array(0..<200)) { () throws(Fault) in
            try ThreadWorker { number in
                let now = running.add(1, ordering: .relaxed).newValue
                most.max(now, ordering: .relaxed)
                usleep(100)
                running.subtract(1, ordering: .relaxed)
                return number * 2
            }
        } done: { number, answer in
            #expect(answer == number * 2)
            done.append(number)
        }
        #expect(done.sorted() == Array(0..<200) && most.load(ordering: .relaxed) <= size)
    }

    /// With fewer threads than were asked for, these do all jobs; without one the fault is thrown.
    @Test(arguments: [0, 1, 2]) func theWorkersThereAreDoAllJobs(_ limit: Int) throws {
        var hired = 0, done = 0
        func run() throws(Fault) {
            try Pool<Int, Int>(size: 4).run(Array(0..<20)) { () throws(Fault) in
                if hired == limit { throw Fault("no thread", .system) }
                hired += 1
                return try ThreadWorker { $0 }
            } done: { _, _ in
                done += 1
            }
        }
        if limit == 0 {
            #expect(throws: Fault.self) { try run() }
        } else {
            try run()
            #expect(done == 20)
        }
    }

    @Test func aWorkerThatDiesOrHangsCostsItsJob() throws {
        var left = ["a", "die", "hang", "b"][...], ends: [String] = []
        try Pool<String, String>(size: 1).run(
            hire: { () throws(Fault) in try Scripted() }, next: { left.popFirst().map { ($0, 0.02) } },
            isOver: { left.isEmpty }, look: {}
        ) { job, ending in
            switch ending {
            case .answer(let answer): ends.append(answer)
            case .death(let death): ends.append("\(job) \(death.cause ?? "")")
            case .timeout(let position): ends.append(job + position)
            }
        }
        #expect(ends == ["a", "die test", "hang at 1 s", "b"])
    }
}
