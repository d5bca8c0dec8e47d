import AudioFiles
import Carillon
import Corpus
import FoundationEssentials
import Glibc
import Reports
import Synchronization

/// Songs on their way into audio files, several at a time, each on a thread of its own. What comes of one changes nothing of
/// the others, nor do the threads change a byte.
final class RenderBatch: Sendable {
    typealias Outcome = Result<RenderResult, RenderFailure>
    private typealias Waiting = Result<WaitingJob, RenderFailure>

    private let jobs: [Result<RenderJob, RenderFailure>]
    private let meters: [RenderMeter]
    /// The loudness of all together: they get one gain, so all are rendered before one is written. Nil means a gain for each.
    private let album: LoudnessTarget?
    private let waiting: Mutex<[Int: Waiting]> = Mutex([:])

    init(_ jobs: [Result<RenderJob, RenderFailure>], album: LoudnessTarget? = nil) {
        (self.jobs, self.album) = (jobs, album)
        meters = jobs.map { _ in RenderMeter() }
    }

    /// The number of threads that this process may run at a time.
    static var processors: Int { max(ProcessInfo.processInfo.activeProcessorCount, 1) }

    /// Renders all songs on `threads` threads, and passes each outcome to `onOutcome` on the calling thread, in the order of
    /// the songs: a slow one delays the reports of those after it, not their renders.
    func run(threads: Int, bar: inout ProgressBar?, onOutcome: (Outcome) -> Void) throws(Fault) {
        var next = 0, begun: Set<Int> = [], outcomes: [Int: Outcome] = [:], shown = bar
        defer {
            shown?.clear()
            bar = shown
        }
        let order = order(threads)
        /// Reports songs that have begun, each once before it is over.
        func begin() {
            guard let shown, begun.count < jobs.count else { return }
            for number in jobs.indices where meters[number].hasBegun && begun.insert(number).inserted {
                shown.begin(SongList.shown(song(number)), number: number + 1, of: jobs.count)
            }
        }
        func each<Answer: Sendable>(
            _ work: @escaping @Sendable (Int) -> Answer, isLast: Bool, done: (Int, Answer) -> Void
        ) throws(Fault) {
            var count = 0
            try Pool<Int, Answer>(size: threads).run(order) { () throws(Fault) in
                try ThreadWorker(prepare: Interruption.prepareThread) { number in
                    self.meters[number].begin()
                    defer { self.meters[number].finish() }
                    return work(number)
                }
            } look: {
                begin()
                shown?.update(
                    isLast && jobs.count == 1
                        ? .song(meters[0].progress)
                        : .songs(done: isLast ? count : 0, of: jobs.count, parts: parts, running: running))
            } done: { number, answer in
                count += 1
                done(number, answer)
            }
        }
        var plan: LevelPlan?
        if let album {
            Self.raiseFileLimit()
            let room = FrameSpool.room / max(jobs.count, 1)
            try each({ self.rendered($0, for: album, room: room) }, isLast: false) { number, render in
                waiting.withLock { $0[number] = render }
            }
            plan = LevelPlan(
                for: waiting.withLock { waiting in
                    jobs.indices.compactMap { number in
                        if case .success(let job)? = waiting[number] { job.render } else { nil }
                    }
                })
        }
        try each({ [plan] in self.outcome(of: $0, plan) }, isLast: true) { number, outcome in
            outcomes[number] = outcome
            begin()
            while let outcome = outcomes.removeValue(forKey: next) {
                shown?.clear()
                shown?.end(outcome, number: next + 1)
                onOutcome(outcome)
                next += 1
            }
        }
    }

    /// The order in which songs begin: as given, or if there are few for each thread, the longest first, so that no thread
    /// is left with a long one at the end. The size of the file is a good enough measure of length.
    private func order(_ threads: Int) -> [Int] {
        let given = Array(jobs.indices)
        if threads < 2 || jobs.count > 16 * threads { return given }
        let sizes = jobs.map { job -> Int in
            var file = stat()
            guard case .success(let job) = job, stat(job.song, &file) == 0 else { return 0 }
            return Int(file.st_size)
        }
        return given.sorted { (sizes[$1], $0) < (sizes[$0], $1) }
    }

    /// Each song of an album that memory has no room for waits in a file of its own. If the limit cannot be raised, the song
    /// that opens one file too many reports it.
    private static func raiseFileLimit() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    /// Songs that are done, in parts of songs: those that are being rendered count as far as they are.
    private var parts: Double { meters.reduce(0) { $0 + $1.part } }

    private var running: [(song: String, part: Double)] {
        jobs.indices.filter { meters[$0].hasBegun && !meters[$0].isOver }.map {
            (SongList.shown(song($0)), meters[$0].part)
        }
    }

    private func song(_ number: Int) -> String {
        switch jobs[number] {
        case .success(let job): job.song
        case .failure(let failure): failure.song
        }
    }

    private func rendered(_ number: Int, for album: LoudnessTarget, room: Int) -> Waiting {
        jobs[number].flatMap { job in
            attempt(job) { () throws(Fault) in
                if Interruption.isAsked { throw .interrupted }
                return try job.waiting(for: album, room: room) { self.meters[number].progress = $0 }
            }
        }
    }

    private func outcome(of number: Int, _ plan: LevelPlan?) -> Outcome {
        // The frames that have waited are freed with this value.
        if let waiting = waiting.withLock({ $0.removeValue(forKey: number) }) {
            return waiting.flatMap { waiting in
                attempt(waiting.job) { () throws(Fault) in
                    guard let plan else { throw .interrupted }
                    return try waiting.job.run(waiting, plan) { _ in }
                }
            }
        }
        return jobs[number].flatMap { job in
            attempt(job) { () throws(Fault) in
                if Interruption.isAsked { throw .interrupted }
                return try job.run(progress: { self.meters[number].progress = $0 })
            }
        }
    }

    private func attempt<Made>(_ job: RenderJob, _ body: () throws(Fault) -> Made) -> Result<Made, RenderFailure> {
        do throws(Fault) { return .success(try body()) } catch {
            return .failure(RenderFailure(job.song, error, existing: job.target.existing))
        }
    }
}

/// The progress of one song: written by the thread that renders it, read by the one that looks on.
final class RenderMeter: Sendable {
    private struct State {
        var progress = RenderProgress(frames: 0, expectedFrames: 0), hasBegun = false, isOver = false
    }

    private let state = Mutex(State())

    var progress: RenderProgress {
        get { state.withLock(\.progress) }
        set { state.withLock { $0.progress = newValue } }
    }

    /// 0...1.
    var part: Double {
        let now = state.withLock { $0 }
        if now.isOver { return 1 }
        return now.progress.expectedFrames > 0
            ? min(Double(now.progress.frames) / Double(now.progress.expectedFrames), 1) : 0
    }

    /// True from the moment at which a thread took the song.
    var hasBegun: Bool { state.withLock(\.hasBegun) }
    var isOver: Bool { state.withLock(\.isOver) }

    func begin() { state.withLock { $0.hasBegun = true } }
    func finish() { state.withLock { $0.isOver = true } }
}
