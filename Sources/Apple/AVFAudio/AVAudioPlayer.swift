/// Hears what becomes of a player.
public protocol AVAudioPlayerDelegate: AnyObject {
    func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool)
    func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?)
}

extension AVAudioPlayerDelegate {
    /// Nothing: both calls may be left out.
    public func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {}
    /// Nothing.
    public func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?) {}
}

/// Plays one file: an engine with one player node.
open class AVAudioPlayer: NSObject {
    /// The file, and the memory that it was made of.
    public let url: URL?
    public let data: Data?
    /// Called on the main queue.
    open weak var delegate: (any AVAudioPlayerDelegate)?
    private let file: AVAudioFile
    private let engine: AVAudioEngine
    private let node = AVAudioPlayerNode()
    private let varispeed = AVAudioUnitVarispeed()
    /// The frame that player time 0 is.
    private var origin: Int64 = 0
    private var isScheduled = false
    private var round = 0

    /// A player of a file. Throws as `AVAudioFile`.
    public convenience init(contentsOf url: URL) throws { try self.init(file: AVAudioFile(forReading: url), url: url, data: nil) }
    /// A player of a file, whose type its bytes say.
    public convenience init(contentsOf url: URL, fileTypeHint utiString: String?) throws { try self.init(contentsOf: url) }

    /// A player of a file in memory.
    public convenience init(data: Data) throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "AVAudioPlayer-\(UUID().uuidString)")
        try data.write(to: url)
        do {
            try self.init(file: AVAudioFile(forReading: url), url: nil, data: data)
        } catch {
            unlink(url.path)
            throw error
        }
    }
    /// A player of a file in memory, whose type its bytes say.
    public convenience init(data: Data, fileTypeHint utiString: String?) throws { try self.init(data: data) }

    init(file: AVAudioFile, url: URL?, data: Data?, engine: AVAudioEngine = AVAudioEngine()) {
        (self.file, self.url, self.data, self.engine) = (file, url, data, engine)
        super.init()
        engine.attach(node)
        engine.attach(varispeed)
        let channels = min(2, file.processingFormat.channelCount)
        let format = AVAudioFormat.standard(file.processingFormat.sampleRate, channels)
        engine.connect(node, to: varispeed, format: format)
        engine.connect(varispeed, to: engine.mainMixerNode, format: format)
    }

    deinit {
        engine.stop()
        if data != nil { unlink(file.url.path) }
    }

    /// Opens the device.
    @discardableResult
    open func prepareToPlay() -> Bool {
        do { try engine.start() } catch {
            Refusal.write("AVAudioPlayer: \(error.localizedDescription)")
            return false
        }
        return true
    }

    private func schedule(from frame: Int64) {
        round += 1
        let number = round, player = Carried(Weak(self))
        (origin, isScheduled) = (frame, true)
        let end: AVAudioPlayerNodeCompletionHandler = { _ in
            DispatchQueue.main.async { player.value.object?.hasEnded(number) }
        }
        let rounds = numberOfLoops < 0 ? 0 : numberOfLoops + 1
        if frame > 0 {
            node.schedule(file, from: frame, passes: 1, rounds == 1 ? end : nil)
            if rounds != 1 { node.schedule(file, from: 0, passes: max(0, rounds - 1), end) }
        } else {
            node.schedule(file, from: 0, passes: rounds, end)
        }
    }

    private func hasEnded(_ number: Int) {
        guard number == round, isScheduled else { return }
        node.stop()
        (isScheduled, origin) = (false, 0)
        delegate?.audioPlayerDidFinishPlaying(self, successfully: true)
    }

    /// Plays, or goes on where it was paused. False without a device.
    @discardableResult
    open func play() -> Bool { play(at: nil) }

    /// Plays when `deviceCurrentTime` is that.
    @discardableResult
    open func play(atTime time: TimeInterval) -> Bool {
        play(at: AVAudioTime(hostTime: AVAudioTime.hostTime(forSeconds: time)))
    }

    private func play(at time: AVAudioTime?) -> Bool {
        guard prepareToPlay() else { return false }
        if !isScheduled { schedule(from: origin) }
        node.play(at: time)
        return true
    }

    open func pause() { node.pause() }

    /// Stops where it is; the place stays.
    open func stop() {
        (origin, isScheduled) = (frame, false)
        node.stop()
    }

    open var isPlaying: Bool { node.isPlaying }
    open var numberOfChannels: Int { Int(file.processingFormat.channelCount) }
    open var duration: TimeInterval { Double(file.length) / file.processingFormat.sampleRate }
    open var format: AVAudioFormat { file.fileFormat }
    open var settings: [String: Any] { file.fileFormat.settings }
    /// Host time in seconds.
    open var deviceCurrentTime: TimeInterval { AVAudioTime.seconds(forHostTime: mach_absolute_time()) }

    /// Rounds after the first; below 0 for ever.
    open var numberOfLoops = 0
    /// 0...1.
    open var volume: Float {
        get { node.volume }
        set { node.volume = newValue }
    }
    /// Glides to a volume, in 20 ms for any duration.
    open func setVolume(_ volume: Float, fadeDuration duration: TimeInterval) { node.volume = volume }
    /// -1 is left, 1 is right.
    open var pan: Float {
        get { node.pan }
        set { node.pan = newValue }
    }
    /// True for `rate` to count.
    open var enableRate = false { didSet { varispeed.rate = enableRate ? rate : 1 } }
    /// 0.5...2, with the pitch.
    open var rate: Float = 1 { didSet { varispeed.rate = enableRate ? max(0.5, min(2, rate)) : 1 } }

    private var frame: Int64 { (isScheduled ? node.filePlace : nil) ?? origin }

    /// Seconds from the beginning of the file.
    open var currentTime: TimeInterval {
        get { Double(frame) / file.processingFormat.sampleRate }
        set {
            let wasPlaying = isPlaying
            node.stop()
            isScheduled = false
            origin = max(0, min(file.length, Int64((newValue * file.processingFormat.sampleRate).rounded())))
            if wasPlaying { play() }
        }
    }
}
