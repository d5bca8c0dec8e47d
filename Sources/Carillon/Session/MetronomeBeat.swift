import MIDI
import RealtimeCore
import Sequencer

/// The metronome as MIDI's clock knows it: where no song plays, the clock beats with it. Pure; control side.
struct MetronomeBeat {
    /// The tempo of a session in which nothing else has one, in quarter notes a minute.
    static let usualTempo = 120.0

    private(set) var passages: [ClockPassage]
    private(set) var isRunning = false
    private(set) var tempo = MetronomeBeat.usualTempo
    private let sampleRate: Double

    init(sampleRate: Int) {
        self.sampleRate = Double(sampleRate)
        passages = [ClockPassage(start: .zero, tempo: tempo, sampleRate: self.sampleRate, isCounted: false)]
    }

    /// Lets the metronome run or not from `time` on, at this tempo; nil: at the one it had. Each start is the beginning of the
    /// music; where it runs already it goes on from where it stands.
    mutating func change(isRunning: Bool, tempo: Double?, at time: SampleTime) {
        // As its parameter has it.
        let new = tempo.map { Double(Float($0)) } ?? self.tempo
        if isRunning == self.isRunning, new == self.tempo { return }
        let position = isRunning && self.isRunning ? passages[passages.count - 1].position(at: time) : 0
        passages.removeAll { $0.start >= time }
        passages.append(
            ClockPassage(start: time, tempo: new, sampleRate: sampleRate, position: position, isCounted: isRunning))
        (self.isRunning, self.tempo) = (isRunning, new)
        // A second of the past stays known.
        if let old = passages.lastIndex(where: { $0.start + Int(sampleRate) <= time }) { passages.removeFirst(old) }
    }

    /// Takes over what a setting by its parameters' names has made of it, near enough: that takes effect with the next slice.
    /// What was commanded takes effect `soon` and is known here before.
    mutating func follow(isRunning: Bool, tempo: Double, now: SampleTime, soon: SampleTime) {
        let last = passages[passages.count - 1].start
        if now > last + 2 * (soon - now) { change(isRunning: isRunning, tempo: tempo, at: now) }
    }

    /// Returns what units that follow a song are told of a moment from the last change on, in bars of a meter.
    func musicalTime(at time: SampleTime, _ meter: Meter) -> [MusicalTime] {
        let quarters = passages[passages.count - 1].position(at: time) / Double(ClockMessage.pulsesPerQuarter)
        let parts = quarters * Double(MusicalTime.partsPerQuarter), frame = quarters * 60 / tempo * sampleRate
        let place = parts.truncatingRemainder(dividingBy: Double(MusicalTime.partsPerRound)).rounded()
        let start: [MusicalTime] = [.tempo(Float(tempo)), .meter(bar: 0, meter), .beat(0)]
        return start + (isRunning ? [.frame(Int32(clamping: Int64(frame.rounded()))), .place(Int32(place))] : [.stopped])
    }

    /// The passages of songs, and the metronome where these stand still.
    func filling(_ songs: [ClockPassage]) -> [ClockPassage] {
        if songs.isEmpty { return passages }
        return songs.enumerated().flatMap { index, passage in
            if passage.isCounted { return [passage] }
            let end = index + 1 < songs.count ? songs[index + 1].start : nil
            let own = passages.clipped(from: passage.start, to: end)
            // While it is silent the tempo of the song stays.
            return own.contains(where: \.isCounted) ? own : [passage]
        }
    }
}
