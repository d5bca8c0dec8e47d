// [render]
import MIDI

/// What the lane of loops holds on each part, and what all other senders hold there: neither ends what the other holds.
///
/// - A note-off is heard if the other side does not hold the key.
/// - A pedal is where the side that presses it deepest has it.
/// - The lane brings a bend or a pressure back to rest only if it was the last that moved it.
///
/// While the lane holds nothing, everything passes as it came. Memory belongs to the renderer.
struct LaneLedger: BitwiseCopyable {
    private static var partCount: Int { @_noLocks get { 256 } }

    /// By side and part: the keys that are down.
    private let keys: UnsafeMutablePointer<KeySet>
    /// By side, part and pedal: how deep it is.
    private let pedals: UnsafeMutablePointer<UInt8>
    /// By part: the keys whose pressure the lane has moved.
    private let pressed: UnsafeMutablePointer<KeySet>
    /// By part: whether the lane has moved the bend, and the pressure.
    private let bends: UnsafeMutablePointer<Bool>
    private let pressures: UnsafeMutablePointer<Bool>

    init() {
        keys = .allocate(capacity: 2 * 256)
        keys.initialize(repeating: KeySet(), count: 2 * 256)
        pedals = .allocate(capacity: 2 * 256 * 4)
        pedals.initialize(repeating: 0, count: 2 * 256 * 4)
        pressed = .allocate(capacity: 256)
        pressed.initialize(repeating: KeySet(), count: 256)
        bends = .allocate(capacity: 256)
        bends.initialize(repeating: false, count: 256)
        pressures = .allocate(capacity: 256)
        pressures.initialize(repeating: false, count: 256)
    }

    /// Control side, once.
    func deallocate() {
        keys.deallocate()
        pedals.deallocate()
        pressed.deallocate()
        bends.deallocate()
        pressures.deallocate()
    }

    /// Enters what one side sends, and makes of it what units receive. Returns false if that is nothing.
    @_noLocks func take(_ music: inout MusicEvent, isLane: Bool) -> Bool {
        switch music {
        case .message(var message):
            let isHeard = take(&message, isLane: isLane)
            music = .message(message)
            return isHeard
        case .reset(_, let port):
            for channel in 0..<16 {
                let part = Int(port & 15) &* 16 &+ channel
                forgetKeys(part)
                forgetControllers(part)
            }
        case .standard(_, let port):
            for channel in 0..<16 { forgetControllers(Int(port & 15) &* 16 &+ channel) }
        default: break
        }
        return true
    }

    @_noLocks private func take(_ message: inout MIDIMessage, isLane: Bool) -> Bool {
        let part = message.part & 255, key = message.data1 & 127
        let own = (isLane ? Self.partCount : 0) &+ part, other = (isLane ? 0 : Self.partCount) &+ part
        switch message.status & 0xF0 {
        case 0x90 where message.data2 > 0: keys[own].set(key, true)
        case 0x80, 0x90:
            keys[own].set(key, false)
            return !keys[other].contains(key)
        case 0xA0:
            let mayRest = !isLane || message.data2 > 0 || pressed[part].contains(key)
            pressed[part].set(key, isLane && message.data2 > 0)
            return mayRest
        case 0xB0: return control(&message, part, own, other, isLane: isLane)
        case 0xD0: return move(pressures, part, isRest: message.data1 == 0, isLane: isLane)
        case 0xE0: return move(bends, part, isRest: message.bend == 0, isLane: isLane)
        default: break
        }
        return true
    }

    @_noLocks private func move(_ moved: UnsafeMutablePointer<Bool>, _ part: Int, isRest: Bool, isLane: Bool) -> Bool {
        let isOwn = moved[part]
        // What the player has moved since stays.
        if isLane, isRest, !isOwn { return false }
        moved[part] = isLane && !isRest
        return true
    }

    @_noLocks private func control(_ message: inout MIDIMessage, _ part: Int, _ own: Int, _ other: Int, isLane: Bool) -> Bool {
        let pedal: Int
        switch message.data1 {
        case 64: pedal = 0
        case 66: pedal = 1
        case 67: pedal = 2
        case 69: pedal = 3
        case 121:
            if isLane { return false }
            forgetControllers(part)
            return true
        default:
            if !message.silencesPart { return true }
            keys[own] = KeySet()
            if isLane { return keys[other].isEmpty }
            keys[other] = KeySet()
            return true
        }
        let place = own &* 4 &+ pedal, others = pedals[other &* 4 &+ pedal]
        let wanted = message.data2, before = max(pedals[place], others)
        pedals[place] = wanted
        message.data2 = max(wanted, others)
        return message.data2 != before || message.data2 == wanted
    }

    @_noLocks private func forgetKeys(_ part: Int) {
        keys[part] = KeySet()
        keys[Self.partCount &+ part] = KeySet()
    }

    @_noLocks private func forgetControllers(_ part: Int) {
        for pedal in 0..<4 {
            pedals[part &* 4 &+ pedal] = 0
            pedals[(Self.partCount &+ part) &* 4 &+ pedal] = 0
        }
        pressed[part] = KeySet()
        bends[part] = false
        pressures[part] = false
    }
}
