import MIDI
import RealtimeCore
import SoundFonts

/// The requests of a player to a session: sounds by name, another octave, notes from a surface that has no keys.
extension LiveSession {
    /// Every sound that a channel can be given with `ControlCommand.program`, melodic ones by bank and program, then drum
    /// kits; none where the instrument has no presets, or songs alone are played.
    public var presets: [SoundPreset] { playsAnything ? graph.names.presets : [] }

    /// The filter for all that keyboards play from now on; nil: all passes as it is. What sounds is left alone until its own
    /// note-off. The player's transposition comes after it.
    public var filter: (any MIDIFilter)? {
        get { liveFilter.filter }
        set {
            liveFilter.filter = newValue
            engine.midi.filter = liveFilter.player
        }
    }

    /// Semitones by which all that keyboards play is moved.
    public var keyTranspose: Int { liveFilter.player.transposer.semitones }

    /// True if any preset may be asked for: all of them are there.
    private var playsAnything: Bool { options.playedPorts > 0 || playlist == nil }

    func transposeKeys(by semitones: Int) throws(LiveError) {
        try Self.check("transposition", semitones, -48...48)
        liveFilter.transpose(by: semitones)
        engine.midi.filter = liveFilter.player
    }

    /// Gives a channel a sound, through the channel itself: whoever records what is played has it.
    func choose(bank: Int, program: Int, channel: Int) throws(LiveError) {
        try Self.check("bank", bank, 0...128)
        try Self.check("program", program, 0...127)
        if graph.names.presets.isEmpty { throw .noPresets }
        if !playsAnything { throw .presetsOfSongs }
        let parts = try desk.engineParts(ofChannel: channel)
        let wanted =
            bank == 128
            ? PresetRequest(kit: UInt8(program)) : PresetRequest(bank: UInt8(bank), program: UInt8(program))
        guard graph.names.presets.contains(where: { $0.bank == bank && $0.program == program }) else {
            throw .unknownPreset(bank: bank, program: program)
        }
        var chosen = sounds, events: [MusicEvent] = []
        for part in parts {
            guard let made = chosen.choose(wanted, part: part) else { throw .bankOutOfReach(bank) }
            events += made
        }
        sounds = chosen
        try desk.play(events)
    }

    /// Gives a part the sound that a zone begins with.
    func set(_ sound: ZoneRouter.Sound) throws(LiveError) {
        let part = graph.ports.engine(part: sound.part) ?? sound.part, now = sounds.request(part: part)
        let bank = sound.bank ?? now.bank, program = UInt8(sound.program ?? now.program)
        let wanted = bank == 128 ? PresetRequest(kit: program) : PresetRequest(bank: UInt8(bank), program: program)
        guard let events = sounds.choose(wanted, part: part) else { throw .bankOutOfReach(bank) }
        try desk.play(events)
    }

    /// Plays a note through the filter that keyboards have.
    func strike(channel: Int, key: Int, velocity: Int, seconds: Double?) throws(LiveError) {
        let part = try part(channel: channel, key: key, velocity: velocity)
        if let seconds, !(seconds > 0 && seconds <= 3600) {
            throw .outOfRange(name: "length of the note", value: "\(seconds)", remedy: "give more than 0 s, at most 3600 s")
        }
        let end = seconds.map { now + Int($0 * Double(options.sampleRate)) }
        try play(notes.strike(part: part, key: UInt8(key), velocity: UInt8(velocity), end: end))
    }

    /// Presses a key until it is lifted, through the filter that keyboards have.
    func press(channel: Int, key: Int, velocity: Int) throws(LiveError) {
        let part = try part(channel: channel, key: key, velocity: velocity)
        try play(notes.press(part: part, key: UInt8(key), velocity: UInt8(velocity)))
    }

    /// Lifts a key that was pressed.
    func lift(channel: Int, key: Int) throws(LiveError) {
        let part = try part(channel: channel, key: key, velocity: 1)
        try play(notes.lift(part: part, key: UInt8(key)))
    }

    /// The part that a note of a command is for.
    private func part(channel: Int, key: Int, velocity: Int) throws(LiveError) -> Int {
        try Self.check("key", key, 0...127)
        try Self.check("velocity", velocity, 1...127)
        // Where there are zones they say what a keyboard's channel plays.
        if liveFilter.zones != nil { try Self.check("channel", channel, 1...256) }
        return liveFilter.zones == nil ? try desk.part(ofChannel: channel) : channel - 1
    }

    /// Plays an event as a keyboard would that is connected to the input port that the event names: through the filter and
    /// the zones, at `time` (nil: with the next slice). For keys that are no keyboard's: a typing keyboard, a test.
    ///
    /// Not on a sound card while keyboards play: there the MIDI thread alone plays live. - Throws: `keyboardsPlay`,
    /// `engine` with `queueFull`.
    public func receive(_ event: MusicEvent, at time: SampleTime? = nil) throws(LiveError) {
        if sequencer != nil { throw .keyboardsPlay }
        // What follows one that found no room may be the end of another note.
        var isComplete = true
        for var command in outputs.divert(liveFilter.commands(for: event)) {
            command.time = time ?? .inTurn
            isComplete = engine.renderer.sendLive(command) && isComplete
        }
        if !isComplete { throw .engine(.queueFull) }
    }

    /// Writes what was played in the last minutes as a song, and as a journal beside it (`NAME.journal`).
    ///
    /// - Parameter path: where to; without an ending it gets `.mid`. nil: `carillon-YYYYMMDD-HHMMSS.mid` here, or the next
    ///   free name.
    /// - Returns: the song's path.
    @discardableResult
    public func saveRecording(_ path: String?) throws(LiveError) -> String {
        try recorder.save(path, end: now, isComplete: unrecorded == 0)
    }

    /// Sends what is played from here through the filter.
    func play(_ events: [MusicEvent]) throws(LiveError) {
        // One that found no room waits inside; those behind it are not to be lost.
        var fault: EngineError?
        for event in events { do { try engine.midi.send(event) } catch { fault = fault ?? error } }
        if let fault { throw .engine(fault) }
    }

    private static func check(_ name: String, _ value: Int, _ range: ClosedRange<Int>) throws(LiveError) {
        if range.contains(value) { return }
        throw .outOfRange(
            name: name, value: "\(value)", remedy: "choose from \(range.lowerBound) to \(range.upperBound)")
    }
}
