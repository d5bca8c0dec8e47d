import DSP
import RealtimeCore

// [render]

/// The notes of an instrument: which gets a voice, and which has to give it up.
///
/// There are twice as many as may sound, so that a stolen note can fade out (3 ms) while the new one starts at once.
struct PlayedNotes: ~Copyable {
    static var capacity: Int { @_noLocks @inline(__always) get { 128 } }
    private var owned = OwnedMemory()
    let voices: UnsafeMutablePointer<PlayedNote>
    var usedCount = 0
    /// The number of notes that may sound at once, fading ones not counted: 1...64.
    private let polyphony: Int
    private let fadePoints: Float
    private var births: UInt64 = 0

    init(polyphony: Float, sampleRate: Double) {
        self.polyphony = polyphony >= 1 ? Int(min(polyphony, Float(Self.capacity / 2))) : 1
        fadePoints = max(Float(Int(0.003 * sampleRate / Double(PlayedNote.interval))), 2)
        voices = owned.make(Self.capacity, of: PlayedNote())
    }

    @_noLocks mutating func reset() {
        for i in 0..<Self.capacity { voices[i].isUsed = false }
        usedCount = 0
        births = 0
    }

    /// A voice for a new note; takes one from another note when all are busy.
    @_noLocks mutating func start(part: Int, key: UInt8, velocity: UInt8) -> UnsafeMutablePointer<PlayedNote> {
        var sounding = 0
        for i in 0..<Self.capacity where voices[i].isUsed && !voices[i].isLeaving { sounding &+= 1 }
        if sounding >= polyphony { steal() }
        let voice = voices + freeIndex()
        voice.pointee = PlayedNote()
        voice.pointee.isUsed = true
        voice.pointee.isNew = true
        voice.pointee.isKeyDown = true
        voice.pointee.part = part
        voice.pointee.key = key
        voice.pointee.velocity = velocity
        voice.pointee.birth = births
        births &+= 1
        usedCount &+= 1
        return voice
    }

    /// Fades out the quietest released note; with none released the quietest held one; among equals the oldest.
    @_noLocks private mutating func steal() {
        var victim = -1
        for i in 0..<Self.capacity where voices[i].isUsed && !voices[i].isLeaving {
            if victim < 0 || yields(i, before: victim) { victim = i }
        }
        if victim >= 0 { fade(victim) }
    }

    /// Fades out the quieter half of the released notes, at least one.
    @_noLocks mutating func shed() {
        var released = 0
        for i in 0..<Self.capacity where isReleased(i) { released &+= 1 }
        for _ in 0..<((released &+ 1) / 2) {
            var victim = -1
            for i in 0..<Self.capacity where isReleased(i) {
                if victim < 0 || yields(i, before: victim) { victim = i }
            }
            if victim >= 0 { fade(victim) }
        }
    }

    @_noLocks private func isReleased(_ i: Int) -> Bool {
        voices[i].isUsed && !voices[i].isLeaving && voices[i].envelope.stage == .release
    }

    @_noLocks private func yields(_ a: Int, before b: Int) -> Bool {
        let aReleased = voices[a].envelope.stage == .release, bReleased = voices[b].envelope.stage == .release
        if aReleased != bReleased { return aReleased }
        let aLevel = loudness(a), bLevel = loudness(b)
        return aLevel != bLevel ? aLevel < bLevel : voices[a].birth < voices[b].birth
    }

    /// Returns the loudness of a voice; one in its attack counts as loud as it will be.
    @_noLocks private func loudness(_ i: Int) -> Float {
        let velocity = Float(voices[i].velocity) / 127
        let level = voices[i].envelope.stage == .attack ? 1 : voices[i].envelope.next
        // A note that has not been heard yet has no volume of its own; 1 spares it.
        let volume = voices[i].isNew ? 1 : max(voices[i].nextLeft, voices[i].nextRight)
        return velocity * velocity * level * volume
    }

    /// A voice that is not in use; if a flood of notes has left none, that of the quietest fading note, cut off.
    @_noLocks private mutating func freeIndex() -> Int {
        var quietest = 0
        var least = Float.infinity
        for i in 0..<Self.capacity {
            if !voices[i].isUsed { return i }
            let level = voices[i].envelope.next * voices[i].strike
            if voices[i].isLeaving && level < least {
                least = level
                quietest = i
            }
        }
        usedCount &-= 1
        return quietest
    }

    @_noLocks mutating func end(_ i: Int) {
        voices[i].isUsed = false
        usedCount &-= 1
    }

    @_noLocks mutating func fade(_ i: Int) {
        if voices[i].isLeaving { return }
        voices[i].fade(over: fadePoints)
        if !voices[i].isUsed { usedCount &-= 1 }
    }

    /// Releases every note of `part` on `key`, pedals or not: the key is struck again.
    @_noLocks func releaseSame(part: Int, key: UInt8) {
        for i in 0..<Self.capacity where voices[i].isUsed && voices[i].part == part && voices[i].key == key {
            voices[i].isCaught = false
            voices[i].release()
        }
    }

    @_noLocks func keyUp(part: Int, key: UInt8, isSustained: Bool) {
        for i in 0..<Self.capacity
        where voices[i].isUsed && voices[i].isKeyDown && voices[i].part == part && voices[i].key == key {
            voices[i].isKeyDown = false
            if !isSustained && !voices[i].isCaught { voices[i].release() }
        }
    }

    @_noLocks func allKeysUp(part: Int, isSustained: Bool) {
        for i in 0..<Self.capacity where voices[i].isUsed && voices[i].part == part {
            voices[i].isKeyDown = false
        }
        releaseUnheld(part: part, isSustained: isSustained)
    }

    @_noLocks func releaseUnheld(part: Int, isSustained: Bool) {
        if isSustained { return }
        for i in 0..<Self.capacity
        where voices[i].isUsed && voices[i].part == part && !voices[i].isKeyDown && !voices[i].isCaught
            && voices[i].envelope.stage != .release
        {
            voices[i].release()
        }
    }

    /// The sostenuto pedal catches the keys that are down, or releases those it has caught.
    @_noLocks func catchKeys(part: Int, isDown: Bool) {
        for i in 0..<Self.capacity where voices[i].isUsed && voices[i].part == part {
            voices[i].isCaught = isDown && voices[i].isKeyDown
        }
    }

    /// Pressure on one key; with key nil, on every key of the part.
    @_noLocks func press(part: Int, key: UInt8?, _ pressure: UInt8) {
        for i in 0..<Self.capacity where voices[i].isUsed && voices[i].part == part {
            if let key, voices[i].key != key { continue }
            voices[i].pressure = pressure
        }
    }

    @_noLocks mutating func silence(_ parts: Range<Int>) {
        for i in 0..<Self.capacity where voices[i].isUsed && parts.contains(voices[i].part) { fade(i) }
    }

    @_noLocks func down(part: Int, key: UInt8) -> UnsafeMutablePointer<PlayedNote>? {
        for i in 0..<Self.capacity
        where voices[i].isUsed && voices[i].isKeyDown && voices[i].part == part && voices[i].key == key
            && !voices[i].isLeaving && voices[i].envelope.stage != .release
        {
            return voices + i
        }
        return nil
    }

    @_noLocks func held(part: Int) -> UnsafeMutablePointer<PlayedNote>? {
        for i in 0..<Self.capacity
        where voices[i].isUsed && voices[i].part == part && !voices[i].isLeaving
            && voices[i].envelope.stage != .release
        {
            return voices + i
        }
        return nil
    }
}
