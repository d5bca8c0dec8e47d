import MIDI

// [render]

/// The keyboard of an instrument: which notes sound, and what keys, pedals, wheels and System Exclusive do to them.
///
/// Every channel of every port is a part of its own, with its own pedals, bend, tuning and mode, unless it plays the single
/// notes of an MPE zone. What a note sounds like is up to the instrument: it walks over `notes` when it renders.
struct Keyboard: ~Copyable {
    enum Manner: BitwiseCopyable {
        /// One for each key that is down, unless a controller changes it.
        case polyphonic
        /// One; each stroke begins anew.
        case single
        /// One; a key struck while another is down takes its note over.
        case legato
    }

    var parts = InstrumentParts()
    var notes: PlayedNotes
    private let isPlayingDrums: Bool
    private let manner: Manner

    init(polyphony: Float, sampleRate: Double, isPlayingDrums: Bool, manner: Manner = .polyphonic) {
        notes = PlayedNotes(polyphony: polyphony, sampleRate: sampleRate)
        self.isPlayingDrums = isPlayingDrums
        self.manner = manner
        for part in 0..<InstrumentParts.count { parts.reset(part) }
    }

    @_noLocks mutating func reset() {
        notes.reset()
        parts.clear()
        for port in 0..<16 { resetPort(UInt8(truncatingIfNeeded: port)) }
    }

    @_noLocks mutating func handle(_ event: MusicEvent) {
        switch event {
        case .message(let message): handle(message)
        case .reset(_, let port): resetPort(port)
        case .standard(_, let port): resetPort(port, letsRing: true)
        case .part(let parameter, let value, let key, let part):
            obey(parts.parts[Int(part)].set(parameter, value, key: key), Int(part))
        case .partMode, .masterVolume, .masterTuning, .masterBalance, .scaleTuning, .keyTuning, .effect, .insertion:
            parts.apply(event)
        // It is played, and counts no time of its own.
        case .time: break
        }
    }

    @_noLocks private mutating func handle(_ message: MIDIMessage) {
        let part = Self.part(message.port, message.channel)
        guard let message = parts.parts[part].heard(message) else { return }
        let key = message.data1 & 127, value = message.data2 & 127
        switch message.kind {
        case .noteOn: if value > 0 { noteOn(part, key, value) } else { noteOff(part, key) }
        case .noteOff: noteOff(part, key)
        case .keyPressure: notes.press(part: part, key: key, value)
        case .channelPressure: parts.parts[part].pressure = key
        case .pitchBend: parts.parts[part].bend = message.bend
        case .controlChange: control(part, Controller(rawValue: key), value)
        case .programChange, nil: break
        }
    }

    @_noLocks private static func part(_ port: UInt8, _ channel: UInt8) -> Int {
        Int(port & 15) &* 16 &+ Int(channel & 15)
    }

    @_noLocks private mutating func noteOn(_ part: Int, _ key: UInt8, _ velocity: UInt8) {
        let state = parts.parts + part
        if state.pointee.mode == .drums && !isPlayingDrums || parts.isSilent(part, key) { return }
        let source = state.pointee.glideSource(to: key), before = state.pointee.newestKey
        state.pointee.push(key)
        if case .single = manner {
            strikeAlone(part, key, velocity)
            return
        }
        if isMono(part), let note = notes.held(part: part) {
            change(note, to: key, part)
            note.pointee.isKeyDown = true
            return
        }
        // The legato pedal joins two overlapping keys into one note; chords that are down already stay.
        if state.pointee.isLegato, let before, before != key, let note = notes.down(part: part, key: before) {
            change(note, to: key, part)
            return
        }
        if case .legato = manner { notes.silence(part..<(part &+ 1)) }
        if !isMono(part) { notes.releaseSame(part: part, key: key) }
        let note = start(part, key, velocity)
        if let source { note.pointee.startGlide((Float(source) - Float(key)) * 100, state.pointee.glideFraction) }
    }

    @_noLocks private mutating func start(_ part: Int, _ key: UInt8, _ velocity: UInt8) -> UnsafeMutablePointer<PlayedNote> {
        let note = notes.start(part: part, key: key, velocity: velocity)
        note.pointee.isSoft = parts.parts[parts.speaker(part)].isSoft
        return note
    }

    /// The only note of its part: what sounded goes, and where its key was down the new note glides from there.
    @_noLocks private mutating func strikeAlone(_ part: Int, _ key: UInt8, _ velocity: UInt8) {
        var distance: Float = 0
        var isLegato = false
        if let before = notes.held(part: part) {
            distance = (Float(before.pointee.key) - Float(key)) * 100 + before.pointee.glideNow
            isLegato = before.pointee.isKeyDown
        }
        notes.silence(part..<(part &+ 1))
        let note = start(part, key, velocity)
        if isLegato { glide(note, distance, part) }
    }

    @_noLocks private func isMono(_ part: Int) -> Bool {
        if case .polyphonic = manner { return parts.parts[part].isMono }
        return true
    }

    @_noLocks private mutating func noteOff(_ part: Int, _ key: UInt8) {
        let state = parts.parts + part
        state.pointee.remove(key)
        // Back to the key that is still down and has no voice of its own.
        if isMono(part) || state.pointee.isLegato, let next = state.pointee.newestKey,
            let note = notes.down(part: part, key: key), notes.down(part: part, key: next) == nil
        {
            change(note, to: next, part)
            return
        }
        notes.keyUp(part: part, key: key, isSustained: parts.isSustained(part))
    }

    @_noLocks private func change(_ note: UnsafeMutablePointer<PlayedNote>, to key: UInt8, _ part: Int) {
        let distance = (Float(note.pointee.key) - Float(key)) * 100 + note.pointee.glideNow
        note.pointee.key = key
        glide(note, distance, part)
    }

    /// Starts a note `cents` away: by portamento if it is on, else by the instrument's own glide, if it has one.
    @_noLocks private func glide(_ note: UnsafeMutablePointer<PlayedNote>, _ cents: Float, _ part: Int) {
        note.pointee.startGlide(cents, parts.parts[part].glideFraction)
        if !parts.parts[part].glides { note.pointee.isFingered = true }
    }

    @_noLocks private mutating func control(_ part: Int, _ controller: Controller, _ value: UInt8) {
        let consequence = parts.control(part, controller, value)
        if case .zone(let members) = consequence {
            let changed = parts.configure(part, members: members)
            for channel in 0..<16 where changed &>> UInt16(channel) & 1 != 0 { release(part & ~15 | channel) }
            return
        }
        // Pedals of a member channel of a zone have no effect.
        if consequence.isOfPedal, parts.speaker(part) != part { return }
        for part in parts.reach(part) { obey(consequence, part) }
    }

    @_noLocks private mutating func obey(_ consequence: Part.Consequence, _ part: Int) {
        let isSustained = parts.isSustained(part)
        switch consequence {
        case .none, .tuningChosen, .zone: break
        case .pedalUp: notes.releaseUnheld(part: part, isSustained: isSustained)
        case .sostenutoDown: notes.catchKeys(part: part, isDown: true)
        case .sostenutoUp:
            notes.catchKeys(part: part, isDown: false)
            notes.releaseUnheld(part: part, isSustained: isSustained)
        case .controllersReset:
            if parts.speaker(part) != part { parts.parts[part].resetControllers() }
            notes.catchKeys(part: part, isDown: false)
            notes.press(part: part, key: nil, 0)
            notes.releaseUnheld(part: part, isSustained: isSustained)
        case .allNotesOff:
            parts.parts[part].clearKeys()
            notes.allKeysUp(part: part, isSustained: isSustained)
        case .allSoundOff:
            parts.parts[part].clearKeys()
            notes.silence(part..<(part &+ 1))
        }
    }

    /// Releases every note of a part, even those held by a pedal.
    @_noLocks private func release(_ part: Int) {
        notes.catchKeys(part: part, isDown: false)
        notes.allKeysUp(part: part, isSustained: false)
    }

    /// Every channel of the port to its defaults, and silent; or what is released by that rings on.
    @_noLocks private mutating func resetPort(_ port: UInt8, letsRing: Bool = false) {
        let first = Self.part(port, 0)
        if !letsRing { notes.silence(first..<(first &+ 16)) }
        parts.reset(port: port)
        for part in first..<(first &+ 16) {
            if letsRing { release(part) }
            parts.reset(part)
        }
    }
}
