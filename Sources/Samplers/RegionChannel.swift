// [render]
import MIDI
import SoundFonts

/// What SFZ instruments remember of one channel.
///
/// Of a member of an MPE zone it has the keys alone; all else is that of the channel that speaks for the zone.
struct RegionChannel: BitwiseCopyable {
    /// Keys that are down; those that sostenuto caught; keys that are up and whose release a pedal holds back.
    private(set) var down = KeySet()
    var caught = KeySet(), waiting = KeySet()
    /// Of the last strike of each key: its velocity, its frame, its number among all notes and among the channel's strikes.
    private(set) var velocities = InlineArray<128, UInt8>(repeating: 0)
    var frames = InlineArray<128, Int64>(repeating: 0)
    private(set) var numbers = InlineArray<128, UInt64>(repeating: 0), strikeNumbers = InlineArray<128, UInt64>(repeating: 0)

    /// Controllers that were sent.
    var moved = KeySet()
    /// The key struck last and the one before, -1 for none; their velocities.
    private(set) var lastKey: Int16 = -1, formerKey: Int16 = -1, lastVelocity: UInt8 = 0, formerVelocity: UInt8 = 0
    /// The last switch that was struck; -1: the instrument's own.
    private(set) var lastSwitch: Int16 = -1
    /// Strikes so far, and starts by controllers.
    var strikes: UInt64 = 0, starts: UInt64 = 0
    /// The upper bits of strikes that are still to come; true while the state of another place of the music is restored.
    var upperStrikes: UInt64 = 0, isRestored = false
    var releaseVelocity: UInt8 = 0
    /// The sound that its keys have struck.
    var sound = Sound.silence

    @_noLocks init() {}

    /// A key goes down on this channel.
    @_noLocks mutating func press(_ event: RegionEvent, frame: Int64, note: UInt64) {
        let key = Int(event.key)
        down.set(event.key, true)
        waiting.set(event.key, false)
        velocities[key] = event.velocity
        frames[key] = frame
        (numbers[key], strikeNumbers[key]) = (note, event.number)
    }

    /// A key goes up, or another one takes its voices over. False if it was up.
    @_noLocks mutating func lift(_ key: UInt8) -> Bool {
        if !down.contains(key) { return false }
        down.set(key, false)
        return true
    }

    /// All keys are up, and none waits for its release.
    @_noLocks mutating func liftAll() { (down, caught, waiting) = (KeySet(), KeySet(), KeySet()) }

    /// The instrument is struck, `count` times.
    @_noLocks mutating func strike(_ key: UInt8, _ velocity: UInt8, count: UInt64 = 1, isSwitch: Bool) {
        strikes &+= count
        (formerKey, lastKey) = (lastKey, Int16(key))
        (formerVelocity, lastVelocity) = (lastVelocity, velocity)
        if isSwitch { lastSwitch = Int16(key) }
    }

    /// Restores the velocity of the last strike.
    @_noLocks mutating func setLastVelocity(_ velocity: UInt8) { lastVelocity = velocity }

    /// Nothing was struck yet.
    @_noLocks mutating func forgetStrikes() {
        (strikes, upperStrikes) = (0, 0)
        (lastKey, formerKey, lastSwitch) = (-1, -1, -1)
        (lastVelocity, formerVelocity) = (0, 0)
    }

    /// What a System Exclusive message has set was moved too.
    @_noLocks func isMoved(_ controller: UInt8, _ value: UInt8) -> Bool {
        if moved.contains(controller) { return true }
        switch controller {
        case 7: return value != 100
        case 10: return value != 64
        case 11: return value != 127
        default: return false
        }
    }
}

/// The channel that a region plays on, and the one that speaks for it in an MPE zone: itself, if there is none.
struct RegionSource: BitwiseCopyable {
    let part: UnsafePointer<Part>, manager: UnsafePointer<Part>
    /// The manager's.
    let channel: UnsafePointer<RegionChannel>
    /// The values of controllers at first, 0...1.
    let initial: UnsafePointer<Float>

    @_noLocks init(
        _ part: UnsafePointer<Part>, manager: UnsafePointer<Part>, _ channel: UnsafePointer<RegionChannel>,
        initial: UnsafePointer<Float>
    ) {
        (self.part, self.manager, self.channel, self.initial) = (part, manager, channel, initial)
    }

    /// -1...1: both ends of the wheel are reached, though it has one step more downwards.
    var wheel: Float { @_noLocks get { max(Float(Int32(truncatingIfNeeded: part.pointee.bend)) / 8_191, -1) } }

    /// The pressure of the channel or of its zone, 0...127.
    var pressure: UInt8 { @_noLocks get { max(part.pointee.pressure, manager.pointee.pressure) } }

    /// A controller, 0...1: what was sent, or what the instrument begins with; the wheel (128) and pressure (129, 130).
    @_noLocks func value(_ controller: UInt16, key: UInt8) -> Float {
        switch controller {
        case 0..<128:
            let number = UInt8(truncatingIfNeeded: controller), sent = manager.pointee.value(of: number)
            let value = channel.pointee.isMoved(number, sent) ? Float(Int32(sent)) / 127 : initial[Int(controller)]
            // Brightness is the one controller that members have of their own.
            if controller != 74 || part == manager { return value }
            let own = Float(Int32(truncatingIfNeeded: part.pointee.soundControl(.cutoff))) / 127
            return min(max(value + own, 0), 1)
        case 128: return wheel
        case 129: return Float(Int32(pressure)) * (1.0 / 127)
        case 130: return Float(Int32(part.pointee.pressure(of: key))) * (1.0 / 127)
        default: return initial[Int(min(controller, UInt16(truncatingIfNeeded: RegionInstrument.controllers &- 1)))]
        }
    }
}

/// What starts regions: a key, its release, or a controller; with the numbers that chance has drawn for it.
struct RegionEvent: BitwiseCopyable {
    enum Kind: UInt8, BitwiseCopyable { case keyDown, keyUp, controller }

    var kind: Kind
    /// The channel, and the one that speaks for it in an MPE zone.
    var channel: UInt8, manager: UInt8
    var key: UInt8 = 0
    /// 1...127.
    var velocity: UInt8 = 127
    /// The keys that are down, of the whole zone.
    var down = KeySet()
    /// 0...1.
    var chance: Float = 0
    /// The number of the event on its channel, of its kind, from which all chance of its voices comes.
    var number: UInt64 = 0
    /// A controller, and its value before and now, 0...1.
    var controller: UInt16 = 0, before: Float = 0, value: Float = 0
    /// True if a pedal let the key go, not the key itself.
    var isOfPedal = false
    /// Seconds for which the key was down.
    var seconds: Float = 0

    var isStrike: Bool { @_noLocks get { if case .keyDown = kind { true } else { false } } }
    var isRelease: Bool { @_noLocks get { if case .keyUp = kind { true } else { false } } }
    var isOfController: Bool { @_noLocks get { if case .controller = kind { true } else { false } } }

    @_noLocks init(_ kind: Kind, channel: Int, manager: UInt8) {
        (self.kind, self.channel, self.manager) = (kind, UInt8(truncatingIfNeeded: channel), manager)
    }
}
