import AudioFiles
import Carillon
import Glibc
import Synchronization

/// Songs on their way into audio files, several at a time, each on a thread of its own. What comes of one changes nothing of
/// the others, nor do the threads change a byte.
final class RenderBatch: Sendable {
    typealias Outcome = Result<RenderResult, RenderFailure>

    private let jobs: [Result<RenderJob, RenderFailure>]
    private let meters: [RenderMeter]
    /// Outcomes that have not been told yet.
    private let outcomes: Mutex<[Int: Outcome]> = Mutex([:])
    /// Nil: each song has a gain for itself.
    private let album: AlbumRenders?

    init(_ jobs: [Result<RenderJob, RenderFailure>], album: LoudnessTarget? = nil) {
        self.jobs = jobs
        self.album = album.map { AlbumRenders($0, count: jobs.count) }
        meters = jobs.map { _ in RenderMeter() }
    }

    /// Renders all on so many threads. `told` gets each outcome on the calling thread, in the order of the songs; a slow song
    /// holds up what is told, not what is rendered.
    func run(threads: Int, bar: inout ProgressBar?, told: (Outcome) -> Void) throws(SystemCode) {
        var next = 0, done = 0
        var shown = bar
        defer {
            shown?.clear()
            bar = shown
        }
        let order = order(threads)
        if let album {
            try Workers.run(count: jobs.count, threads: threads) { place in
                let number = order[place]
                album.render(self.jobs[number], number) { self.meters[number].progress = $0 }
                self.meters[number].finish()
            } done: { _ in
            } look: {
                shown?.update(.songs(done: 0, of: jobs.count, parts: parts))
            }
            album.decide()
        }
        try Workers.run(count: jobs.count, threads: threads) { place in
            let number = order[place]
            let outcome = self.outcome(of: number)
            self.outcomes.withLock { $0[number] = outcome }
        } done: { _ in
            done += 1
            while let outcome = outcomes.withLock({ $0.removeValue(forKey: next) }) {
                shown?.clear()
                told(outcome)
                next += 1
            }
        } look: {
            shown?.update(jobs.count == 1 ? .song(meters[0].progress) : .songs(done: done, of: jobs.count, parts: parts))
        }
    }

    /// The order in which songs are begun: as given; where they are few for the threads, long ones first, so that none of them
    /// is left to one thread at the end. How long a song is, its file says nearly enough.
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

    private func outcome(of number: Int) -> Outcome {
        defer { meters[number].finish() }
        if let outcome = album?.write(number, { _ in }) { return outcome }
        switch jobs[number] {
        case .failure(let failure): return .failure(failure)
        case .success(let job):
            if Interruption.isAsked { return .failure(RenderFailure(job.song, .interrupted, existing: .refused)) }
            do throws(RenderError) {
                return .success(try job.run { self.meters[number].progress = $0 })
            } catch { return .failure(RenderFailure(job.song, error, existing: job.target.existing)) }
        }
    }
}

/// The progress of one song: written by the thread that renders it, read by the one that looks on.
final class RenderMeter: Sendable {
    private let frames = Atomic<Int64>(0), expected = Atomic<Int64>(0)
    private let isDone = Atomic<Bool>(false)

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

    func finish() { isDone.store(true, ordering: .relaxed) }
}
