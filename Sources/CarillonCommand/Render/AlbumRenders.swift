import AudioFiles
import Carillon
import Glibc
import Synchronization

/// The songs of an album on their way into files: all are rendered before one is written, because they get one gain.
final class AlbumRenders: Sendable {
    private let loudness: LoudnessTarget
    /// Bytes of a song that are kept in memory.
    private let room: Int
    /// Songs that wait, and those that cannot be rendered, by their number.
    private let waiting: Mutex<[Int: Result<WaitingJob, RenderFailure>]> = Mutex([:])
    /// Nil until all songs are rendered.
    private let plan: Mutex<LevelPlan?> = Mutex(nil)

    init(_ loudness: LoudnessTarget, count: Int) {
        self.loudness = loudness
        room = FrameSpool.room / max(count, 1)
        // Each song that memory has no room for waits in a file of its own.
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
            limit.rlim_cur = limit.rlim_max
            // If this fails, fewer files can be open, and opening one too many reports the error.
            _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        }
    }

    /// Renders a song. Any thread, once for each number.
    func render(_ job: Result<RenderJob, RenderFailure>, _ number: Int, _ progress: (RenderProgress) -> Void) {
        let result: Result<WaitingJob, RenderFailure>
        switch job {
        case .failure(let failure): result = .failure(failure)
        case .success(let job):
            do throws(RenderError) {
                if Interruption.isAsked { throw .interrupted }
                result = .success(try job.waiting(for: loudness, room: room, progress))
            } catch { result = .failure(RenderFailure(job.song, error, existing: job.target.existing)) }
        }
        waiting.withLock { $0[number] = result }
    }

    /// Decides the gain, once all songs are rendered. One thread.
    func decide() {
        let renders = waiting.withLock { waiting in
            waiting.sorted { $0.key < $1.key }.compactMap { entry -> WaitingRender? in
                if case .success(let job) = entry.value { job.render } else { nil }
            }
        }
        let decided = LevelPlan(for: renders)
        plan.withLock { $0 = decided }
    }

    /// Writes a song's file. Any thread, once for each number.
    func write(_ number: Int, _ progress: (RenderProgress) -> Void) -> RenderBatch.Outcome? {
        // What has waited goes with the call.
        switch waiting.withLock({ $0.removeValue(forKey: number) }) {
        case nil: return nil
        case .failure(let failure)?: return .failure(failure)
        case .success(let waiting)?:
            do throws(RenderError) {
                guard let plan = plan.withLock({ $0 }) else { throw .interrupted }
                return .success(try waiting.job.run(waiting, plan, progress))
            } catch { return .failure(RenderFailure(waiting.job.song, error, existing: waiting.job.target.existing)) }
        }
    }
}
