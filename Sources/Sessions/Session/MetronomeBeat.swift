import MIDI
import RealtimeCore
import Sequencer

/// The metronome as MIDI's clock sees it: while no song plays, the clock follows its beat. Pure; control side.
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

    /// Starts or stops the metronome at `time`, with this tempo; nil means the tempo that it had. Each start is the beginning
    /// of the music; if it runs already, it goes on from its position.
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

    /// Takes over settings that were made by its parameters' names, to within a slice: they take effect with the next slice.
    /// Commands take effect at `soon` and are known here before.
    mutating func follow(isRunning: Bool, tempo: Double, now: SampleTime, soon: SampleTime) {
        let last = passages[passages.count - 1].start
        if now > last + 2 * (soon - now) { change(isRunning: isRunning, tempo: tempo, at: now) }
    }

    /// Returns the musical time at a moment after the last change, in bars of a meter, for units that follow a song.
    func musicalTime(at time: SampleTime, _ meter: Meter) -> [MusicalTime] {
        let quarters = passages[passages.count - 1].position(at: time) / Double(ClockMessage.pulsesPerQuarter)
        let parts = quarters * Double(MusicalTime.partsPerQuarter), frame = quarters * 60 / tempo * sampleRate
        let place = parts.truncatingRemainder(dividingBy: Double(MusicalTime.partsPerRound)).rounded()
        let start: [MusicalTime] = [.tempo(Float(tempo)), .meter(bar: 0, meter), .beat(0)]
        return start + (isRunning ? [.frame(Int32(clamping: Int64(frame.rounded()))), .place(Int32(place))] : [.stopped])
    }

    /// Returns when the next of so many beats of a meter begins after a time; nil while it does not run.
    func next(every count: Int, of meter: Meter, after time: SampleTime) -> SampleTime? {
        let pulses = 4 * Double(ClockMessage.pulsesPerQuarter) / Double(meter.denominator) * Double(count)
        let ahead = passages.clipped(from: time)
        for (index, passage) in ahead.enumerated() {
            guard passage.isCounted, let frames = passage.framesPerPulse else { continue }
            let place = passage.position(at: passage.start) / pulses
            // A passage that begins later may begin with it.
            let first = passage.start > time ? (place - 1e-9).rounded(.up) : (place + 1e-9).rounded(.down) + 1
            let found = passage.start + Int(((first - place) * pulses * frames - 1e-3).rounded(.up))
            if index + 1 == ahead.count || found < ahead[index + 1].start { return found }
        }
        return nil
    }

    /// Returns the passages of songs, with those of the metronome while the songs are paused.
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
