// [render]

/// Bend and tuning. Sources: MIDI 1.0 Detailed Specification 4.2, registered parameters 0, 1 and 2; CA-020 and CA-021.
extension Part {
    /// The wheel, -8192...8191.
    @inlinable public var bend: Int {
        @_noLocks @inline(__always) get { wheel }
        @_noLocks set {
            wheel = min(max(newValue, -8_192), 8_191)
            updateCents()
        }
    }

    /// The distance by which the wheel bends at its end, by registered parameter 0. Unit: cents. Range: -2 400...12 827.
    public var bendRange: Double {
        @_noLocks get { Double(bendSemitones &* 100 &+ bendHundredths) }
        @_noLocks set {
            let cents = min(max(Int(newValue), 0), 12_827)
            bendSemitones = min(cents / 100, 127)
            bendHundredths = cents &- bendSemitones &* 100
            updateCents()
        }
    }

    /// The depth of the modulation wheel's vibrato at its end, by registered parameter 5. Unit: cents; 50 by default.
    @inlinable public var modulationDepth: Double {
        @_noLocks @inline(__always) get { Double(modulationRange) * (100.0 / 128) }
    }

    /// The distance by which bend, fine and coarse tuning move the channel. Unit: cents.
    @inlinable public var cents: Double { @_noLocks @inline(__always) get { allCents } }
    /// The distance by which fine and coarse tuning move the channel, without the bend.
    @inlinable public var tuningCents: Double { @_noLocks @inline(__always) get { steadyCents } }
    /// Fine tuning alone, by registered parameter 1. Unit: cents. Range: -100..<100.
    public var fineCents: Double { @_noLocks get { Double(fine &- 8_192) * (100.0 / 8_192) } }
    /// Coarse tuning alone, by registered parameter 2. Unit: semitones. Range: -64...63.
    public var coarseSemitones: Int { @_noLocks get { coarse &- 64 } }

    @_noLocks @usableFromInline mutating func updateCents() {
        let range = Double(bendSemitones &* 100 &+ bendHundredths)
        let bent = Double(wheel) / 8192 * range
        let fine = Double(self.fine &- 8192) / 8192 * 100, coarse = Double((self.coarse &- 64) &* 100)
        allCents = bent + fine + coarse
        steadyCents = fine + coarse
    }

    /// Returns the distance by which the tuning tables move `key`: its step of the octave and its own place in the tuning
    /// program. Unit: cents; 0 in equal temperament.
    @_noLocks @inlinable @inline(__always)
    public func cents(of key: UInt8) -> Double {
        Double(scale[Int(key & 127) % 12]) + Double(keyCents[Int(key & 127)])
    }

    /// Moves one step of every octave, 0 being C. Unit: cents.
    @_noLocks public mutating func tune(step: UInt8, cents: Float) {
        if step < 12 { scale[Int(step)] = cents }
    }

    /// Takes a change over that the tables have, if it is one of the tuning program that the channel follows, or of the session's
    /// tuning.
    @_noLocks public mutating func tune(_ change: KeyTuning, by tables: borrowing TuningTables, port: UInt8) {
        guard change.isOfSession || change.program == tuningProgram && change.bank == tuningBank else { return }
        fetch(change.places.first, every: change.places.step, tables, port)
    }

    /// Creates a channel as after power-on, in the tuning of the session.
    @_noLocks public init(mode: PartMode, by tables: borrowing TuningTables, port: UInt8) {
        self.init(mode: mode)
        if tables.hasSession { tune(by: tables, port: port) }
    }

    /// Makes its program a drum kit, which the session's tuning does not move, or a melodic one.
    @_noLocks public mutating func setKit(_ isKit: Bool, by tables: borrowing TuningTables, port: UInt8) {
        if self.isKit == isKit { return }
        self.isKit = isKit
        if tables.hasSession { tune(by: tables, port: port) }
    }

    /// Fetches the keys of the tuning program that the channel follows, and of the session's tuning.
    @_noLocks public mutating func tune(by tables: borrowing TuningTables, port: UInt8) {
        fetch(0, every: 1, tables, port)
    }

    @_noLocks private mutating func fetch(_ first: Int, every step: Int, _ tables: borrowing TuningTables, _ port: UInt8) {
        let row = tables.row(tuningProgram, tuningBank, port)
        for key in stride(from: first, to: 128, by: step) {
            keyCents[key] = tables.cents(of: key, row) + (isKit ? 0 : tables.sessionCents(of: UInt8(truncatingIfNeeded: key)))
        }
    }
}
