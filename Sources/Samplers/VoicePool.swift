// [render]
import RealtimeCore
import SoundFonts

/// The voices of one sampler: as many as may sound, and some more for those that fade because a newer one takes their place.
///
/// Voices that sound are in the order of their place on the grid of 64 frames, and by age if they share it: sums are made in
/// that order, for any slices.
struct VoicePool: ~Copyable {
    /// Voices that may fade at the same time.
    static var spare: Int { @_noLocks get { 64 } }

    private var owned = OwnedMemory()
    let voices: UnsafeMutablePointer<Voice>
    let order: UnsafeMutablePointer<Int32>
    private(set) var count = 0
    /// The number of voices that have rendered their period of the current grid.
    var rendered = 0
    let polyphony: Int
    private(set) var stolen = 0
    /// The log of the notes, if there is one; the ring for voices, and for keys in the first share.
    private(set) var keptLog: NoteLog?
    /// The feed of its streams, if samples are streamed; and this share's reader.
    private(set) var keptFeed: SampleFeed?
    private(set) var reader: UnsafeMutablePointer<StreamReader>?
    private(set) var log: UnsafeMutablePointer<NoteRing>?
    private(set) var keyLog: UnsafeMutablePointer<NoteRing>?
    private var dying = 0
    private let capacity: Int
    private let free: UnsafeMutablePointer<Int32>
    private var freeCount: Int
    private let generators: UnsafeMutablePointer<Double>
    private let nothing: UnsafeMutablePointer<Modulator>
    /// What voices of SFZ regions have besides, one for each voice; nil if there are none.
    let regions: UnsafeMutablePointer<RegionVoice>?

    /// Room for `polyphony` voices. Control side.
    init(polyphony: Int, hasRegions: Bool = false) {
        self.polyphony = polyphony
        capacity = polyphony + Self.spare
        let room = 2 * Generator.count
        generators = owned.make(capacity * room, of: 0)
        nothing = owned.make(1, of: Modulator(.pan, .constant, amount: 0))
        voices = owned.room(for: capacity)
        regions = hasRegions ? owned.room(for: capacity) : nil
        order = owned.make(capacity, of: 0)
        free = owned.room(for: capacity)
        freeCount = capacity
        for index in 0..<capacity {
            (voices + index).initialize(
                to: Voice(generators: generators + index * room, UnsafeRawPointer(generators), UnsafePointer(nothing)))
            (free + index).initialize(to: Int32(capacity - 1 - index))
        }
    }

    mutating func keep(_ log: NoteLog?, _ feed: SampleFeed?, share: Int) {
        (keptFeed, reader) = (feed, feed?.readers[share])
        keptLog = log
        self.log = log?.rings[share]
        keyLog = share == 0 ? self.log : nil
    }

    /// Gives a voice the stream of its sample, or none.
    @_noLocks func stream(_ voice: UnsafeMutablePointer<Voice>, _ sample: Int32, _ frames: UnsafePointer<StreamedFrames>?) {
        (voice.pointee.stream, voice.pointee.isPlain) = (nil, true)
        guard let reader, let frames else { return }
        let stream = reader.pointee.voices + (voice - voices)
        stream.pointee.begin(sample, frames, reader)
        (voice.pointee.stream, voice.pointee.isPlain) = (stream, false)
    }

    @_noLocks @inline(__always) func voice(_ place: Int) -> UnsafeMutablePointer<Voice> { voices + Int(order[place]) }

    /// Returns nil if no more can fade at once: with all busy, the least important one begins to. Not in the order before
    /// `enter`.
    @_noLocks mutating func take() -> UnsafeMutablePointer<Voice>? {
        if count &- dying >= polyphony { steal() }
        guard freeCount > 0 else { return nil }
        return voices + Int(free[freeCount &- 1])
    }

    @_noLocks mutating func enter(_ phase: Int) {
        freeCount &-= 1
        let index = free[freeCount]
        var place = count
        while place > rendered && voice(place &- 1).pointee.phase > phase {
            order[place] = order[place &- 1]
            place &-= 1
        }
        order[place] = index
        count &+= 1
    }

    @_noLocks mutating func sweep() {
        var kept = 0
        var keptRendered = 0
        dying = 0
        for place in 0..<count {
            let index = order[place]
            if voices[Int(index)].isSounding {
                order[kept] = index
                kept &+= 1
                if place < rendered { keptRendered &+= 1 }
                if voices[Int(index)].isDying { dying &+= 1 }
            } else {
                log?.pointee.writeLevel(voices[Int(index)].note, place: Int(index))
                free[freeCount] = index
                freeCount &+= 1
            }
        }
        count = kept
        rendered = keptRendered
    }

    @_noLocks mutating func clear() {
        for place in 0..<count {
            log(.ended, voice(place).pointee.note)
            voice(place).pointee.hold = .off
        }
        sweep()
        stolen = 0
    }

    /// Released before held by a pedal before held by a key, the quiet before the loud, the old before the young.
    @_noLocks private mutating func steal() {
        var worst = -1
        var least = UInt64.max
        for place in 0..<count {
            let voice = voice(place)
            if voice.pointee.isDying || !voice.pointee.isSounding { continue }
            let importance = Self.importance(voice)
            if importance < least {
                least = importance
                worst = place
            }
        }
        if worst < 0 { return }
        voice(worst).pointee.isDying = true
        log(.stolen, voice(worst).pointee.note)
        dying &+= 1
        stolen &+= 1
    }

    @_noLocks mutating func countLost() { stolen &+= 1 }

    /// Whole numbers, so that no rounding decides. A voice that has not sounded yet counts as loud.
    @_noLocks private static func importance(_ voice: UnsafePointer<Voice>) -> UInt64 {
        let state: UInt64 = voice.pointee.isReleased ? 0 : voice.pointee.isPedalled ? 1 : 2
        let gain = voice.pointee.age < 2_048 ? 1 : min(abs(voice.pointee.gain), 1)
        let level = UInt64(Float(gain).bitPattern &>> 20)
        return state &<< 60 | level &<< 44 | voice.pointee.note & 0xFFF_FFFF_FFFF
    }

    /// Marks a voice as released, by its key, a pedal, or another note; its envelopes are the caller's.
    @_noLocks func markReleased(_ voice: UnsafeMutablePointer<Voice>) {
        if !voice.pointee.isReleased { log(.released, voice.pointee.note) }
        voice.pointee.isReleased = true
        voice.pointee.hold = .key
    }

    /// Ends the notes of a key at once.
    @_noLocks mutating func cut(_ channel: Int, _ key: UInt8) {
        for place in 0..<count where voice(place).pointee.channel == channel && voice(place).pointee.key == key {
            if voice(place).pointee.isDying || !voice(place).pointee.isSounding { continue }
            if !voice(place).pointee.isReleased { log(.released, voice(place).pointee.note) }
            voice(place).pointee.isDying = true
            dying &+= 1
        }
    }

    @_noLocks mutating func fadeReleased() {
        for place in 0..<count where voice(place).pointee.isReleased && !voice(place).pointee.isDying {
            voice(place).pointee.isDying = true
            dying &+= 1
        }
    }
}
