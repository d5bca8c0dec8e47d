// [render]

/// The meaning of a message for the notes of its part.
extension MIDIMessage {
    /// Creates a message to `part`, port * 16 + channel, of the kind of `status`, 0x80, 0x90 ... 0xE0. Data bytes are taken as
    /// they are.
    @_noLocks @inlinable @inline(__always)
    public init(part: Int, _ status: UInt8, _ data1: UInt8, _ data2: UInt8) {
        self.init(
            status: status | UInt8(truncatingIfNeeded: part & 15), data1: data1, data2: data2,
            port: UInt8(truncatingIfNeeded: part &>> 4 & 15))
    }

    /// True if a key goes down: a note-on, but not one of velocity 0, which is a note-off.
    @inlinable
    public var beginsNote: Bool { @_noLocks @inline(__always) get { status & 0xF0 == 0x90 && data2 > 0 } }

    /// True if a key goes up: a note-off, or a note-on of velocity 0.
    @inlinable
    public var endsNote: Bool {
        @_noLocks @inline(__always) get { status & 0xF0 == 0x80 || status & 0xF0 == 0x90 && data2 == 0 }
    }

    /// True if all notes of the part end: All Sound Off (120), All Notes Off (123), and the four mode messages that follow
    /// it, which mean that too.
    @inlinable
    public var silencesPart: Bool {
        @_noLocks @inline(__always) get { status & 0xF0 == 0xB0 && (data1 == 120 || data1 >= 123) }
    }
}

extension MusicEvent {
    /// True if a key goes down.
    @inlinable
    public var beginsNote: Bool {
        @_noLocks get {
            guard case .message(let message) = self else { return false }
            return message.beginsNote
        }
    }
}
