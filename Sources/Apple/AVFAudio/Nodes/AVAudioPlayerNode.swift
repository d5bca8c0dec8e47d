internal import EngineCore
internal import Graphs
internal import RealtimeCore
internal import Reports
internal import Units

/// How a buffer takes its place among those that are scheduled.
public struct AVAudioPlayerNodeBufferOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Again and again.
    public static let loops = AVAudioPlayerNodeBufferOptions(rawValue: 1)
    /// At once, or at its time, in place of all that is scheduled.
    public static let interrupts = AVAudioPlayerNodeBufferOptions(rawValue: 2)
    /// After the pass of the loop that plays.
    public static let interruptsAtLoop = AVAudioPlayerNodeBufferOptions(rawValue: 4)
}

/// When a completion handler is called: when the player has read it, rendered it, or it has been heard.
public enum AVAudioPlayerNodeCompletionCallbackType: Int, Sendable { case dataConsumed, dataRendered, dataPlayedBack }
/// Called when something that was scheduled is done, or was stopped.
public typealias AVAudioPlayerNodeCompletionHandler = (AVAudioPlayerNodeCompletionCallbackType) -> Void

/// Plays buffers and files, one after the other or at their times.
///
/// It stands on the engine's file player: files are read on a thread of their own, and what follows has no gap. A buffer has
/// the channels of the connection; another rate is converted.
open class AVAudioPlayerNode: AVAudioNode, AVAudioMixing {
    private struct Ask {
        let item: PlayerSource.Item
        let time: AVAudioTime?
        let options: AVAudioPlayerNodeBufferOptions
        let passes: Int
    }

    override var unitDescription: AudioComponentDescription { .init(kAudioUnitType_Generator, kAudioUnitSubType_AudioFilePlayer) }

    private var source: PlayerSource?
    private var player: FilePlayer?
    /// What was scheduled and is not with the engine yet; and what is and has not ended.
    private var waiting: [Ask] = []
    private var queued: [PlayerSource.Item] = []
    /// The sample time that player time 0 is, while it plays; and where it was paused.
    private var start: SampleTime?
    private var pausedAt: SampleTime?
    /// The sample time at which all that is queued has been played; nil for never.
    private var end: SampleTime? = .zero
    /// The loop that plays: when it began, and its frames of the engine.
    private var loop: (start: SampleTime, frames: Int)?
    private let callbacks = DispatchQueue(label: "AVAudioPlayerNode.completion")
    /// The speed that time effects further on ask for.
    var speed: Float = 1 { didSet { if speed != oldValue { set(FilePlayback.Parameter.rate, min(4, max(0.25, speed))) } } }

    // MARK: - Scheduling

    /// Plays a buffer at a time, or after what is scheduled.
    open func scheduleBuffer(
        _ buffer: AVAudioPCMBuffer, at when: AVAudioTime? = nil, options: AVAudioPlayerNodeBufferOptions = [],
        completionHandler: AVAudioNodeCompletionHandler? = nil
    ) {
        scheduleBuffer(
            buffer, at: when, options: options, completionCallbackType: .dataConsumed,
            completionHandler: plain(completionHandler))
    }

    /// Plays a buffer at a time, or after what is scheduled, and says when.
    open func scheduleBuffer(
        _ buffer: AVAudioPCMBuffer, at when: AVAudioTime? = nil, options: AVAudioPlayerNodeBufferOptions = [],
        completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType,
        completionHandler: AVAudioPlayerNodeCompletionHandler? = nil
    ) {
        schedule(when, options, options.contains(.loops) ? 0 : 1, "scheduleBuffer") {
            $0.add(buffer, callbackType, completionHandler)
        }
    }

    /// Plays a file at a time, or after what is scheduled.
    open func scheduleFile(
        _ file: AVAudioFile, at when: AVAudioTime?, completionHandler: AVAudioNodeCompletionHandler? = nil
    ) {
        scheduleFile(file, at: when, completionCallbackType: .dataConsumed, completionHandler: plain(completionHandler))
    }

    /// Plays a file at a time, or after what is scheduled, and says when.
    open func scheduleFile(
        _ file: AVAudioFile, at when: AVAudioTime?, completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType,
        completionHandler: AVAudioPlayerNodeCompletionHandler? = nil
    ) {
        schedule(when, [], 1, "scheduleFile") { $0.add(file, from: 0, frames: file.length, callbackType, completionHandler) }
    }

    /// Plays a part of a file at a time, or after what is scheduled.
    open func scheduleSegment(
        _ file: AVAudioFile, startingFrame startFrame: AVAudioFramePosition, frameCount numberFrames: AVAudioFrameCount,
        at when: AVAudioTime?, completionHandler: AVAudioNodeCompletionHandler? = nil
    ) {
        scheduleSegment(
            file, startingFrame: startFrame, frameCount: numberFrames, at: when, completionCallbackType: .dataConsumed,
            completionHandler: plain(completionHandler))
    }

    private func plain(_ handler: AVAudioNodeCompletionHandler?) -> AVAudioPlayerNodeCompletionHandler? {
        handler.map { handler in { _ in handler() } }
    }

    /// Plays a part of a file at a time, or after what is scheduled, and says when.
    open func scheduleSegment(
        _ file: AVAudioFile, startingFrame startFrame: AVAudioFramePosition, frameCount numberFrames: AVAudioFrameCount,
        at when: AVAudioTime?, completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType,
        completionHandler: AVAudioPlayerNodeCompletionHandler? = nil
    ) {
        schedule(when, [], 1, "scheduleSegment") {
            $0.add(file, from: startFrame, frames: Int64(numberFrames), callbackType, completionHandler)
        }
    }

    /// Plays a file so many times; 0 for endless.
    func schedule(_ file: AVAudioFile, from start: Int64, passes: Int, _ completion: AVAudioPlayerNodeCompletionHandler?) {
        schedule(nil, [], passes, "scheduleFile") { $0.add(file, from: start, frames: file.length, .dataPlayedBack, completion) }
    }

    private func schedule(
        _ time: AVAudioTime?, _ options: AVAudioPlayerNodeBufferOptions, _ passes: Int, _ call: String,
        _ add: (PlayerSource) -> PlayerSource.Item?
    ) {
        Control.run {
            guard let owner else {
                return Refusal.write("\(call): the node is not attached to an engine; attach and connect it first")
            }
            let source = currentSource(owner.links)
            guard let item = add(source) else {
                return Refusal.write("\(call): there is no frame to play, or it has not the channels of \(source.format)")
            }
            let ask = Ask(item: item, time: time, options: options, passes: passes)
            if start == nil || player == nil { waiting.append(ask) } else { enqueue(ask) }
        }
    }

    /// The format of its connection; of the last one while it has none.
    private func format(_ links: [NodeLink]) -> AVAudioFormat {
        links.first { $0.isFrom(self) }?.format ?? source?.format ?? ownFormat
    }

    /// The source in that format; what is scheduled in another one ends.
    private func currentSource(_ links: [NodeLink]) -> PlayerSource {
        let format = format(links)
        if let source, source.format.isLike(.standard(format.sampleRate.rounded(), format.channelCount)) { return source }
        stop()
        let made = PlayerSource(format)
        source = made
        return made
    }

    /// Gives an item to the engine's player, for its time.
    private func enqueue(_ ask: Ask) {
        guard let player, let source, let engine = owner?.host?.engine, let start else { return }
        let item = ask.item, ratio = engine.sampleRate / Double(source.sampleRate)
        let passes: FileSegment.Passes = ask.passes == 0 ? .endless : .times(ask.passes)
        let now = max(engine.now, start), length = Int((Double(item.frames) * ratio).rounded())
        var begin = ask.time.flatMap { frame($0, after: start, engine) }.map { max(now, $0) }
        if ask.options.contains(.interrupts) {
            player.stop(at: begin ?? now)
            finish(queued)
            (end, loop) = (.zero, nil)
        } else if ask.options.contains(.interruptsAtLoop), let loop {
            let passed = max(0, now - loop.start + loop.frames - 1) / max(1, loop.frames)
            begin = loop.start + passed * loop.frames
            (end, self.loop) = (.zero, nil)
        }
        do {
            let place: SampleTime
            if let end, end <= (begin ?? now) {
                place = begin ?? now
                try player.play(at: place, from: item.base, frames: item.frames, passes: passes)
            } else {
                // After what plays, also where that is late.
                place = end ?? now
                try player.queue(from: item.base, frames: item.frames, passes: passes)
            }
            if ask.passes == 0 { loop = (place, length) }
            end = ask.passes == 0 || end == nil ? nil : place + length * ask.passes
            queued.append(item)
        } catch { Refusal.write("\(error)") }
    }

    /// The engine's frame at a time, whose sample time counts from a frame: 0 for a node time, where it began for a player's.
    private func frame(_ time: AVAudioTime, after origin: SampleTime = .zero, _ engine: Engine) -> SampleTime? {
        if time.isSampleTimeValid, time.sampleRate > 0 {
            return origin + Int((Double(time.sampleTime) * engine.sampleRate / time.sampleRate).rounded())
        }
        guard time.isHostTimeValid else { return nil }
        if let clock = engine.deviceStatus?.time { return clock.sampleTime(atNanoseconds: Int64(clamping: time.hostTime)) }
        let seconds = (Double(time.hostTime) - Double(mach_absolute_time())) / 1e9
        return engine.now + Int((seconds * engine.sampleRate).rounded())
    }

    /// Reads ahead; the engine's player does so by itself.
    open func prepare(withFrameCount frameCount: AVAudioFrameCount) {}

    // MARK: - Playing

    /// True between `play` and `pause` or `stop`.
    open var isPlaying: Bool { Control.run { start != nil && pausedAt == nil } }

    /// Plays what is scheduled, or goes on. The engine must run.
    open func play() { play(at: nil) }

    /// Plays from a node time on; nil means now.
    open func play(at when: AVAudioTime?) {
        Control.run {
            guard let owner, owner.isRunning, let engine = owner.host?.engine, let player else {
                return Refusal.write("play: the engine does not run; start it first")
            }
            let time = when.flatMap { frame($0, engine) }.map { max($0, engine.now) } ?? engine.now
            if let pausedAt {
                player.resume(at: time)
                let gap = time - pausedAt
                (start, end, self.pausedAt) = (start.map { $0 + gap }, end.map { $0 == .zero ? $0 : $0 + gap }, nil)
                loop = loop.map { ($0.start + gap, $0.frames) }
            } else if start == nil {
                (start, end, loop) = (time, .zero, nil)
                let asks = waiting
                waiting = []
                for ask in asks { enqueue(ask) }
            }
        }
    }

    /// Holds what plays.
    open func pause() {
        Control.run {
            guard start != nil, pausedAt == nil, let engine = owner?.host?.engine else { return }
            pausedAt = engine.now
            player?.pause(at: engine.now)
        }
    }

    /// Ends what plays, and forgets what is scheduled; completion handlers are called.
    open func stop() {
        Control.run {
            if let engine = owner?.host?.engine, start != nil { player?.stop(at: engine.now) }
            let items = queued + waiting.map(\.item)
            (start, pausedAt, waiting, end, loop) = (nil, nil, [], .zero, nil)
            finish(items)
            source?.dropAll()
        }
    }

    open override func reset() { stop() }
    override func willStop() { stop() }

    private func finish(_ items: [PlayerSource.Item]) {
        for item in items { done(item, item.kind) }
        queued.removeAll { item in items.contains { $0 === item } }
    }

    /// Calls an item's handler once, on a queue of the node's.
    private func done(_ item: PlayerSource.Item, _ kind: AVAudioPlayerNodeCompletionCallbackType) {
        if item.isDone { return }
        item.isDone = true
        guard let completion = item.completion else { return }
        item.completion = nil
        let call = Carried(completion)
        callbacks.async { call.value(kind) }
    }

    // MARK: - Times

    /// The time of the player at a time of its node: frames since `play`; nil while it does not play.
    open func playerTime(forNodeTime nodeTime: AVAudioTime) -> AVAudioTime? {
        Control.run {
            guard let engine = owner?.host?.engine, let start, pausedAt == nil, let frame = frame(nodeTime, engine) else {
                return nil
            }
            return time(at: Int64(frame - start), nodeTime.isHostTimeValid ? nodeTime.hostTime : nil, engine)
        }
    }

    /// The time of the node at a time of the player; nil while it does not play.
    open func nodeTime(forPlayerTime playerTime: AVAudioTime) -> AVAudioTime? {
        Control.run {
            guard let engine = owner?.host?.engine, let start else { return nil }
            return frame(playerTime, after: start, engine).map { time(at: $0.rawValue, nil, engine) }
        }
    }

    /// The frame of the file that is played next; nil while nothing is.
    var filePlace: Int64? {
        Control.run {
            guard let place = player?.position, let item = source?.item(at: place) else { return nil }
            return item.first + min(item.frames, place - item.base)
        }
    }

    // MARK: - Of the engine

    override func needs(_ host: EngineHost, _ links: [NodeLink]) -> [Double] {
        let format = format(links)
        return [format.sampleRate.rounded(), Double(format.channelCount)]
    }

    override func addUnits(to graph: inout Graph, _ host: EngineHost, _ links: [NodeLink]) throws(Fault) -> [NodeID] {
        let source = currentSource(links)
        let player = try graph.add(player: source, channels: source.channels)
        player.risesInTheMiddle = false
        self.player = player
        let node = Carried(Weak(self))
        player.onEvent { event in node.value.object?.hear(event) }
        return [player.node]
    }

    override func didJoin(_ host: EngineHost, _ place: EngineHost.Placed) {
        if speed != 1 { set(FilePlayback.Parameter.rate, min(4, max(0.25, speed))) }
    }

    private func hear(_ event: FilePlayerEvent) {
        switch event {
        case .read(let segment):
            guard let item = source?.item(at: segment.start), item.kind == .dataConsumed else { return }
            Control.run { done(item, .dataConsumed) }
        case .played(let segment, _):
            guard let item = source?.item(at: segment.start) else { return }
            Control.run {
                done(item, item.kind)
                queued.removeAll { $0 === item }
                source?.drop(item)
            }
        case .failed(let fault): Refusal.write("\(fault)")
        case .began, .ended, .starved, .recovered: break
        }
    }
}
