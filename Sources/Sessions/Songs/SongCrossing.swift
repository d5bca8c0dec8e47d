import Glibc
import RealtimeCore

/// A cross-fade of two songs with equal power: the faders of both decks in steps, each a straight line in decibels.
struct SongCrossing {
    static let steps = 24

    /// The deck and the level of the song that ends, and of the one that begins.
    let from: (deck: Int, level: Double)
    var to: (deck: Int, level: Double)
    let start: SampleTime
    /// Frames, and frames in a second.
    let length: Int, sampleRate: Int
    private var step = 0

    init(from: (deck: Int, level: Double), to: (deck: Int, level: Double), at start: SampleTime, frames: Int, sampleRate: Int) {
        (self.from, self.to, self.start, self.length, self.sampleRate) = (from, to, start, frames, sampleRate)
    }

    var hasBegun: Bool { step > 0 }
    var isOver: Bool { step == Self.steps }
    /// Until when steps were sent.
    var reached: SampleTime { time(of: step) }

    private func time(of step: Int) -> SampleTime { start + length * step / Self.steps }

    /// The next step of both, if it begins before a time.
    mutating func next(before time: SampleTime) -> [SongLevels.Change]? {
        if isOver || self.time(of: step) >= time { return nil }
        let begin = self.time(of: step), share = Double(step + 1) / Double(Self.steps)
        let seconds = Double(self.time(of: step + 1) - begin) / Double(sampleRate)
        step += 1
        return [(from, cos(share * .pi / 2)), (to, sin(share * .pi / 2))].map { song, amplitude in
            // The cosine of a right angle is not quite 0.
            let decibels = amplitude < 1e-6 ? SongLevels.silence : song.level + 20 * log10(amplitude)
            return SongLevels.Change(deck: song.deck, time: begin, decibels: decibels, seconds: seconds)
        }
    }
}
