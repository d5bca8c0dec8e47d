import AudioFiles
import DSP
import RealtimeCore
import Reports
import SampleRate
import Units

/// Turns the segments of one take after another into blocks for a player's ring, at the engine's rate.
///
/// `read` is called by the thread that holds the turn to read the file; all other calls are made with the source's lock.
final class FileDecoder {
    /// The next thing to be read: of which take, from which frame on where it is not the next, and how many frames.
    private struct Job {
        var epoch = 0
        var seek: Int64?
        var frames = 0
    }

    enum Step {
        /// The wanted amount is in the ring, or all that there is.
        case enough
        case needsFrames
        case failed(Fault)
    }

    /// Frames of the engine in one of the file.
    let ratio: Double
    private let path: String
    private let converter: SampleRateConverter
    private let input: [UnsafeMutablePointer<Float>]
    private static let inputFrames = 4096

    /// True while there is more to come.
    private(set) var isDecoding = false
    private(set) var blocks: PlayerBlocks
    private(set) var repairedSamples = 0
    /// Segments that have been read to their end and were not reported yet.
    private var finished: [FileSegment] = []
    private var job = Job()
    /// Counts takes, including those that failed.
    private var epoch = 0
    private var cursor = SegmentCursor()
    private var isFlushed = false
    /// True once all segments have been read, and the converter waits for one more or for the flush.
    private var isExhausted = false
    private var mark: PlayerFeed.Mark?
    /// The frame of the take with which the converter began, and frames of the file since.
    private var origin: Int64 = 0
    private var taken: Int64 = 0

    init(_ reader: any FrameReading, _ places: FileChannels, engineRate: Int) throws(Fault) {
        do {
            converter = try SampleRateConverter(from: reader.sampleRate, to: engineRate, channels: reader.channels)
        } catch { throw .rate(path: reader.path, error) }
        path = reader.path
        ratio = Double(engineRate) / Double(reader.sampleRate)
        input = (0..<reader.channels).map { _ in .allocate(capacity: Self.inputFrames) }
        blocks = PlayerBlocks(channels: reader.channels, places)
    }

    deinit { for samples in input { samples.deallocate() } }

    /// Begins a new take, whose first frame has this number: frames that are being read for another one are dropped.
    package func begin(at position: Int64 = 0) {
        epoch += 1
        isDecoding = true
        // The converter's contents belong to another take: it begins anew with the first segment.
        cursor = SegmentCursor()
        isExhausted = false
        blocks.begin(at: position)
        (mark, finished) = (nil, [])
    }

    func stop() {
        if isDecoding { epoch += 1 }
        isDecoding = false
    }

    /// Goes on after a segment was added at the end.
    func goOn(_ feed: PlayerFeed, _ take: Int64) {
        if isDecoding { return }
        feed.reopen(take)
        isDecoding = true
    }

    /// Returns whether a take that has not begun has `blocks` blocks in the ring, or as many as it can have.
    func isReady(_ feed: PlayerFeed, _ blocks: Int) -> Bool {
        !isDecoding || isExhausted || self.blocks.pushed >= blocks || feed.room == 0
    }

    /// The segments that were read to their end since the last call.
    func takeFinished() -> [FileSegment] {
        defer { finished = [] }
        return finished
    }

    /// Pushes frames until the required blocks of the take are in the ring, or it is whole. The blocks in the ring are its own
    /// once it has begun; before that, only those that were pushed. `mayEnd`: whether it ends with the last known segment; else
    /// there is time for one more, which then goes through the converter as if it had been there from the beginning.
    func push(
        _ layout: inout TakeLayout, _ feed: PlayerFeed, _ take: Int64, hasBegun: Bool, blocks wanted: Int, mayEnd: Bool
    ) -> Step {
        while isDecoding, hasBegun ? feed.capacity - feed.room < wanted : blocks.pushed < wanted && feed.room > 0 {
            if let mark {
                guard feed.set(mark) else { return .enough }
                self.mark = nil
            }
            do throws(SampleRateError) {
                if cursor.index < 0 { try beginAgain(&layout) }
                let count = try blocks.pull(converter)
                if blocks.isFull {
                    blocks.push(feed, take)
                } else if isFlushed {
                    if count > 0 { continue }
                    guard cursor.index + 1 < layout.segments.count else {
                        if blocks.made > 0 { blocks.push(feed, take) }
                        isDecoding = false
                        feed.finish(take)
                        return .enough
                    }
                    try beginAgain(&layout)
                } else if count == 0, isExhausted {
                    if cursor.index + 1 < layout.segments.count {
                        isExhausted = false
                        beginSegment(&layout)
                    } else if mayEnd {
                        converter.flush()
                        (isExhausted, isFlushed) = (false, true)
                    } else {
                        return .enough
                    }
                } else if count == 0 {
                    job = Job(epoch: epoch, seek: cursor.seek, frames: cursor.frames(atMost: Self.inputFrames))
                    return .needsFrames
                }
            } catch { return fail(.rate(path: path, error), feed, take) }
        }
        return .enough
    }

    /// Goes on with the next segment, and with a fresh converter.
    private func beginAgain(_ layout: inout TakeLayout) throws(SampleRateError) {
        try converter.startAgain()
        (isFlushed, isExhausted) = (false, false)
        (origin, taken) = (blocks.end, 0)
        beginSegment(&layout)
    }

    private func fail(_ error: Fault, _ feed: PlayerFeed, _ take: Int64) -> Step {
        isDecoding = false
        feed.finish(take)
        return .failed(error)
    }

    private func beginSegment(_ layout: inout TakeLayout) {
        layout.starts.append(place)
        cursor.begin(layout.segments[cursor.index + 1])
    }

    /// The frame of the take that the frames read so far end before.
    private var place: Int64 { origin + Int64((Double(taken) * ratio).rounded()) }

    /// Reads the frames that are needed; without the lock, and as long as the disk takes.
    func read(_ reader: any FrameReading) -> Result<Int, AudioFileError> {
        do throws(AudioFileError) {
            if let frame = job.seek { try reader.seek(to: frame) }
            return .success(try reader.read(input, capacity: job.frames))
        } catch { return .failure(error) }
    }

    /// Takes in the frames that were read, unless they came too late; across the seams of segments and loops without a gap.
    func take(_ frames: Result<Int, AudioFileError>, _ layout: inout TakeLayout, _ feed: PlayerFeed, _ take: Int64) -> Fault? {
        guard job.epoch == epoch, isDecoding else { return nil }
        let count: Int
        switch frames {
        case .success(let frames): count = min(frames, job.frames)
        case .failure(let error):
            _ = fail(.unreadable(error), feed, take)
            return .unreadable(error)
        }
        let goesOn = cursor.take(count)
        if count > 0 {
            taken += Int64(count)
            do { try converter.push(input.map { sound($0, count) }, frames: count) } catch {
                _ = fail(.rate(path: path, error), feed, take)
                return .rate(path: path, error)
            }
            if goesOn { return nil }
        }
        endPass(&layout, take)
        return nil
    }

    private func endPass(_ layout: inout TakeLayout, _ take: Int64) {
        let segment = layout.segments[cursor.index]
        if cursor.repeats(segment) { return }
        finished.append(segment)
        mark = PlayerFeed.Mark(take: take, frame: place, part: Int64(segment.number))
        if cursor.index + 1 < layout.segments.count {
            beginSegment(&layout)
        } else {
            isExhausted = true
        }
    }

    /// The samples, without those that are not numbers.
    private func sound(_ samples: UnsafeMutablePointer<Float>, _ count: Int) -> [Float] {
        for i in 0..<count where !samples[i].isFinite {
            samples[i] = 0
            repairedSamples += 1
        }
        return Array(UnsafeBufferPointer(start: samples, count: count))
    }
}
