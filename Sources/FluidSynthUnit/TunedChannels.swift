import MIDI
import RealtimeCore

// [render]

/// The state of sixteen channels, and the tuning tables that move their keys: in the voices themselves, for the library would take
/// memory for tables of its own.
struct TunedChannels: ~Copyable {
    private var owned = OwnedMemory()
    let parts: UnsafeMutablePointer<Part>
    /// Cents by which the tables move the keys of each channel, as the voices have them.
    private let cents: UnsafeMutablePointer<Float>
    private var tables = TuningTables(ports: 1)
    /// Channels with a key that is moved, and those whose tables have changed since.
    private var moved: UInt16 = 0, changed: UInt16 = 0
    /// Keys that were to be moved farther than can be.
    private(set) var limited = 0

    /// The most cents that a table moves a key: pitch must stay within reach of the library's oscillator, `PitchReach`.
    private static var widest: Float { @_noLocks get { 4_800 } }

    init() {
        parts = owned.make(16, of: Part(mode: .melodic))
        cents = owned.make(16 * 128, of: 0)
    }

    @_noLocks mutating func take(_ event: MusicEvent) {
        switch event {
        case .scaleTuning(let channels, let step, let hundredths, _):
            for channel in 0..<16 where channels &>> UInt16(channel) & 1 != 0 {
                parts[channel].tune(step: step, cents: Float(hundredths) / 100)
            }
            changed |= channels
        case .keyTuning(let change):
            tables.write(change)
            for channel in 0..<16 { parts[channel].tune(change, by: tables, port: 0) }
            changed = .max
        default: break
        }
    }

    /// The tuning program of a channel is another.
    @_noLocks mutating func fetch(_ channel: Int) {
        parts[channel].tune(by: tables, port: 0)
        changed |= 1 &<< UInt16(truncatingIfNeeded: channel)
    }

    /// The program of a channel is a drum kit, or is none.
    @_noLocks mutating func setKit(_ channel: Int, _ isKit: Bool) {
        if parts[channel].isKit == isKit { return }
        parts[channel].setKit(isKit, by: tables, port: 0)
        if tables.hasSession { changed |= 1 &<< UInt16(truncatingIfNeeded: channel) }
    }

    /// True for a key that a session's tuning silences.
    @_noLocks func isSilent(_ channel: Int, _ key: UInt8) -> Bool { tables.isSilent(key) && !parts[channel].isKit }

    /// Every channel as after power-on, in the tuning of the session.
    @_noLocks mutating func powerUp() {
        tables.reset(port: 0)
        for channel in 0..<16 { parts[channel] = Part(mode: .melodic, by: tables, port: 0) }
        changed |= tables.hasSession ? .max : moved
    }

    /// Forgets the tuning of the session, too.
    @_noLocks mutating func clear() {
        tables.clear()
        limited = 0
    }

    /// True if voices that sound are to be tuned anew.
    var areChanged: Bool { @_noLocks get { changed != 0 } }

    /// The cents of 128 keys by which voices of a channel are to be moved; nil if none is moved, or was.
    @_noLocks mutating func moves(of channel: Int) -> UnsafePointer<Float>? {
        let bit = UInt16(1) &<< UInt16(truncatingIfNeeded: channel), keys = cents + channel &* 128
        if changed & bit != 0 {
            changed &= ~bit
            for key in 0..<128 {
                let wanted = Float(parts[channel].cents(of: UInt8(truncatingIfNeeded: key)))
                keys[key] = min(max(wanted, -Self.widest), Self.widest)
                if keys[key] != wanted { limited &+= 1 }
                if wanted != 0 { moved |= bit }
            }
        }
        return moved & bit == 0 ? nil : UnsafePointer(keys)
    }
}
