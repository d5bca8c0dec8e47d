import Carillon

/// A song of an album: rendered, while its sound waits for the gain that all of them get.
///
/// Sendable by use: the thread that renders it makes it, the one that writes it takes it, one after the other.
final class WaitingJob: @unchecked Sendable {
    let job: RenderJob
    let render: WaitingRender
    let facts: JobFacts
    let pictures: RenderPictures?
    let elapsed: Duration

    init(job: RenderJob, render: WaitingRender, facts: JobFacts, pictures: RenderPictures?, elapsed: Duration) {
        (self.job, self.render, self.facts) = (job, render, facts)
        (self.pictures, self.elapsed) = (pictures, elapsed)
    }
}
