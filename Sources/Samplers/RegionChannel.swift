// [render]
import MIDI
import SoundFonts

/// What an SFZ instrument remembers of one channel: keys, switches, and the controllers that were moved.
struct RegionChannel: BitwiseCopyable {
    /// Keys that are down; those that sostenuto caught; keys that are up and whose release a pedal holds back; controllers that
    /// were sent.
    var down = KeySet(), caught = KeySet(), waiting = KeySet(), moved = KeySet()
    /// Of the last strike of each key: its velocity, its frame, its number among all notes and among the channel's strikes.
    var velocities = InlineArray<128, UInt8>(repeating: 0)
    var frames = InlineArray<128, Int64>(repeating: 0)
    var numbers = InlineArray<128, UInt64>(repeating: 0), strikeNumbers = InlineArray<128, UInt64>(repeating: 0)
    /// The key struck last and the one before; -1 for none.
    var lastKey: Int16 = -1, formerKey: Int16 = -1
    /// The last switch that was struck, by sound; -1: the instrument's own.
    var lastSwitch: Int16 = -1
    /// Strikes so far, and starts by controllers; the upper bits of strikes that come.
    var strikes: UInt64 = 0, starts: UInt64 = 0, upperStrikes: UInt64 = 0
    var releaseVelocity: UInt8 = 0
    /// The first recipe of the sound that played last.
    var sound: Int32 = -1

    @_noLocks init() {}

    /// The value of a controller, 0...1: what was sent, or what the instrument begins with.
    @_noLocks func value(_ controller: UInt16, _ part: UnsafePointer<Part>, _ initial: UnsafePointer<Float>) -> Float {
        if controller < 128 {
            let number = UInt8(truncatingIfNeeded: controller), value = part.pointee.value(of: number)
            if moved.contains(number) || Self.differs(number, value) { return Float(Int32(value)) / 127 }
        }
        return initial[Int(min(controller, UInt16(truncatingIfNeeded: RegionInstrument.controllers &- 1)))]
    }

    /// What a System Exclusive message has set is moved too.
    @_noLocks private static func differs(_ controller: UInt8, _ value: UInt8) -> Bool {
        switch controller {
        case 7: value != 100
        case 10: value != 64
        case 11: value != 127
        default: false
        }
    }
}

/// What starts regions: a key, its release, or a controller; with the numbers that chance has drawn for it.
struct RegionEvent: BitwiseCopyable {
    enum Kind: UInt8, BitwiseCopyable { case keyDown, keyUp, controller }

    var kind: Kind
    var channel: UInt8
    var key: UInt8 = 0
    /// 1...127.
    var velocity: UInt8 = 127
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

    @_noLocks init(_ kind: Kind, channel: Int) { (self.kind, self.channel) = (kind, UInt8(truncatingIfNeeded: channel)) }
}
