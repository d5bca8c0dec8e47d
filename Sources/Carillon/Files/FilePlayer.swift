import AudioFiles
import Graph
import RealtimeCore
import Synchronization
import UnitAPI
import Units

/// A file in the graph: decoded ahead of time, converted to the engine's rate, played from an exact frame on.
///
///     let player = try engine.edit { (graph) throws(GraphError) in try graph.add(player: "song.flac") }
///     try player.play(at: engine.time(after: .seconds(1)))
///
/// Mono files play on both sides. On a device a thread of the engine's keeps the ring full, offline the engine does before
/// every slice, so that a render never runs dry and is the same each time. Control side, any thread. Requests take effect
/// in order of their time; one that comes after its time takes effect at once, and `lateCues` counts it. Half a second
/// ahead of its time a request goes to the unit, and nothing overtakes it from then on.
public final class FilePlayer: Sendable {
    /// What the player is doing.
    public enum State: Sendable, Equatable {
        /// It has not begun, or was stopped.
        case stopped
        case playing
        case paused
        /// The file or its part was played to the end; the sample time of the first frame after it.
        case ended(at: SampleTime)
    }

    /// The unit in the graph.
    public let node: NodeID
    /// The file, as it was named.
    public let path: String
    /// Channels of the file, 1 or 2, and its frames per second.
    public let channels: Int
    public let sampleRate: Int
    /// Frames of the file, as its header says.
    public let frames: Int64
    private let feed: PlayerFeed
    private let source: FileSource

    /// Lets `source` serve the feed of a unit. The unit holds the source, and not the player.
    init(_ source: FileSource, _ feed: PlayerFeed, node: NodeID) {
        self.node = node
        self.feed = feed
        self.source = source
        path = source.reader.path
        channels = source.reader.channels
        sampleRate = source.reader.sampleRate
        frames = source.reader.frames
        feed.serve { feed in
            let ending = source.lock.withLock { _ in source.fill(feed) }
            if let ending { ending.body(ending.time) }
        }
    }

    // MARK: - Playing

    /// Plays from frame `start` of the file on, `frames` of them or to its end, from sample time `time` on (nil: at once).
    ///
    /// Where the time is near, the beginning is decoded here, in a few milliseconds. What plays until then plays on, and
    /// dies away within 64 frames; a part that begins in the middle of the file rises as fast. A loop has no seam: the
    /// frame after the last is the first, also through the converter.
    ///
    /// - Throws: `outside`.
    public func play(
        at time: SampleTime? = nil, from start: Int64 = 0, frames: Int64? = nil, loops: Bool = false
    ) throws(FilePlayerError) {
        guard start >= 0, start < max(self.frames, 1), frames.map({ $0 > 0 }) ?? true else {
            throw .outside(path: path, start: start, frames: self.frames)
        }
        request(.begin, time, FileSegment(start: start, frames: frames, loops: loops))
    }

    /// Goes on at frame `start` of the file from `time` on, to its end, and in a loop where one was playing.
    ///
    /// - Throws: `outside`.
    public func seek(to start: Int64, at time: SampleTime? = nil) throws(FilePlayerError) {
        try play(at: time, from: start, loops: source.lock.withLock { _ in source.segment.loops })
    }

    /// Holds the file still from `time` on.
    public func pause(at time: SampleTime? = nil) { request(.pause, time) }

    /// Goes on where it was held.
    public func resume(at time: SampleTime? = nil) { request(.resume, time) }

    /// Ends at `time`, and forgets what was to happen later.
    public func stop(at time: SampleTime? = nil) { request(.stop, time) }

    /// Called by whoever attends when the file has been played to its end, with the sample time of the first frame after
    /// it; on a device by a thread of the engine's. It may ask this player, or another, to play on.
    public func onEnd(_ body: (@Sendable (SampleTime) -> Void)?) { source.lock.withLock { _ in source.onEnd = body } }

    private func request(_ action: PlayerFeed.Cue.Action, _ time: SampleTime?, _ segment: FileSegment = FileSegment()) {
        let request = FileSource.Request(time: time ?? SampleTime(.min), action: action, segment: segment)
        source.lock.withLock { _ in source.add(request) }
        feed.attend()
    }

    // MARK: - What it shows

    /// What the player is doing, as of the last slice.
    public var state: State {
        switch feed.phase {
        case .stopped: .stopped
        case .playing: .playing
        case .paused: .paused
        case .ended: .ended(at: feed.endTime)
        }
    }

    /// The frame of the file that is played next, as of the last slice.
    public var position: Int64 {
        let (start, length, loops) = source.lock.withLock { _ in
            let segment = source.segment
            return (segment.start, segment.frames ?? max(frames - segment.start, 1), segment.loops)
        }
        let position = source.fileFrames(feed.position)
        return loops && position > start ? start + (position - start) % length : position
    }

    /// Frames that were silent because the disk was too slow.
    public var underrunFrames: Int { feed.underrunFrames }
    /// Requests that came after their time.
    public var lateCues: Int { feed.lateCues }
    /// Samples of the file that were no numbers, and were played as 0.
    public var repairedSamples: Int { source.lock.withLock { _ in source.repairedSamples } }
    /// Why the file ended before its end; nil when nothing is wrong.
    public var error: FilePlayerError? { source.lock.withLock { _ in source.error } }
}

extension Graph {
    /// Adds a player of an audio file; it is silent until `play`. The unit's name is `name`, else `file-player`.
    ///
    /// - Throws: `unit` where the file cannot be opened or played, or is no audio; else as `add`.
    public mutating func add(player path: String, name: String? = nil) throws(GraphError) -> FilePlayer {
        let source: FileSource
        do throws(FilePlayerError) {
            let reader: AudioFileReader
            do { reader = try AudioFileReader(path: path) } catch { throw .file(error) }
            source = try FileSource(reader, engineRate: Int(sampleRate.rounded()))
        } catch {
            throw .unit(.resource(unit: "file-player", reason: error.description, fault: error.fault))
        }
        let node = try add(FilePlayback.self, name: name, properties: ["file": .text(path)])
        guard let feed = try self.node(node).instance.companion as? PlayerFeed else {
            preconditionFailure("a file player's companion is its feed")
        }
        return FilePlayer(source, feed, node: node)
    }
}
