// [render]

/// Settings that no controller has: `PartParameter`.
extension Part {
    /// Takes a setting; of a drum's key, or any. Keys that are down go up if notes sound otherwise from now on.
    @_noLocks public mutating func set(_ parameter: PartParameter, _ value: UInt8, key: UInt8) -> Consequence {
        if let row = parameter.drumRow {
            if row < DrumControl.rows {
                drums[row &* 128 &+ Int(key & 127)] = value == PartParameter.asPowerOn ? -1 : Int8(value & 127)
            }
            return .none
        }
        let shift = keyShift
        settings.set(parameter, value)
        switch parameter.rawValue {
        case 0: return shift == keyShift ? .none : .allNotesOff
        case 12:
            let range = settings[.bendRange]
            (bendSemitones, bendHundredths) = (range >= 104 ? range &- 128 : range, 0)
        case 13: modulationRange = value == PartParameter.asPowerOn ? 64 : settings[.modulationDepth] &* 768 / 127
        case 130..<157 where value == PartParameter.asPowerOn:
            let effect = Int(parameter.rawValue &- 130)
            soundBlaster.forget(effect)
            if effect == 16 { generators.set(52, 8_192) }
            return .none
        case 157 where value == PartParameter.asPowerOn:
            (controllers[37], hasFinePortamento) = (0, false)
            return .none
        case 14, 15: fine = settings[.fineTuning] &<< 7 | settings[.fineTuningLSB]
        default: return .none
        }
        updateCents()
        return .none
    }

    /// Semitones by which keys are shifted before anything sounds; drums stay.
    public var keyShift: Int {
        @_noLocks get { mode.isDrums ? 0 : min(max(settings[.keyShift] &- 64, -24), 24) }
    }

    /// The message as the part hears it: its key shifted, its velocity changed; nil if it does not hear it.
    @_noLocks public func heard(_ message: MIDIMessage) -> MIDIMessage? {
        if settings.refused != 0 && refuses(message) { return nil }
        return settings.movesNotes && message.status < 0xB0 ? moved(message) : message
    }

    @_noLocks private func moved(_ message: MIDIMessage) -> MIDIMessage? {
        let key = Int(message.data1 & 127), velocity = Int(message.data2 & 127), shifted = key &+ keyShift
        guard (0...127).contains(shifted) else { return nil }
        var moved = message
        moved.data1 = UInt8(truncatingIfNeeded: shifted)
        if message.status & 0xF0 == 0x90 && velocity > 0 {
            guard key >= settings[.lowestKey], key <= settings[.highestKey], velocity >= settings[.lowestVelocity],
                velocity <= settings[.highestVelocity]
            else { return nil }
            let sensed = velocity &* settings[.velocityDepth] / 64 &+ 2 &* (settings[.velocityOffset] &- 64)
            moved.data2 = UInt8(truncatingIfNeeded: min(max(sensed, 1), 127))
        }
        return moved
    }

    /// What happens to a note whose key is struck again: 0 it ends at once, 1 it is released, 2 it goes on.
    @_noLocks public func assignMode(of key: UInt8) -> Int {
        mode.isDrums ? drumControl(.assign, of: key) == 0 ? 0 : 1 : settings[.assignMode]
    }

    /// True if each note has another pan.
    public var hasRandomPan: Bool { @_noLocks get { settings[.randomPan] != 0 } }

    /// The shift in pitch in hertz.
    public var pitchOffset: Double { @_noLocks get { Double(settings[.pitchOffset] &- 128) / 10 } }

    /// True if the part does not hear messages of this kind.
    @_noLocks private func refuses(_ message: MIDIMessage) -> Bool {
        let refused = settings.refused
        if refused == 0 { return false }
        // Bits are `ReceiveSwitch`es.
        switch message.status & 0xF0 {
        case 0x90: return message.data2 > 0 && refused &>> 5 & 1 == 1
        case 0xA0: return refused &>> 4 & 1 == 1
        case 0xC0: return refused &>> 2 & 1 == 1
        case 0xD0: return refused &>> 1 & 1 == 1
        case 0xE0: return refused &>> 0 & 1 == 1
        case 0xB0 where message.data1 < 120:
            if refused &>> 3 & 1 == 1 { return true }
            switch message.data1 {
            case 0: return refused &>> 16 & 1 == 1
            case 1: return refused &>> 8 & 1 == 1
            case 7: return refused &>> 9 & 1 == 1
            case 10: return refused &>> 10 & 1 == 1
            case 11: return refused &>> 11 & 1 == 1
            case 32: return refused &>> 17 & 1 == 1
            case 64: return refused &>> 12 & 1 == 1
            case 65: return refused &>> 13 & 1 == 1
            case 66: return refused &>> 14 & 1 == 1
            case 67: return refused &>> 15 & 1 == 1
            case 98, 99: return refused &>> 7 & 1 == 1
            case 100, 101: return refused &>> 6 & 1 == 1
            default: return false
            }
        default: return false
        }
    }

    /// True if sources of the controller matrix move anything.
    public var hasMatrix: Bool { @_noLocks get { settings.sources != 0 } }

    /// True if channel pressure has a depth of vibrato in the controller matrix.
    public var hasPressureVibrato: Bool {
        @_noLocks get {
            settings.depth(2, ControlDestination.vibrato.place) != 0
                || settings.depth(2, ControlDestination.secondVibrato.place) != 0
        }
    }

    /// The sum of all sources' moves of a destination, -1...1 each, in the byte's steps around its rest.
    @_noLocks public func move(_ destination: ControlDestination, keyPressure: UInt8) -> Double {
        let place = destination.place, rest = PartParameter(rawValue: 64 &+ UInt8(truncatingIfNeeded: place)).initialValue
        var sum = 0.0
        for source in 0..<6 where settings.sources &>> UInt8(source) & 1 == 1 {
            let depth = settings.depth(source, place) &- Int(rest)
            if depth != 0 { sum += Double(depth) * position(source, keyPressure) }
        }
        return sum
    }

    @_noLocks private func position(_ source: Int, _ keyPressure: UInt8) -> Double {
        switch source {
        case 0: Double(value(of: 1)) / 127
        case 1: Double(bend) / 8_192
        case 2: Double(pressure) / 127
        case 3: Double(keyPressure) / 127
        case 4: Double(value(of: UInt8(truncatingIfNeeded: settings[.firstController]))) / 127
        default: Double(value(of: UInt8(truncatingIfNeeded: settings[.secondController]))) / 127
        }
    }
}
