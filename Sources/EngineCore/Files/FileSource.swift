import AudioFiles
import RealtimeCore
import RemoteIO
import Synchronization
import Units

/// Decodes a file into a player's ring: ahead of time, at the engine's rate, on the player's channels.
///
/// There are two locks. The holder of `turn` reads the file, which may take as long as a disk takes; `lock` is held for
/// everything else, and never for long, so that no request waits for the disk.
final class FileSource: @unchecked Sendable {
    /// Something that was requested and has not reached the unit yet.
    struct Request {
        var time: SampleTime
        var action: PlayerFeed.Cue.Action
        /// The segments to be played, one after the other; of a beginning.
        var segments: [FileSegment] = []
    }

    let lock = Mutex(())
    let turn = Mutex(())
    let reader: any FrameReading
    let engineRate: Int
    let channels: FileChannels
    let decoder: FileDecoder
    /// True if what begins in the middle of the file rises from silence.
    var risesInTheMiddle = true

    /// Requests that are still to be met, in order of time.
    private(set) var requests: [Request] = []
    /// The segments that make up the newest take, which is the decoder's, and the one before it.
    var layout = TakeLayout(), former = TakeLayout()
    /// The newest take, when it begins, and whether the unit has not received it yet.
    var take: Int64 = 0
    private var begin = SampleTime.zero
    private var isPreparing = false
    var error: Fault?
    private var count = 0
    private var endedTake: Int64 = 0
    let listeners = Listeners<FilePlayerEvent>()
    var onEnd: (@Sendable (SampleTime) -> Void)?
    /// True while a device plays in its own time, so that only the file's own thread may wait for the file.
    private var isLive = false
    private var thread: WakingThread?

    init(_ reader: any FrameReading, on width: Int, engineRate: Int) throws(Fault) {
        guard reader.isSeekable else { throw .notSeekable(path: reader.path) }
        channels = try FileChannels(reader, on: width)
        decoder = try FileDecoder(reader, channels, engineRate: engineRate)
        self.reader = reader
        self.engineRate = engineRate
    }

    // MARK: - Asked for, with the lock

    /// A segment with the next number.
    func makeSegment(start: Int64, frames: Int64?, passes: FileSegment.Passes) -> FileSegment {
        count += 1
        return FileSegment(number: count, start: start, frames: frames, passes: passes)
    }

    /// Adds a request in order of time; a stop removes later requests.
    package func add(_ request: Request) {
        if request.action == .stop {
            if isPreparing, let first = requests.first, first.time >= request.time { isPreparing = false; decoder.stop() }
            requests.removeAll { $0.time >= request.time }
        }
        // A request that is being made ready goes first.
        let place = requests.indices.first { $0 >= (isPreparing ? 1 : 0) && requests[$0].time > request.time }
        requests.insert(request, at: place ?? requests.endIndex)
    }

    /// Serves requests now: by a thread that waits for the file, or by one that does not.
    func serve(_ feed: PlayerFeed) {
        if lock.withLock({ _ in isLive }) { look(feed) } else { fill(feed, mayEnd: false) }
    }

    /// Adds a segment after all others: to the last beginning that waits, else to the current take; else it begins at once.
    func append(_ segment: FileSegment, _ feed: PlayerFeed) {
        if let last = requests.lastIndex(where: { $0.action == .begin }), !(isPreparing && last == 0) {
            requests[last].segments.append(segment)
        } else if isPreparing || isAlive(feed) {
            layout.segments.append(segment)
            decoder.goOn(feed, take)
        } else {
            add(Request(time: SampleTime(.min), action: .begin, segments: [segment]))
        }
    }

    /// Returns whether the newest take plays, is paused, or waits in the ring for its time.
    private func isAlive(_ feed: PlayerFeed) -> Bool {
        guard take > 0, endedTake != take else { return false }
        return feed.currentTake != take || feed.phase == .playing || feed.phase == .paused
    }

    /// The segment that frame `position` of a take belongs to, and the frame of the file.
    func place(_ position: Int64, ofTake number: Int64) -> Int64 {
        (number == take ? layout : former).fileFrame(position, decoder.ratio, total: reader.frames)
    }

    /// The number of times that the newest take's last segment is played.
    var passes: FileSegment.Passes { layout.segments.last?.passes ?? .once }
    var repairedSamples: Int { decoder.repairedSamples }

    /// Does what is due, and waits for the file if that is needed.
    package func attend(_ feed: PlayerFeed) {
        lock.withLock { _ in isLive = false }
        fill(feed, mayEnd: true)
    }

    /// Does what is due and fills half of the ring: the other half is for the next take. A take may end only at a point where a
    /// slice may follow, since an event's receiver may ask for more.
    private func fill(_ feed: PlayerFeed, mayEnd: Bool) {
        turn.withLock { _ in
            while true {
                let needsFrames = lock.withLock { _ in advance(feed, mayEnd: mayEnd) }
                guard needsFrames else { return }
                // Only the holder of the turn comes here; the frames from the disk are taken in with the lock.
                let frames = decoder.read(reader)
                lock.withLock { _ in
                    if let error = decoder.take(frames, &layout, feed, take) { fail(error) }
                }
            }
        }
        tell()
    }

    /// Does the work that is due and needs no file, and leaves the rest to a thread of the player's own.
    func look(_ feed: PlayerFeed) {
        lock.withLock { _ in
            isLive = true
            collect(feed)
            sendCues(feed)
            if thread == nil {
                // If no thread can be started, the next look tries again; the counters show the missing frames.
                do throws(DeviceError) {
                    thread = try WakingThread(name: "carillon-file") { [weak self, weak feed] in
                        if let self, let feed { self.fill(feed, mayEnd: true) }
                    }
                } catch {}
            }
            thread?.wake()
        }
        tell()
    }

    /// Goes as far as that is possible without reading; returns whether frames of the file are needed. With the lock.
    private func advance(_ feed: PlayerFeed, mayEnd: Bool) -> Bool {
        collect(feed)
        if let begun = feed.begun(after: take) { follow(begun.take, at: begun.position, feed) }
        while true {
            sendCues(feed)
            if !isPreparing, let request = requests.first, request.action == .begin, isDue(request, feed) { start(request) }
            // In this order: the unit shows its phase first.
            let hasBegun = feed.currentTake == take, phase = feed.phase
            if hasBegun, phase == .stopped, !isPreparing { decoder.stop() }
            let blocks = hasBegun ? feed.capacity / 2 : isPreparing ? feed.capacity / 8 : waitingBlocks(feed)
            let step = decoder.push(
                &layout, feed, take, hasBegun: hasBegun, blocks: blocks, mayEnd: mayEnd && mustEnd(feed, hasBegun: hasBegun))
            for segment in decoder.takeFinished() { listeners.post(.read(segment)) }
            switch step {
            case .needsFrames: return true
            case .failed(let error): fail(error)
            case .enough: break
            }
            guard isPreparing, decoder.isReady(feed, blocks) else {
                if let next = requests.first, next.action == .begin, !isPreparing, isDue(next, feed) { continue }
                return false
            }
            let rises = risesInTheMiddle && (layout.segments.first?.start ?? 0) > 0
            let cue = PlayerFeed.Cue(.begin, at: begin, take: take, rises: rises)
            guard feed.send(cue) else { return false }
            isPreparing = false
            requests.removeFirst()
        }
    }

    /// Returns whether the newest take must have its end now, if nothing was added to it: the ring is nearly empty, the take is
    /// about to begin, or another one is to follow it.
    private func mustEnd(_ feed: PlayerFeed, hasBegun: Bool) -> Bool {
        if hasBegun {
            let least = Float(feed.capacity / 4) * max(feed.rate, 1)
            return Float(feed.capacity - feed.room) < min(least, Float(feed.capacity / 2))
        }
        guard let time = feed.time, begin.isFrame else { return true }
        return begin < time + feed.capacity / 4 * PlayerFeed.blockFrames
            || requests.dropFirst(isPreparing ? 1 : 0).contains { $0.action == .begin }
    }

    /// Sends the cues that are due, except beginnings.
    private func sendCues(_ feed: PlayerFeed) {
        while !isPreparing, let request = requests.first, request.action != .begin, isDue(request, feed),
            feed.send(PlayerFeed.Cue(request.action, at: request.time))
        {
            if request.action == .stop { endedTake = take }
            requests.removeFirst()
        }
    }

    private func start(_ request: Request) {
        error = nil
        former = layout
        layout = TakeLayout(segments: request.segments)
        take += 1
        begin = request.time
        isPreparing = true
        decoder.begin()
    }

    /// Returns whether the time of a request is near, so that it goes to the unit, and nothing overtakes it from then on.
    private func isDue(_ request: Request, _ feed: PlayerFeed) -> Bool {
        // Fast playing uses up the ring sooner.
        let lead = Int(Float(feed.capacity / 4 * PlayerFeed.blockFrames) / max(feed.rate, 1))
        if let time = feed.time, request.time > time + lead { return false }
        if request.action != .begin || feed.currentTake == take { return true }
        // A take that waits must have all its frames before the next one follows it.
        guard feed.room > feed.capacity / 4, request.time.rawValue != .min, begin.rawValue != .min else { return false }
        return !decoder.isDecoding || decoder.blocks.pushed * PlayerFeed.blockFrames >= frames(until: request.time, feed)
    }

    /// Frames of the take that waits until something else begins.
    private func frames(until time: SampleTime, _ feed: PlayerFeed) -> Int {
        Int((Float(time - begin) * max(feed.rate, 1)).rounded(.up))
    }

    /// Blocks of a take that has not begun: enough for the longest slice, or for the time until the next begins.
    private func waitingBlocks(_ feed: PlayerFeed) -> Int {
        let least = feed.capacity / 8
        guard let next = requests.first(where: { $0.action == .begin }), begin.rawValue != .min,
            next.time.rawValue != .min
        else { return least }
        let blocks = frames(until: next.time, feed) / PlayerFeed.blockFrames + 1
        return blocks > feed.capacity / 2 ? least : max(least, blocks)
    }

    private func fail(_ error: Fault) {
        self.error = error
        listeners.post(.failed(error))
    }

    private func collect(_ feed: PlayerFeed) {
        while let report = feed.nextReport() {
            switch report.kind {
            case .began: listeners.post(.began(at: report.time))
            case .passed:
                let found = report.take == take ? layout.segments : former.segments
                guard let segment = found.first(where: { $0.number == report.value }) else { continue }
                if report.take == take { layout.played = segment.number }
                listeners.post(.played(segment, at: report.time))
            case .starved: listeners.post(.starved(at: report.time))
            case .recovered: listeners.post(.recovered(at: report.time, missing: Int(report.value)))
            case .ended: if report.take == take { end(report.time) }
            }
        }
    }

    /// The newest take has ended in the unit. Segments that were added too late for it begin at once, as a take of their own.
    private func end(_ time: SampleTime) {
        endedTake = take
        let left = layout.segments.filter { $0.number > layout.played }
        if !left.isEmpty, error == nil {
            add(Request(time: SampleTime(.min), action: .begin, segments: left))
        } else {
            listeners.post(.ended(at: time))
        }
    }

    /// Reports events without any lock: their receivers may call the player again.
    private func tell() {
        listeners.tell { event in
            guard case .ended(let time) = event else { return }
            let onEnd = lock.withLock { _ in self.onEnd }
            onEnd?(time)
        }
    }
}
