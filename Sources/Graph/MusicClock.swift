// [render]
import MIDI
import RealtimeCore

/// Where the music stands at any time, after what was last said of it.
struct MusicClock: BitwiseCopyable {
    /// Quarter notes a minute, as fast as it is played.
    private(set) var tempo: Float = 120
    /// How much was said.
    private(set) var timesSaid: UInt32 = 0
    /// The place at `time`, in parts of a quarter note; below 0 while the music stands still.
    private var place: Double = -1
    private var time = SampleTime.zero

    /// Nothing was said yet.
    init() {}

    /// Takes in what takes effect at `time`, never before what was said last.
    @_noLocks mutating func follow(_ said: MusicalTime, at time: SampleTime, sampleRate: Double) {
        place = parts(at: time, sampleRate: sampleRate)
        self.time = time
        timesSaid &+= 1
        switch said {
        case .tempo(let tempo): if tempo > 0 { self.tempo = tempo }
        case .place(let place): self.place = Double(max(place, 0))
        case .stopped: place = -1
        }
    }

    /// The place at a time from the last that was said on; nil while the music stands still.
    @_noLocks func place(at time: SampleTime, sampleRate: Double) -> Int32? {
        let parts = parts(at: time, sampleRate: sampleRate)
        let round = MusicalTime.partsPerQuarter &* MusicalTime.quartersPerRound
        return parts < 0 ? nil : Int32(truncatingIfNeeded: Int64(parts + 0.5) % round)
    }

    @_noLocks private func parts(at time: SampleTime, sampleRate: Double) -> Double {
        if place < 0 { return -1 }
        let perFrame = Double(tempo) / 60 * Double(MusicalTime.partsPerQuarter) / sampleRate
        let parts = place + Double(time - self.time) * perFrame
        // What no song reaches.
        return parts < 1e15 ? parts : 0
    }
}
