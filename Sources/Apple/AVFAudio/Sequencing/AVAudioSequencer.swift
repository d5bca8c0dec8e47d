/// What is called for a user event: its track, its data and its beat, on a thread of the sequencer's own.
public typealias AVAudioSequencerUserCallback = (AVMusicTrack, Data, AVMusicTimeStamp) -> Void

/// How a MIDI file becomes tracks.
public struct AVMusicSequenceLoadOptions: OptionSet, Sendable {
    /// A track for each channel, and one for the rest.
    public static let smfChannelsToTracks = AVMusicSequenceLoadOptions(rawValue: 1)
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
}

/// Plays the tracks of a song by the instruments of an engine, or sends them to MIDI endpoints.
///
/// Tracks change while they sound. A track without a destination plays the engine's first `AVAudioUnitMIDIInstrument`. Notes begin
/// on their frame of the engine, also where the program renders it; an engine plays one sequencer at a time. Where AVFAudio
/// raises an exception, one sentence is written and nothing happens. Any thread.
open class AVAudioSequencer: NSObject {
    let player: MusicPlayer
    let sequence: MusicSequence
    private let audioEngine: AVAudioEngine?
    // Guarded by the lock of `Control`.
    private var made: [MusicTrack: AVMusicTrack] = [:]
    private var destinations: [AVAudioUnit] = [] { didSet { music?.destinations = destinations } }
    private var music: EngineMusic?
    private var userCallback: AVAudioSequencerUserCallback?
    private nonisolated(unsafe) static var all: [MusicSequence: Weak<AVAudioSequencer>] = [:]

    /// A sequencer for MIDI endpoints. Tracks without one play the SoundFont that `CARILLON_SOUNDFONT` names, or `carillon play`
    /// would choose.
    public override init() {
        ((player, sequence), audioEngine) = (Self.handles(), nil)
        super.init()
        hearUserEvents()
    }

    public init(audioEngine engine: AVAudioEngine) {
        ((player, sequence), audioEngine) = (Self.handles(), engine)
        super.init()
        hearUserEvents()
    }

    private static func handles() -> (MusicPlayer, MusicSequence) {
        var player: MusicPlayer?, sequence: MusicSequence?
        NewMusicPlayer(&player)
        NewMusicSequence(&sequence)
        guard let player, let sequence else { preconditionFailure("a handle is a number") }
        MusicPlayerSetSequence(player, sequence)
        return (player, sequence)
    }

    private func hearUserEvents() {
        let own = Weak(self)
        Control.run { Self.all[sequence] = own }
        MusicSequenceSetUserCallback(
            sequence,
            { _, sequence, track, beat, data, _, _ in
                guard let sequencer = Control.run({ AVAudioSequencer.all[sequence]?.object }) else { return }
                let length = Int(data.pointee.length)
                sequencer.call(track, Data(bytes: UnsafeRawPointer(data) + 4, count: length), beat)
            }, nil)
    }

    deinit {
        DisposeMusicPlayer(player)
        DisposeMusicSequence(sequence)
        Control.run { Self.all[sequence] = nil }
    }

    private func call(_ track: MusicTrack, _ data: Data, _ beat: AVMusicTimeStamp) {
        let callback = Control.run { userCallback }
        callback?(object(of: track), data, beat)
    }

    // MARK: - Songs

    /// Adds the tracks of a MIDI file. Throws Apple's code for one that is not there or is none.
    open func load(from fileURL: URL, options: AVMusicSequenceLoadOptions = []) throws {
        try check(MusicSequenceFileLoad(sequence, fileURL as CFURL, .midiType, options.flags), fileURL.path)
    }

    /// Adds the tracks of a MIDI file in memory.
    open func load(from data: Data, options: AVMusicSequenceLoadOptions = []) throws {
        try check(MusicSequenceFileLoadData(sequence, data as CFData, .midiType, options.flags))
    }

    /// Writes a MIDI file of so many ticks a beat; 0 is 480. Throws for one that is there, unless it is replaced.
    open func write(to fileURL: URL, smpteResolution resolution: Int, replaceExisting replace: Bool) throws {
        try check(
            MusicSequenceFileCreate(
                sequence, fileURL as CFURL, .midiType, replace ? .eraseFile : [], Int16(clamping: resolution)), fileURL.path)
    }

    /// The MIDI file in memory, of so many ticks a beat; empty, and an error, where it cannot be.
    open func data(withSMPTEResolution SMPTEResolution: Int, error outError: NSErrorPointer) -> Data {
        read(nil, outError) {
            MusicSequenceFileCreateData(sequence, .midiType, [], Int16(clamping: SMPTEResolution), $0)
        }.map { $0.takeRetainedValue() as Data } ?? Data()
    }

    /// Seconds from the beginning to a beat, by the tempo track.
    open func seconds(forBeats beats: AVMusicTimeStamp) -> TimeInterval {
        read(0) { MusicSequenceGetSecondsForBeats(sequence, beats, $0) }
    }

    /// The beat after so many seconds, by the tempo track.
    open func beats(forSeconds seconds: TimeInterval) -> AVMusicTimeStamp {
        read(0) { MusicSequenceGetBeatsForSeconds(sequence, seconds, $0) }
    }

    /// Turns the order of all events round.
    open func reverseEvents() { MusicSequenceReverse(sequence) }

    /// What the song says of itself, by `InfoDictionaryKey`: title and tempo.
    open var userInfo: [String: Any] { MusicSequenceGetInfoDictionary(sequence) as? [String: Any] ?? [:] }

    /// A key of `userInfo`.
    public struct InfoDictionaryKey: RawRepresentable, Hashable, Sendable {
        public static let title = InfoDictionaryKey(rawValue: kAFInfoDictionary_Title)
        public static let tempo = InfoDictionaryKey(rawValue: kAFInfoDictionary_Tempo)
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    // MARK: - Tracks

    /// The tracks, without the tempo track.
    open var tracks: [AVMusicTrack] {
        let count = read(UInt32(0)) { MusicSequenceGetTrackCount(sequence, $0) }
        return (0..<count).compactMap { place in read(nil) { MusicSequenceGetIndTrack(sequence, place, $0) }.map(object) }
    }

    /// The track of tempos and time signatures.
    open var tempoTrack: AVMusicTrack { track { MusicSequenceGetTempoTrack(sequence, $0) } }

    open func createAndAppendTrack() -> AVMusicTrack { track { MusicSequenceNewTrack(sequence, $0) } }

    private func track(_ call: (UnsafeMutablePointer<MusicTrack?>) -> OSStatus) -> AVMusicTrack {
        guard let track = read(nil, nil, call) else { preconditionFailure("a sequence has a tempo track, and room for others") }
        return object(of: track)
    }

    /// What a call of Core Audio gives; the usual value, and an error, where it gives nothing.
    private func read<Value>(
        _ usual: Value, _ fault: NSErrorPointer = nil, _ call: (UnsafeMutablePointer<Value>) -> OSStatus
    ) -> Value {
        var value = usual
        let status = call(&value)
        if status != noErr { fault?.pointee = osError(status) }
        return value
    }

    /// Removes a track; its notes end. False for one that is not here.
    @discardableResult
    open func removeTrack(_ track: AVMusicTrack) -> Bool {
        Control.run { made[track.handle] = nil }
        return MusicSequenceDisposeTrack(sequence, track.handle) == noErr
    }

    /// Called for each user event; nil for none.
    open func setUserCallback(_ userCallback: AVAudioSequencerUserCallback?) { Control.run { self.userCallback = userCallback } }

    private func object(of track: MusicTrack) -> AVMusicTrack {
        Control.run {
            if let object = made[track] { return object }
            let object = AVMusicTrack(track, of: self)
            made[track] = object
            return object
        }
    }

    /// The number of a destination; that of one that was never named is new.
    func number(of unit: AVAudioUnit) -> AUNode {
        Control.run {
            if let place = destinations.firstIndex(where: { $0 === unit }) { return AUNode(place) }
            destinations.append(unit)
            return AUNode(destinations.count - 1)
        }
    }

    func serve() { MusicAccess.serve(player) }

    // MARK: - Playing

    /// The place in seconds, by the tempo track.
    open var currentPositionInSeconds: TimeInterval {
        get { seconds(forBeats: currentPositionInBeats) }
        set { currentPositionInBeats = beats(forSeconds: newValue) }
    }

    /// The beat at which it is, from 0. It plays on from there.
    open var currentPositionInBeats: TimeInterval {
        get { read(0) { MusicPlayerGetTime(player, $0) } }
        set { Refusal.write(MusicPlayerSetTime(player, newValue), "currentPositionInBeats") }
    }

    /// True between `start` and `stop`, beyond the end too.
    open var isPlaying: Bool { read(DarwinBoolean(false)) { MusicPlayerIsPlaying(player, $0) }.boolValue }

    /// A factor of the tempo, above 0; 1 by default.
    open var rate: Float {
        get { Float(read(1) { MusicPlayerGetPlayRateScalar(player, $0) }) }
        set { Refusal.write(MusicPlayerSetPlayRateScalar(player, Double(newValue)), "rate") }
    }

    /// The host time at which a beat is heard; 0, and an error, unless it plays on a device.
    open func hostTime(forBeats inBeats: AVMusicTimeStamp, error outError: NSErrorPointer) -> UInt64 {
        read(0, outError) { MusicPlayerGetHostTimeForBeats(player, inBeats, $0) }
    }

    /// The beat that is heard at a host time; 0, and an error, unless it plays on a device.
    open func beats(forHostTime inHostTime: UInt64, error outError: NSErrorPointer) -> AVMusicTimeStamp {
        read(0, outError) { MusicPlayerGetBeatsForHostTime(player, inHostTime, $0) }
    }

    /// Loads what the song needs, so that it starts at once.
    open func prepareToPlay() { Refusal.write(prepared(), "prepareToPlay") }

    private func prepared() -> OSStatus {
        if let audioEngine {
            audioEngine.prepare()
            let fresh = Control.run { () -> EngineMusic? in
                guard let engine = audioEngine.host?.engine else { return nil }
                if let music, music.engine === engine, audioEngine.music === music { return nil }
                let made = EngineMusic(engine, of: audioEngine, for: self, destinations)
                (music, audioEngine.music) = (made, made)
                return made
            }
            if let fresh { MusicAccess.setHost(fresh, of: sequence) }
            if Control.run({ music == nil }) { return kAudioToolboxErr_CannotDoInCurrentContext }
        }
        return MusicPlayerPreroll(player)
    }

    /// Plays on from its place, and starts the engine if it does not run. Throws the engine's error where that cannot start.
    open func start() throws {
        try audioEngine?.start()
        try check(prepared(), "start")
        try check(MusicPlayerStart(player), "start")
    }

    /// Ends all notes, and stays at its place.
    open func stop() { MusicPlayerStop(player) }
}

extension AVMusicSequenceLoadOptions {
    fileprivate var flags: MusicSequenceLoadFlags { contains(.smfChannelsToTracks) ? .smf_ChannelsToTracks : [] }
}
