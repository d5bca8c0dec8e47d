import Carillon
import Corpus
import FoundationEssentials
import Glibc
import Synchronization

/// Songs on their way into audio files, several at a time, each on a thread of its own. What comes of one changes nothing of
/// the others, nor do the threads change a byte.
final class RenderBatch: Sendable {
    typealias Outcome = Result<RenderResult, RenderFailure>

    private let jobs: [Result<RenderJob, RenderFailure>]
    private let meters: [RenderMeter]
    /// Nil: each song has a gain for itself.
    private let album: AlbumRenders?

    init(_ jobs: [Result<RenderJob, RenderFailure>], album: LoudnessTarget? = nil) {
        self.jobs = jobs
        self.album = album.map { AlbumRenders($0, count: jobs.count) }
        meters = jobs.map { _ in RenderMeter() }
    }

    /// The number of threads that this process may run at a time.
    static var processors: Int { max(ProcessInfo.processInfo.activeProcessorCount, 1) }

    /// Renders all on so many threads. `told` gets each outcome on the calling thread, in the order of the songs; a slow song
    /// delays the reports of the songs after it, not their renders.
    func run(threads: Int, bar: inout ProgressBar?, told: (Outcome) -> Void) throws(BatchFault) {
        var next = 0, done = 0, begun: Set<Int> = []
        var shown = bar
        defer {
            shown?.clear()
            bar = shown
        }
        let order = order(threads)
        func each<Answer: Sendable>(
            _ work: @escaping @Sendable (Int) -> Answer, look: () -> Void, done: (Int, Answer) -> Void
        ) throws(BatchFault) {
            try Pool<Int, Answer>(size: threads).run(
                order, hire: { () throws(BatchFault) in try ThreadWorker(prepare: Interruption.prepareThread, work) },
                look: look, done: done)
        }
        /// Reports songs that have begun: each once, before it is over.
        func begin() {
            guard let shown, begun.count < jobs.count else { return }
            for number in jobs.indices where meters[number].hasBegun && begun.insert(number).inserted {
                shown.begin(SongList.shown(song(number)), number: number + 1, of: jobs.count)
            }
        }
        if let album {
            try each { number in
                self.meters[number].begin()
                album.render(self.jobs[number], number) { self.meters[number].progress = $0 }
                self.meters[number].finish()
            } look: {
                begin()
                shown?.update(.songs(done: 0, of: jobs.count, parts: parts, running: running))
            } done: { _, _ in
            }
            album.decide()
        }
        var outcomes: [Int: Outcome] = [:]
        try each { number in
            self.meters[number].begin()
            return self.outcome(of: number)
        } look: {
            begin()
            shown?.update(
                jobs.count == 1
                    ? .song(meters[0].progress) : .songs(done: done, of: jobs.count, parts: parts, running: running))
        } done: { number, outcome in
            outcomes[number] = outcome
            done += 1
            begin()
            while let outcome = outcomes.removeValue(forKey: next) {
                shown?.clear()
                shown?.end(outcome, number: next + 1)
                told(outcome)
                next += 1
            }
        }
    }

    /// The order in which songs are begun: as given; if they are few for the threads, long ones first, so that none of them
    /// is left to one thread at the end. The size of its file shows nearly enough how long a song is.
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

    /// Songs that are done, in parts of songs: those that are being rendered count as far as they are.
    private var parts: Double { meters.reduce(0) { $0 + $1.part } }

    private var running: [ProgressJSON.Running] {
        jobs.indices.filter { meters[$0].hasBegun && !meters[$0].isOver }.map {
            ProgressJSON.Running(song: SongList.shown(song($0)), part: meters[$0].part)
        }
    }

    private func song(_ number: Int) -> String {
        switch jobs[number] {
        case .success(let job): job.song
        case .failure(let failure): failure.song
        }
    }

    private func outcome(of number: Int) -> Outcome {
        defer { meters[number].finish() }
        if let outcome = album?.write(number, { _ in }) { return outcome }
        switch jobs[number] {
        case .failure(let failure): return .failure(failure)
        case .success(let job):
            if Interruption.isAsked { return .failure(RenderFailure(job.song, .interrupted, existing: .refused)) }
            do throws(RenderError) {
                return .success(try job.run(progress: { self.meters[number].progress = $0 }))
            } catch { return .failure(RenderFailure(job.song, error, existing: job.target.existing)) }
        }
    }
}

/// The progress of one song: written by the thread that renders it, read by the one that looks on.
final class RenderMeter: Sendable {
    private let frames = Atomic<Int64>(0), expected = Atomic<Int64>(0)
    private let isDone = Atomic<Bool>(false), isBegun = Atomic<Bool>(false)

    var progress: RenderProgress {
        get {
            RenderProgress(
                frames: frames.load(ordering: .relaxed), expectedFrames: expected.load(ordering: .relaxed))
        }
        set {
            frames.store(newValue.frames, ordering: .relaxed)
            expected.store(newValue.expectedFrames, ordering: .relaxed)
        }
    }

    /// 0...1.
    var part: Double {
        if isDone.load(ordering: .relaxed) { return 1 }
        let now = progress
        return now.expectedFrames > 0 ? min(Double(now.frames) / Double(now.expectedFrames), 1) : 0
    }

    var hasBegun: Bool { isBegun.load(ordering: .relaxed) }
    var isOver: Bool { isDone.load(ordering: .relaxed) }

    func begin() { isBegun.store(true, ordering: .relaxed) }
    func finish() { isDone.store(true, ordering: .relaxed) }
}
