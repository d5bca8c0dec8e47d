import AudioFiles
import DSP
import Graphs
import RealtimeCore
import Synchronization
import UnitAPI
import Units

/// A file in the graph: decoded ahead of time, converted to the engine's rate, played from an exact frame on.
///
///     let player = try engine.edit { (graph) throws(Fault) in try graph.add(player: "song.flac") }
///     try player.play(at: engine.time(after: .seconds(1)))
///
/// A player has two channels unless it is given more: mono files play on both sides then, and those for more loudspeakers are
/// folded down, which `remark` reports. On a device a thread of the player's own keeps the ring full, so that a slow disk does
/// not block other threads; offline the engine does so before every slice, so that a render never runs dry and is the same each
/// time. Control side, any thread. Requests take effect in order of their time; one that comes after its time takes effect at
/// once, and `lateCues` counts it. Half a second ahead of its time a request goes to the unit, and nothing overtakes it from
/// then on.
///
/// How loud and how fast it plays are parameters of its unit, `volume` and `rate` (`FilePlayback.Parameter`):
/// `engine.fade`, `engine.ramp` and `engine.set` move them, from an exact frame on. Several players play in step by one
/// sample time: `engine.play(_:at:)`.
public final class FilePlayer: Sendable {
    /// A state of the player.
    public enum State: Sendable, Equatable {
        /// The player has not begun, or was stopped.
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
    /// Channels of the file, 1...8, and its frames per second.
    public let channels: Int
    public let sampleRate: Int
    /// The loudspeakers that the file is made for; nil if unknown. In a file that does not say, four, five, six and eight
    /// channels are taken for quad, 5.0, 5.1 and 7.1.
    public let layout: SpeakerLayout?
    /// A sentence on differences from the file: loudspeakers that were folded down or only assumed.
    public let remark: String?
    /// Frames of the file, as its header says.
    public let frames: Int64
    private let feed: PlayerFeed
    private let source: FileSource

    /// Connects `source` to the feed of a unit. The unit holds the source, and not the player.
    init(_ source: FileSource, _ feed: PlayerFeed, node: NodeID) {
        self.node = node
        self.feed = feed
        self.source = source
        path = source.reader.path
        channels = source.reader.channels
        sampleRate = source.reader.sampleRate
        frames = source.reader.frames
        layout = source.reader.layout
        remark = source.channels.remark(source.reader)
        feed.serve({ source.attend($0) }, look: { source.look($0) }, remark: remark)
    }

    /// Plays from frame `start` of the file on, `frames` of them or to its end, from sample time `time` on (nil means at once).
    ///
    /// If the time is near, the beginning is decoded here, in a few milliseconds; on a device a thread of the player's own does
    /// that. Sound that plays before goes on until then, and dies away within 64 frames; a part that begins in the middle of
    /// the file rises as fast. A loop has no seam: the frame after the last is the first, also through the converter.
    ///
    /// - Parameter passes: how often it is played, one pass directly after the other.
    /// - Returns: the segment, as events name it.
    /// - Throws: `outside`.
    @discardableResult
    public func play(
        at time: SampleTime? = nil, from start: Int64 = 0, frames: Int64? = nil, passes: FileSegment.Passes = .once
    ) throws(Fault) -> FileSegment {
        try check(start, frames, passes)
        let segment = source.lock.withLock { _ in
            let segment = source.makeSegment(start: start, frames: frames, passes: passes)
            source.add(FileSource.Request(time: time ?? SampleTime(.min), action: .begin, segments: [segment]))
            return segment
        }
        source.serve(feed)
        return segment
    }

    /// Plays from frame `start` of the file on, once, or again and again.
    @discardableResult
    public func play(
        at time: SampleTime? = nil, from start: Int64 = 0, frames: Int64? = nil, loops: Bool
    ) throws(Fault) -> FileSegment { try play(at: time, from: start, frames: frames, passes: loops ? .endless : .once) }

    /// Queues playing from frame `start` on, after everything that was requested so far: its first frame follows the last one
    /// without a gap, through the converter too. If nothing plays or waits, it begins at once.
    ///
    /// A request in the last half second of a segment begins on the frame after it too; the converter of a file at another rate
    /// begins anew then, as at the beginning of a file. A segment after an endless one is never reached.
    ///
    /// - Throws: `outside`.
    @discardableResult
    public func queue(
        from start: Int64 = 0, frames: Int64? = nil, passes: FileSegment.Passes = .once
    ) throws(Fault) -> FileSegment {
        try check(start, frames, passes)
        let segment = source.lock.withLock { _ in
            let segment = source.makeSegment(start: start, frames: frames, passes: passes)
            source.append(segment, feed)
            return segment
        }
        source.serve(feed)
        return segment
    }

    private func check(_ start: Int64, _ count: Int64?, _ passes: FileSegment.Passes) throws(Fault) {
        guard start >= 0, start < max(frames, 1), count.map({ $0 > 0 }) ?? true else {
            throw .outside(path: path, start: start, frames: frames)
        }
        if case .times(let times) = passes, times < 1 { throw .passes(path: path, count: times) }
    }

    /// Goes on at frame `start` of the file from `time` on, to its end, and in a loop if one was playing.
    ///
    /// - Throws: `outside`.
    public func seek(to start: Int64, at time: SampleTime? = nil) throws(Fault) {
        try play(at: time, from: start, loops: source.lock.withLock { _ in source.passes == .endless })
    }

    /// Holds the file still from `time` on.
    public func pause(at time: SampleTime? = nil) { request(.pause, time) }

    /// Goes on where it was held.
    public func resume(at time: SampleTime? = nil) { request(.resume, time) }

    /// Ends at `time`, and drops later requests.
    public func stop(at time: SampleTime? = nil) { request(.stop, time) }

    private func request(_ action: PlayerFeed.Cue.Action, _ time: SampleTime?) {
        source.lock.withLock { _ in source.add(FileSource.Request(time: time ?? SampleTime(.min), action: action)) }
        source.serve(feed)
    }

    /// The behaviour when the disk is too slow, which `starved` and `recovered` report and `underrunFrames` counts.
    public enum LatePolicy: Sendable, Hashable {
        /// The file waits for its next frame, and loses none. A single player.
        case waits
        /// The frames that come too late are left out, and so are the first ones if it begins too late: the sound keeps its
        /// place in time, in step with other players and with a song.
        case keepsTime
    }

    /// The policy for a disk that is too slow, from the next slice on; `waits` at the beginning.
    public var latePolicy: LatePolicy {
        get { feed.keepsTime ? .keepsTime : .waits }
        set { feed.keepsTime = newValue == .keepsTime }
    }

    /// False: what begins in the middle of the file begins as loud as it is, for a reader that has several sounds. True at the
    /// beginning.
    package var risesInTheMiddle: Bool {
        get { source.lock.withLock { _ in source.risesInTheMiddle } }
        set { source.lock.withLock { _ in source.risesInTheMiddle = newValue } }
    }

    /// All events of the player from now on, in the order in which they happen; the newest 1024 wait.
    public var events: AsyncStream<FilePlayerEvent> { source.listeners.makeStream(limit: 1024) }

    /// Calls `body` with each event, on the thread that attends to the player; on a device it is one of the player's or of the
    /// engine's. It may call this player, or another, and must not wait.
    public func onEvent(_ body: (@Sendable (FilePlayerEvent) -> Void)?) { source.listeners.call(body) }

    /// Calls `body` in the same way when all requests have been played, with the sample time of the first frame after it.
    public func onEnd(_ body: (@Sendable (SampleTime) -> Void)?) { source.lock.withLock { _ in source.onEnd = body } }

    /// The player's state, as of the last slice.
    public var state: State {
        switch feed.phase {
        case .stopped: .stopped
        case .playing: .playing
        case .paused: .paused
        case .ended: .ended(at: feed.endTime)
        }
    }

    /// True if all requests wait in the unit, with frames enough to begin, so that they begin on their frames. Requests that
    /// lie more than half a second ahead are made ready later. On a device, wait for this before playing at once.
    public var isReady: Bool { source.lock.withLock { _ in source.requests.isEmpty } }

    /// The frame of the file that is played next, as of the last slice.
    public var position: Int64 {
        source.lock.withLock { _ in source.place(feed.position, ofTake: feed.currentTake) }
    }

    /// Frames that were silent because the disk was too slow.
    public var underrunFrames: Int { feed.underrunFrames }
    /// Requests that came after their time.
    public var lateCues: Int { feed.lateCues }
    /// Samples of the file that were no numbers, and were played as 0.
    public var repairedSamples: Int { source.lock.withLock { _ in source.repairedSamples } }
    /// The reason why the file ended before its end; nil when nothing is wrong.
    public var error: Fault? { source.lock.withLock { _ in source.error } }
}

extension FilePlayer: BusPlace {
    /// The bus of its sound, so that it stands for its unit: `graph.chain(player, reverb)`.
    public var bus: Bus { node[0] }
}

extension Graph {
    /// Adds a player of an audio file; it is silent until `play`. The unit's name is `name`, else `file-player`.
    ///
    /// - Parameter channels: channels of the unit's bus, 1...8, in the order of `SpeakerLayout`: 6 plays a file for 5.1 whole,
    ///   and sound for other loudspeakers is folded (`SpeakerFold`).
    /// - Throws: `unit` if the file cannot be opened or played, or is no audio; else as `add`.
    public mutating func add(player path: String, name: String? = nil, channels: Int = 2) throws(Fault) -> FilePlayer {
        try checkRate()
        let reader: AudioFileReader
        do { reader = try AudioFileReader(path: path, assumesLayout: true) } catch { throw Fault.unreadable(error).ofUnit() }
        return try add(player: reader, name: name, channels: channels)
    }

    /// Adds a player of sound that comes from somewhere else than a file on a disk. The reader is the player's from then on,
    /// and a thread of the player's reads it: the compiler refuses a reader that the caller goes on using, unless it is
    /// `Sendable`. So make it inside the closure of `Engine.edit`.
    ///
    /// - Throws: `unit` if it cannot be played; else as `add`.
    public mutating func add(
        player reader: sending any FrameReading, name: String? = nil, channels: Int = 2
    ) throws(Fault) -> FilePlayer {
        try checkRate()
        // A player made by a program is started by the program.
        var properties: [String: PropertyValue] = ["file": .text(reader.path)]
        // Stereo is the default.
        if channels != 2 { properties[UnitDescriptor.widthProperty] = .integer(channels) }
        do { _ = try FilePlayback.descriptor.fitted(to: properties) } catch { throw Fault(error) }
        let source: FileSource
        do {
            source = try FileSource(reader, on: channels, engineRate: Int(sampleRate.rounded()))
        } catch { throw error.ofUnit() }
        let node = try add(FilePlayback.self, name: name, properties: properties)
        guard let feed = try self.node(node).instance.companion as? PlayerFeed else {
            preconditionFailure("a file player's companion is its feed")
        }
        return FilePlayer(source, feed, node: node)
    }
}
