/// Called when a song has ended or was stopped.
public typealias AVMIDIPlayerCompletionHandler = () -> Void

/// Plays one MIDI file by a SoundFont: an engine with one instrument.
open class AVMIDIPlayer: NSObject {
    private let engine: AVAudioEngine
    private let sequencer: AVAudioSequencer
    private var handler: AVMIDIPlayerCompletionHandler?

    /// A player of a MIDI file by an SF2, SF3 or DLS; nil: the SoundFont that `CARILLON_SOUNDFONT` names, or `carillon play`
    /// would choose. Throws Apple's code for a file that is not there or is none.
    public convenience init(contentsOf inURL: URL, soundBankURL bankURL: URL?) throws {
        try self.init(bankURL, AVAudioEngine()) { try $0.load(from: inURL) }
    }

    /// A player of a MIDI file in memory.
    public convenience init(data: Data, soundBankURL bankURL: URL?) throws {
        try self.init(bankURL, AVAudioEngine()) { try $0.load(from: data) }
    }

    init(_ bank: URL?, _ engine: AVAudioEngine, _ load: (AVAudioSequencer) throws -> Void) throws {
        (self.engine, sequencer) = (engine, AVAudioSequencer(audioEngine: engine))
        super.init()
        let synth = AVAudioUnitMIDIInstrument()
        if let bank { try synth.load(bank) }
        engine.attach(synth)
        engine.connect(synth, to: engine.mainMixerNode, format: nil)
        try load(sequencer)
        let end = sequencer.tracks.map(\.lengthInBeats).max() ?? 0
        sequencer.createAndAppendTrack().addEvent(AVMusicUserEvent(data: Data()), at: end)
        let player = Carried(Weak(self))
        sequencer.setUserCallback { _, _, _ in player.value.object?.stop() }
    }

    deinit { engine.stop() }

    /// Seconds of the song at its own tempo.
    open var duration: TimeInterval { sequencer.tracks.map(\.lengthInSeconds).max() ?? 0 }
    /// Seconds from the beginning.
    open var currentPosition: TimeInterval {
        get { sequencer.currentPositionInSeconds }
        set { sequencer.currentPositionInSeconds = newValue }
    }
    /// A factor of the tempo, above 0.
    open var rate: Float {
        get { sequencer.rate }
        set { sequencer.rate = newValue }
    }
    open var isPlaying: Bool { sequencer.isPlaying }

    /// Loads the sounds, so that it starts at once.
    open func prepareToPlay() { sequencer.prepareToPlay() }

    /// Plays on from its place, and calls the handler once at the end or by `stop`, on a thread of the player's own or the one
    /// that stops.
    open func play(_ completionHandler: AVMIDIPlayerCompletionHandler? = nil) {
        if currentPosition >= duration { currentPosition = 0 }
        Control.run { handler = completionHandler }
        do { try sequencer.start() } catch {
            Control.run { handler = nil }
            Refusal.write("AVMIDIPlayer: \(error.localizedDescription)")
        }
    }

    /// Ends all notes, and stays at its place.
    open func stop() {
        sequencer.stop()
        let ended = Control.run { () -> AVMIDIPlayerCompletionHandler? in
            defer { handler = nil }
            return handler
        }
        ended?()
    }
}
