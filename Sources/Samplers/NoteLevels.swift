// [render]
import CRealtime
import RealtimeCore
import Synchronization

/// The peaks of a share's notes: of either side of the sum of each note's voices, which follow each other in the order.
///
/// The peaks so far of the notes that sound are in words that the control side may read at any time; those of notes whose
/// voices are over go into the ring. If several shares have voices of a note, the control side adds its periods up.
struct NoteLevels: ~Copyable {
    private var owned = OwnedMemory()
    /// Two words for each voice, left and right: the note whose first voice it is, and the bits of its peak.
    private let words: UnsafeMutablePointer<Atomic<UInt64>>
    private let voices: Int
    /// The sum of a note's voices in this period: 64 frames left, 64 right.
    private let sum: UnsafeMutablePointer<Float>
    private var note: UInt32 = 0
    private var place = 0
    /// The frame at which its period begins, if other shares have voices of it.
    private var splitFrame: Int64?
    /// The frame from which on nothing is measured: it is not heard.
    var end = Int64.max
    /// Factors from a sample of a voice to one of the output's sides.
    var scale = SIMD2<Float>(repeating: 0)
    let split: SplitPeriods

    /// Control side. `frames`: the most of a slice.
    init(shares: Int, voices: Int, frames: Int) {
        self.voices = voices
        words = owned.room(for: 2 * voices)
        for index in 0..<2 * voices { (words + index).initialize(to: Atomic(0)) }
        sum = owned.make(128, of: 0)
        split = SplitPeriods(room: shares > 1 ? max(voices * (frames / 64 + 2), 1_024) : 1)
    }

    deinit { words.deinitialize(count: 2 * voices) }

    /// Calls `body` with each note that sounds and its peak so far. Any thread.
    func forEach(_ body: (_ note: UInt32, _ peak: SIMD2<Float>) -> Void) {
        for place in 0..<voices {
            for side in 0..<2 {
                let (note, peak) = Self.parts(words[2 * place + side].load(ordering: .relaxed))
                var peaks = SIMD2<Float>(repeating: 0)
                peaks[side] = peak
                if note > 0 { body(note, peaks) }
            }
        }
    }

    /// Adds a period of a voice, from frame `frame` on, to its note's. False if an earlier period found no room.
    @_noLocks mutating func add(
        _ voice: UnsafePointer<Voice>, _ samples: UnsafePointer<Float>, place: Int, frame: Int64, _ kernels: VoiceKernels
    ) -> Bool {
        if frame >= end { return true }
        let note = UInt32(truncatingIfNeeded: voice.pointee.note)
        var hasRoom = true
        if note != self.note {
            hasRoom = finish()
            (self.note, self.place) = (note, place)
            splitFrame = voice.pointee.isSplit ? frame : nil
        }
        let left = voice.pointee.leftNow, right = voice.pointee.rightNow
        kernels.pan(
            samples, sum, sum + 64, Float(left), Float((voice.pointee.left - left) / 64), Float(right),
            Float((voice.pointee.right - right) / 64))
        return hasRoom
    }

    /// Ends the period of the note that is added up. False if it found no room.
    @_noLocks mutating func finish() -> Bool {
        if note == 0 { return true }
        var hasRoom = true
        if let splitFrame {
            rt_scale(sum, sum, scale.x, 64)
            rt_scale(sum + 64, sum + 64, scale.y, 64)
            hasRoom = split.push(splitFrame, note, sum)
        } else {
            raise(2 &* place, rt_peak(sum, 64) * scale.x)
            raise(2 &* place &+ 1, rt_peak(sum + 64, 64) * scale.y)
        }
        rt_zero(sum, 128)
        note = 0
        return hasRoom
    }

    @_noLocks private func raise(_ index: Int, _ peak: Float) {
        let (former, highest) = Self.parts(words[index].load(ordering: .relaxed))
        if former == note && highest >= peak { return }
        words[index].store(UInt64(note) &<< 32 | UInt64(peak.bitPattern), ordering: .relaxed)
    }

    /// Takes the peak of a voice; 0 if another voice of the note has it.
    @_noLocks func take(place: Int) -> SIMD2<Float> {
        let left = Self.parts(words[2 &* place].load(ordering: .relaxed)).peak
        let right = Self.parts(words[2 &* place &+ 1].load(ordering: .relaxed)).peak
        words[2 &* place].store(0, ordering: .relaxed)
        words[2 &* place &+ 1].store(0, ordering: .relaxed)
        return SIMD2(left, right)
    }

    @_noLocks private static func parts(_ word: UInt64) -> (note: UInt32, peak: Float) {
        (UInt32(truncatingIfNeeded: word &>> 32), Float(bitPattern: UInt32(truncatingIfNeeded: word)))
    }
}
