// [render]
import MIDI
import RealtimeCore

/// The music that a unit plays in one slice: its events, in the order of frames, for the units that its music bus leads to.
///
/// The renderer makes and clears it; a unit sees it through `MusicOutlet`.
@frozen @usableFromInline package struct MusicBuffer: BitwiseCopyable {
    /// An event and its frame, counted from the start of the slice.
    @frozen @usableFromInline package struct Entry: BitwiseCopyable {
        @usableFromInline package let offset: Int32
        @usableFromInline package let event: MusicEvent

        @_noLocks @inlinable package init(offset: Int32, event: MusicEvent) {
            self.offset = offset
            self.event = event
        }
    }

    /// Events of one slice, at most. The last eighth is not for notes that begin: what ends them always finds room sooner.
    package static var capacity: Int { @_noLocks get { 2048 } }

    /// `capacity` entries.
    @usableFromInline package let entries: UnsafeMutablePointer<Entry>
    /// The notes that sound because of it.
    @usableFromInline package let sent: SentNotes
    /// The number of events.
    @usableFromInline package var count: Int32 = 0
    /// The number of events that found no room.
    @usableFromInline package var lost: Int32 = 0

    @usableFromInline let record: Unmanaged<PlayedMusic>?

    /// No events. Control side.
    ///
    /// - Parameter record: the recorder of what is played for instruments, kept alive by the unit; nil means none.
    package init(entries: UnsafeMutablePointer<Entry>, sent: SentNotes, record: PlayedMusic? = nil) {
        self.entries = entries
        self.sent = sent
        self.record = record.map { .passUnretained($0) }
    }

    /// Passes what was played in a slice, one that began at `time`, to the recorder.
    @_noLocks package func tell(at time: SampleTime) {
        if count == 0 { return }
        record?._withUnsafeGuaranteedRef { record in
            for place in 0..<Int(count) { record.take(entries[place].event, at: time + Int(entries[place].offset)) }
        }
    }

    /// Adds an event after all of its frame and of those before.
    @_noLocks package mutating func add(_ event: MusicEvent, at offset: Int) {
        let room = Self.capacity &- (event.beginsNote ? Self.capacity / 8 : 0)
        if Int(count) >= room {
            lost &+= 1
            return
        }
        let frame = Int32(truncatingIfNeeded: offset)
        var place = Int(count)
        while place > 0 && entries[place &- 1].offset > frame {
            entries[place] = entries[place &- 1]
            place &-= 1
        }
        entries[place] = Entry(offset: frame, event: event)
        count &+= 1
        sent.observe(event)
    }

    /// Ends every note that sounds.
    @_noLocks package mutating func endNotes(at offset: Int) {
        var place = 0
        while let (event, next) = sent.off(from: place) {
            add(event, at: offset)
            place = next &+ 1
        }
    }
}

/// Where a unit's music goes on one frame: to the units that its music bus leads to.
///
/// It can neither be copied nor kept.
@frozen public struct MusicOutlet: ~Copyable, ~Escapable {
    @usableFromInline let ports: UnsafePointer<RenderPorts>
    @usableFromInline let offset: Int
    /// The sample time of the frame.
    public let sampleTime: SampleTime

    /// The renderer creates it for frame `offset` of the slice.
    @_noLocks @inlinable @inline(__always) @_lifetime(immortal)
    package init(_ ports: UnsafePointer<RenderPorts>, offset: Int, sampleTime: SampleTime) {
        (self.ports, self.offset, self.sampleTime) = (ports, offset, sampleTime)
    }

    /// Plays `event` on the frame, after what was sent for it before. Render thread; for units with a music bus.
    ///
    /// Precondition: the unit has a music bus.
    @_noLocks public func send(_ event: MusicEvent) {
        precondition(ports.pointee.music != nil, "only a unit with a music bus sends music")
        ports.pointee.music?.pointee.add(event, at: offset)
    }

    /// The value of a parameter on the frame of the event that is handled.
    @inlinable @inline(__always)
    public subscript<P: UnitParameter>(parameter: P) -> Float {
        ports.pointee.parameters[parameter.rawValue &* ports.pointee.elements][0]
    }

    /// Returns the whole number nearest to that value: of a choice its index.
    @inlinable @inline(__always)
    public func nearest<P: UnitParameter>(_ parameter: P) -> Int {
        let value = self[parameter]
        return Int(value + (value < 0 ? -0.5 : 0.5))
    }
}

extension RenderIO {
    /// Returns where music goes on a frame of this call, 0..<`frames`. Frames may be taken in any order. Render thread; for
    /// units with a music bus.
    ///
    /// Precondition: the unit has a music bus, and the call frame `frame`.
    @_noLocks @_lifetime(borrow self)
    public func outlet(at frame: Int) -> MusicOutlet {
        precondition(UInt(bitPattern: frame) < UInt(bitPattern: frames))
        return MusicOutlet(ports, offset: offset &+ frame, sampleTime: sampleTime + frame)
    }
}
