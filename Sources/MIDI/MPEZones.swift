// [render]

/// The MPE zones of a port: which channels play the notes of one instrument, each note on a channel of its own, and which
/// channel speaks for all of them.
///
/// The lower zone is managed by channel 1 and has the channels after it, the upper one by channel 16 and those before it.
/// Members have bend, pressure and brightness of their own, which those of the manager are added to; pedals, volume, pan,
/// modulation and the like are the manager's. A port has no zones until registered parameter 6 makes one.
///
/// Source: MIDI Polyphonic Expression 1.0 (M1-100-UM, CA-031).
public struct MPEZones: Hashable, BitwiseCopyable, Sendable {
    /// The number of member channels of each zone, 0 for no zone.
    public private(set) var lower: UInt8 = 0, upper: UInt8 = 0

    /// No zones: every channel is an instrument of its own.
    @_noLocks public init() {}

    /// The range of a member's wheel until registered parameter 0 changes it. Unit: cents.
    public static var memberBendRange: Double { @_noLocks get { 4_800 } }
    /// The range of the wheel of a manager, and of a channel in no zone, until registered parameter 0 changes it. Unit:
    /// cents.
    public static var bendRange: Double { @_noLocks get { 200 } }

    /// Returns true if `channel`, 0...15, is a member channel of a zone.
    @_noLocks @inlinable @inline(__always)
    public func isMember(_ channel: UInt8) -> Bool { manager(of: channel) != channel }

    /// Returns the channel that speaks for `channel`, 0...15: the manager of its zone, or itself if it is in none.
    @_noLocks @inlinable @inline(__always)
    public func manager(of channel: UInt8) -> UInt8 {
        if channel > 0 && channel <= lower { return 0 }
        if channel < 15 && channel &+ upper >= 15 { return 15 }
        return channel
    }

    /// Returns the channels that `channel` speaks for, itself among them.
    @_noLocks @inlinable @inline(__always)
    public func reach(of channel: UInt8) -> Range<UInt8> {
        if channel == 0 { return 0..<(lower &+ 1) }
        if channel == 15 { return (15 &- upper)..<16 }
        return channel..<(channel &+ 1)
    }

    /// Registered parameter 6 on `channel`: makes, changes or ends its zone; a zone in the way gives its channels up. Of no
    /// effect on channels between the first and the last. `parts` are the sixteen channels of the port: bend ranges of the zone
    /// go back to their defaults.
    ///
    /// - Returns: channels that are something else than before, one bit each: their notes end, their controllers were reset.
    @_noLocks public mutating func configure(
        _ channel: UInt8, members: UInt8, parts: UnsafeMutablePointer<Part>
    ) -> UInt16 {
        let before = self
        guard configure(channel, members: members) else { return 0 }
        var changed: UInt16 = 0
        for place in UInt8(0)..<16 {
            let part = parts + Int(place)
            let isNew = manager(of: place) != before.manager(of: place)
            if isNew {
                changed |= 1 &<< UInt16(place)
                part.pointee.resetControllers()
                part.pointee.clearKeys()
                part.pointee.mode = isMember(place) ? .melodic : .initial(Int(place))
            }
            if isNew || reach(of: channel).contains(place) {
                part.pointee.bendRange = isMember(place) ? Self.memberBendRange : Self.bendRange
            }
        }
        // The manager of a zone that comes or goes speaks for others than before.
        if (lower == 0) != (before.lower == 0) { changed |= 1 }
        if (upper == 0) != (before.upper == 0) { changed |= 1 &<< 15 }
        return changed
    }

    /// Makes, changes or removes a zone without changing the channels' state; true if `channel` is one that makes zones.
    @_noLocks public mutating func configure(_ channel: UInt8, members: UInt8) -> Bool {
        guard channel == 0 || channel == 15 else { return false }
        let members = min(members, 15)
        // Both managers are members of no zone, unless there is but one zone and it is the longest.
        let room = members > 14 ? 0 : 14 &- members
        if channel == 0 {
            lower = members
            if members > 0 { upper = min(upper, room) }
        } else {
            upper = members
            if members > 0 { lower = min(lower, room) }
        }
        return true
    }

    /// Takes the bend range of a member over to all members of its zone, as registered parameter 0 on one means them all.
    @_noLocks public func shareBendRange(of channel: UInt8, parts: UnsafeMutablePointer<Part>) {
        let manager = manager(of: channel)
        if manager == channel { return }
        let range = parts[Int(channel)].bendRange
        for place in reach(of: manager) where place != manager { parts[Int(place)].bendRange = range }
    }

    /// Returns the distance by which bend, fine and coarse tuning move a channel, those of its manager added. Unit: cents.
    @_noLocks @inlinable @inline(__always)
    public func cents(_ channel: UInt8, parts: UnsafePointer<Part>) -> Double {
        let manager = manager(of: channel), own = parts[Int(channel)].cents
        return manager == channel ? own : own + parts[Int(manager)].cents
    }

    /// Returns the pressure on a channel, 0...127, or on its whole zone if that is greater.
    @_noLocks @inlinable @inline(__always)
    public func pressure(_ channel: UInt8, parts: UnsafePointer<Part>) -> UInt8 {
        max(parts[Int(channel)].pressure, parts[Int(manager(of: channel))].pressure)
    }

    /// Returns the distance by which controller 74 moves a channel, that of its manager added. Range: -64...63.
    @_noLocks @inlinable @inline(__always)
    public func brightness(_ channel: UInt8, parts: UnsafePointer<Part>) -> Int {
        let manager = manager(of: channel), own = parts[Int(channel)].soundControl(.cutoff)
        return manager == channel ? own : min(max(own &+ parts[Int(manager)].soundControl(.cutoff), -64), 63)
    }
}
