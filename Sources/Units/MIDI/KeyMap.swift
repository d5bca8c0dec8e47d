// [render]
import MIDI
import RealtimeCore
import UnitAPI

/// A key that goes down.
struct KeyPress: BitwiseCopyable {
    let part: Int
    let key: UInt8
    let velocity: UInt8

    @_noLocks init(part: Int, key: UInt8, velocity: UInt8) {
        (self.part, self.key, self.velocity) = (part, key, velocity)
    }
}

/// A record of what each key that is down plays, so that its release ends exactly that, even if settings have changed since.
///
/// It handles all events that a MIDI unit receives except key-downs, which the unit decides about: `take`, then `play` once
/// for each note to play.
struct KeyMap: ~Copyable {
    private struct Held: BitwiseCopyable {
        var part = 0
        var key: UInt8 = 0
        var sounds = KeySet()
        @_noLocks init() {}
    }

    /// The most keys that may be down at a time, of all parts; the oldest is released for one more.
    private static var capacity: Int { @_noLocks get { 512 } }
    private var owned = OwnedMemory()
    private let held: UnsafeMutablePointer<Held>
    private var count = 0
    let sounding = SoundingKeys()
    private let drums: UnsafeMutablePointer<Bool>

    /// No key is down. Control side.
    init() {
        held = owned.make(512, of: Held())
        drums = owned.make(256, of: false)
        for part in 0..<256 { drums[part] = PartMode.initial(part).isDrums }
    }

    @_noLocks func isDrums(_ part: Int) -> Bool { drums[part & 255] }

    /// Passes on what is no key that goes down; that one is returned, for `play`.
    @_noLocks mutating func take(_ event: MusicEvent, _ outlet: borrowing MusicOutlet) -> KeyPress? {
        observe(event)
        guard case .message(let message) = event else {
            outlet.send(event)
            return nil
        }
        let part = message.part & 255, key = message.data1 & 127
        switch message.status & 0xF0 {
        case 0x90 where message.data2 > 0:
            release(key, part: part, velocity: 64, outlet)
            return KeyPress(part: part, key: key, velocity: message.data2)
        case 0x80, 0x90:
            release(key, part: part, velocity: message.data2, outlet)
        case 0xA0:
            for place in 0..<count where held[place].part == part && held[place].key == key {
                var sounds = held[place].sounds
                while let sound = sounds.first {
                    sounds.set(sound, false)
                    outlet.send(.note(0xA0, sound, message.data2, part: part))
                }
            }
        default: outlet.send(event)
        }
        return nil
    }

    /// Plays `key` for a key that goes down; once for each key that it plays.
    @_noLocks mutating func play(_ key: UInt8, velocity: UInt8, for press: KeyPress, _ outlet: borrowing MusicOutlet) {
        if let place = place(of: press), held[place].sounds.contains(key) { return }
        sounding.begin(key, part: press.part, velocity: velocity, outlet)
        if let place = place(of: press) {
            held[place].sounds.set(key, true)
            return
        }
        if count == Self.capacity {
            release(at: 0, velocity: 64, outlet)
            remove(0)
        }
        held[count].part = press.part
        held[count].key = press.key
        held[count].sounds = KeySet()
        held[count].sounds.set(key, true)
        count &+= 1
    }

    @_noLocks func isDown(_ press: KeyPress) -> Bool { place(of: press) != nil }

    /// Newest first: what is requested is what has just gone down.
    @_noLocks private func place(of press: KeyPress) -> Int? {
        var place = count &- 1
        while place >= 0 {
            if held[place].key == press.key && held[place].part == press.part { return place }
            place &-= 1
        }
        return nil
    }

    @_noLocks mutating func reset() {
        count = 0
        sounding.forget()
        for part in 0..<256 { drums[part] = PartMode.initial(part).isDrums }
    }

    @_noLocks private func release(at place: Int, velocity: UInt8, _ outlet: borrowing MusicOutlet) {
        var sounds = held[place].sounds
        while let sound = sounds.first {
            sounds.set(sound, false)
            sounding.end(sound, part: held[place].part, velocity: velocity, outlet)
        }
    }

    @_noLocks private mutating func release(_ key: UInt8, part: Int, velocity: UInt8, _ outlet: borrowing MusicOutlet) {
        var place = 0
        while place < count {
            if held[place].part == part && held[place].key == key {
                release(at: place, velocity: velocity, outlet)
                remove(place)
            } else {
                place &+= 1
            }
        }
    }

    @_noLocks private mutating func remove(_ place: Int) {
        count &-= 1
        for next in place..<count { held[next] = held[next &+ 1] }
    }

    @_noLocks private mutating func observe(_ event: MusicEvent) {
        switch event {
        case .message(let message):
            if message.silencesPart { forget(message.part & 255) }
        case .reset(_, let port):
            for channel in 0..<16 { forget(Int(port & 15) &* 16 &+ channel) }
            standard(port)
        case .standard(_, let port): standard(port)
        case .partMode(let mode, let port, let channel):
            drums[Int(port & 15) &* 16 &+ Int(channel & 15)] = mode.isDrums
        default: break
        }
    }

    @_noLocks private func standard(_ port: UInt8) {
        for channel in 0..<16 { drums[Int(port & 15) &* 16 &+ channel] = PartMode.initial(channel).isDrums }
    }

    @_noLocks private mutating func forget(_ part: Int) {
        sounding.forget(part: part)
        var place = 0
        while place < count { if held[place].part == part { remove(place) } else { place &+= 1 } }
    }
}
