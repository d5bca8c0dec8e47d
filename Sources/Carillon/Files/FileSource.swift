import AudioFiles
import RealtimeCore
import SampleRate
import Synchronization
import Units

/// Decodes a file into a player's ring: ahead of time, at the engine's rate, in stereo.
///
/// One thread at a time: whoever holds `lock`, a player's caller or whoever attends.
final class FileSource: @unchecked Sendable {
    /// Something that was asked for and has not reached the unit yet.
    struct Request {
        var time: SampleTime
        var action: PlayerFeed.Cue.Action
        var segment = FileSegment()
    }

    let lock = Mutex(())
    let reader: AudioFileReader
    private let converter: SampleRateConverter
    private let engineRate: Int
    private let input: [UnsafeMutablePointer<Float>]
    private let output: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private static let inputFrames = 4096

    /// What is still to be done, in order of time.
    private(set) var requests: [Request] = []
    private(set) var segment = FileSegment()
    /// The take that is being decoded, and whether there is more of it.
    private(set) var take: Int64 = 0
    private var isDecoding = false
    /// When it begins.
    private var begin = SampleTime.zero
    /// Its blocks so far.
    private var pushedBlocks = 0
    /// Frames of the file that the segment still has, nil for all there are; whether any came since its beginning.
    private var left: Int64?
    private var hasRead = false
    private var isFlushed = false
    /// The next frame for the ring, of the file at the engine's rate; it runs on in a loop.
    private var position: Int64 = 0
    private(set) var error: FilePlayerError?
    /// Samples that were no numbers and became 0.
    private(set) var repairedSamples = 0
    var onEnd: (@Sendable (SampleTime) -> Void)?
    private var reportedTake: Int64 = 0

    init(_ reader: AudioFileReader, engineRate: Int) throws(FilePlayerError) {
        guard reader.isSeekable else { throw .notSeekable(path: reader.path) }
        guard (1...2).contains(reader.channels) else { throw .channels(path: reader.path, count: reader.channels) }
        do {
            converter = try SampleRateConverter(from: reader.sampleRate, to: engineRate, channels: reader.channels)
        } catch { throw .rate(path: reader.path, error) }
        self.reader = reader
        self.engineRate = engineRate
        input = (0..<reader.channels).map { _ in .allocate(capacity: Self.inputFrames) }
        output = .allocate(capacity: 2)
        for channel in 0..<2 {
            let samples = UnsafeMutablePointer<Float>.allocate(capacity: PlayerFeed.blockFrames)
            samples.initialize(repeating: 0, count: PlayerFeed.blockFrames)
            (output + channel).initialize(to: samples)
        }
    }

    deinit {
        for samples in input { samples.deallocate() }
        for channel in 0..<2 { output[channel].deallocate() }
        output.deallocate()
    }

    /// Adds a request in order of time; a stop takes away what was to happen later.
    func add(_ request: Request) {
        if request.action == .stop { requests.removeAll { $0.time >= request.time } }
        let place = requests.firstIndex { $0.time > request.time } ?? requests.endIndex
        requests.insert(request, at: place)
    }

    /// A position of the file in frames of the engine.
    func engineFrames(_ frames: Int64) -> Int64 {
        Int64((Double(frames) * Double(engineRate) / Double(reader.sampleRate)).rounded())
    }

    /// A position in frames of the engine in frames of the file.
    func fileFrames(_ frames: Int64) -> Int64 {
        Int64((Double(frames) * Double(reader.sampleRate) / Double(engineRate)).rounded())
    }

    // MARK: - Filling

    /// Does what is due and fills half of the ring: the other half is for what begins next. Returns whom to tell that the
    /// file has ended, and when it did; to be called without the lock, for it may ask for more.
    func fill(_ feed: PlayerFeed) -> (body: @Sendable (SampleTime) -> Void, time: SampleTime)? {
        var ending: (body: @Sendable (SampleTime) -> Void, time: SampleTime)?
        repeat {
            while let request = requests.first, isDue(request, feed), perform(request, feed) { requests.removeFirst() }
            // In this order: the unit shows its phase first.
            let hasBegun = feed.currentTake == take, phase = feed.phase
            if hasBegun, phase == .stopped { isDecoding = false }
            decode(feed, hasBegun: hasBegun, blocks: hasBegun ? feed.capacity / 2 : waitingBlocks(feed))
            if hasBegun, phase == .ended, reportedTake != take {
                reportedTake = take
                if let onEnd { ending = (onEnd, feed.endTime) }
            }
        } while requests.first.map { $0.action == .begin && isDue($0, feed) } ?? false
        return ending
    }

    /// Whether the time of a request is near, so that it goes to the unit, and nothing overtakes it from then on.
    private func isDue(_ request: Request, _ feed: PlayerFeed) -> Bool {
        let lead = feed.capacity / 4 * PlayerFeed.blockFrames
        if let time = feed.time, request.time > time + lead { return false }
        if request.action != .begin || feed.currentTake == take { return true }
        // A take that waits must have all its frames before the next one comes behind it.
        guard feed.room > feed.capacity / 4, request.time.rawValue != .min, begin.rawValue != .min else { return false }
        return !isDecoding || pushedBlocks * PlayerFeed.blockFrames >= request.time - begin
    }

    /// Blocks of a take that has not begun: enough for the longest slice, or for the time until the next begins.
    private func waitingBlocks(_ feed: PlayerFeed) -> Int {
        let least = feed.capacity / 8
        guard let next = requests.first(where: { $0.action == .begin }), begin.rawValue != .min,
            next.time.rawValue != .min
        else { return least }
        let blocks = (next.time - begin) / PlayerFeed.blockFrames + 1
        return blocks > feed.capacity / 2 ? least : max(least, blocks)
    }

    /// False where there is no room for the cue.
    private func perform(_ request: Request, _ feed: PlayerFeed) -> Bool {
        if request.action != .begin {
            return feed.send(PlayerFeed.Cue(request.action, at: request.time))
        }
        take += 1
        begin = request.time
        segment = request.segment
        position = engineFrames(segment.start)
        isDecoding = true
        pushedBlocks = 0
        do { try rewind() } catch { fail(error, feed) }
        // A part of it now, so that the cue need not wait for the rest.
        decode(feed, hasBegun: false, blocks: feed.capacity / 8)
        return feed.send(
            PlayerFeed.Cue(.begin, at: request.time, take: take, position: engineFrames(segment.start)))
    }

    private func rewind() throws(FilePlayerError) {
        do { try reader.seek(to: segment.start) } catch { throw .file(error) }
        do { try converter.startAgain() } catch { throw .rate(path: reader.path, error) }
        left = segment.frames
        hasRead = false
        isFlushed = false
    }

    private func fail(_ error: FilePlayerError, _ feed: PlayerFeed) {
        self.error = error
        isDecoding = false
        feed.finish(take)
    }

    /// Decodes until so many blocks of the take lie in the ring, or it is whole. What lies there is its own once it has
    /// begun, and before that as much as was pushed.
    private func decode(_ feed: PlayerFeed, hasBegun: Bool, blocks: Int) {
        while isDecoding, hasBegun ? feed.capacity - feed.room < blocks : pushedBlocks < blocks && feed.room > 0 {
            do {
                let frames = try block()
                if frames > 0 {
                    if reader.channels == 1 { output[1].update(from: output[0], count: frames) }
                    feed.push(output, frames: frames, take: take, position: position)
                    position += Int64(frames)
                    pushedBlocks += 1
                }
                if frames < PlayerFeed.blockFrames {
                    isDecoding = false
                    feed.finish(take)
                }
            } catch { fail(error, feed) }
        }
    }

    /// The next block at the engine's rate; shorter at the end of the take.
    private func block() throws(FilePlayerError) -> Int {
        var made = 0
        while made < PlayerFeed.blockFrames {
            let places = (0..<reader.channels).map { output[$0] + made }
            do {
                let count = try converter.pull(places, capacity: PlayerFeed.blockFrames - made)
                made += count
                if count > 0 { continue }
            } catch { throw .rate(path: reader.path, error) }
            if isFlushed { return made }
            try feedConverter()
        }
        return made
    }

    /// Reads the next frames of the segment into the converter; over the seam of a loop as if there were none.
    private func feedConverter() throws(FilePlayerError) {
        do {
            let wanted = Int(min(left ?? .max, Int64(Self.inputFrames)))
            let count = try reader.read(input, capacity: wanted)
            if count > 0 {
                left = left.map { $0 - Int64(count) }
                hasRead = true
                converter.push((0..<reader.channels).map { sound(input[$0], count) }, frames: count)
            } else if segment.loops, hasRead {
                try reader.seek(to: segment.start)
                left = segment.frames
                hasRead = false
            } else {
                converter.flush()
                isFlushed = true
            }
        } catch { throw .file(error) }
    }

    /// The samples, without those that are no numbers.
    private func sound(_ samples: UnsafeMutablePointer<Float>, _ count: Int) -> [Float] {
        for i in 0..<count where !samples[i].isFinite {
            samples[i] = 0
            repairedSamples += 1
        }
        return Array(UnsafeBufferPointer(start: samples, count: count))
    }
}

/// A part of a file, in frames of the file.
struct FileSegment: Sendable {
    /// The first frame.
    var start: Int64 = 0
    /// How many frames; nil for all that follow.
    var frames: Int64?
    /// Whether it begins anew when it ends.
    var loops = false
}
