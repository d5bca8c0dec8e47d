/// The accompaniment of an orchestral page, worked out from a chord for each bar of four quarters.
struct OrchestralPage {
    let meters: MeterPlan
    let chords: [(bass: Int, classes: [Int])]

    private var quarter: Int { SheetMusic.quarter }

    /// Every key of a bar's chord from `low` to `high`, upwards.
    private func keys(_ bar: Int, _ low: Int, _ high: Int) -> [Int] {
        (low...high).filter { chords[bar - 1].classes.contains($0 % 12) }
    }

    /// The top `voices` keys of the chord: a section that holds it for the bar, tied to the next where the chord stays.
    func held(_ bars: ClosedRange<Int>, low: Int, high: Int, voices: Int, velocity: Int) -> [ScoreNote] {
        bars.flatMap { bar in
            keys(bar, low, high).suffix(voices).map {
                ScoreNote(start: meters.start(ofBar: bar), length: 4 * quarter, key: $0, velocity: velocity)
            }
        }
    }

    /// The top `voices` keys of the chord struck in the rhythm quarter, two eighths, quarter, quarter.
    func pulses(_ bars: ClosedRange<Int>, low: Int, high: Int, voices: Int, velocity: Int) -> [ScoreNote] {
        bars.flatMap { bar in
            [(0, 2, 8), (2, 1, 0), (3, 1, -4), (4, 2, 4), (6, 2, 0)].flatMap { start, length, accent in
                keys(bar, low, high).suffix(voices).map {
                    ScoreNote(
                        start: meters.start(ofBar: bar) + start * quarter / 2, length: length * quarter / 2,
                        key: $0,
                        velocity: velocity + accent, articulation: length == 1 ? .staccato : .plain)
                }
            }
        }
    }

    func runs(_ bars: ClosedRange<Int>, low: Int, high: Int, velocity: Int) -> [ScoreNote] {
        bars.flatMap { bar in
            let ladder = keys(bar, low, high)
            let cycle = ladder + ladder.dropFirst().dropLast().reversed()
            return (0..<16).map { step in
                ScoreNote(
                    start: meters.start(ofBar: bar) + step * quarter / 4, length: quarter / 4,
                    key: cycle[step % cycle.count], velocity: velocity + (step % 4 == 0 ? 10 : 0) + step / 4)
            }
        }
    }

    /// Twelve desks in thirty-seconds: six keys and the six between them in turn, under the pedal.
    func tremolo(_ bars: ClosedRange<Int>) -> [ScoreNote] {
        bars.flatMap { bar in
            let desks = keys(bar, 55, 88).suffix(12)
            return (0..<32).flatMap { step in
                desks.enumerated().filter { $0.offset % 2 == step % 2 }.map {
                    ScoreNote(
                        start: meters.start(ofBar: bar) + step * quarter / 8, length: quarter / 8,
                        key: $0.element,
                        velocity: (bar < 13 ? 46 : bar < 29 ? 60 : 74) + (step % 8 == 0 ? 12 : 0))
                }
            }
        }
    }

    func roots(_ bars: ClosedRange<Int>, octave: Int, length: Int, velocity: Int) -> [ScoreNote] {
        bars.flatMap { bar in
            (0..<(4 * quarter / length)).map { step in
                ScoreNote(
                    start: meters.start(ofBar: bar) + step * length, length: length,
                    key: chords[bar - 1].bass + 12 * octave,
                    velocity: velocity + (step == 0 ? 10 : 0))
            }
        }
    }

    func arpeggios(_ bars: ClosedRange<Int>, velocity: Int) -> [ScoreNote] {
        bars.flatMap { bar in
            let ladder = keys(bar, 50, 86)
            return (0..<8).map { step in
                ScoreNote(
                    start: meters.start(ofBar: bar) + step * quarter / 2, length: quarter,
                    key: ladder[min(step < 5 ? step + 1 : 9 - step, ladder.count - 1)], velocity: velocity + step)
            }
        }
    }

    /// All strings of the harp, tuned to the chord's scale, swept up and down in one bar.
    func glissandos(_ bars: [Int]) -> [ScoreNote] {
        bars.flatMap { bar in
            let isMajor = chords[bar - 1].classes.contains(6)
            let scale =
                isMajor
                ? [2, 4, 6, 7, 9, 11, 1]
                : [2, 4, 5, 7, 9, 10, chords[bar - 1].classes.contains(1) ? 1 : 0]
            let strings = (24...103).filter { scale.contains($0 % 12) }
            let sweep = strings + strings.reversed().dropFirst().prefix(24)
            return sweep.enumerated().map { index, key in
                ScoreNote(
                    start: meters.start(ofBar: bar) + index * 4 * quarter / (sweep.count + 2),
                    length: quarter / 2, key: key,
                    velocity: 62 + min(index, strings.count) / 2)
            }
        }
    }

    /// Rolls that swell on the bars before the entries, strokes on the beats in between.
    func timpani() -> [ScoreNote] {
        (1...chords.count).flatMap { bar -> [ScoreNote] in
            let start = meters.start(ofBar: bar)
            let key = chords[bar - 1].bass + (chords[bar - 1].bass < 40 ? 12 : 0)
            if [3, 4, 12, 20, 27, 28, 35, 36].contains(bar) {
                return (0..<32).map {
                    ScoreNote(
                        start: start + $0 * quarter / 8, length: quarter / 8, key: key,
                        velocity: 48 + $0 * 2 + $0 % 2 * 4)
                }
            }
            guard bar >= 5 else { return [] }
            return [(0, 96), (4, 70), (6, 84)].map {
                ScoreNote(
                    start: start + $0.0 * quarter / 2, length: quarter, key: key,
                    velocity: $0.1 + (bar >= 29 ? 14 : 0))
            }
        }
    }

    /// Bass drum, snare roll, clashed cymbals, a tam-tam's stand-in at the end.
    func percussion() -> [ScoreNote] {
        (5...chords.count).flatMap { bar -> [ScoreNote] in
            let start = meters.start(ofBar: bar)
            var notes = [ScoreNote(start: start, length: quarter, key: 36, velocity: bar >= 29 ? 112 : 84)]
            if [5, 13, 21, 29, 31, 33, 35, 36].contains(bar) {
                notes += [49, 57].map {
                    ScoreNote(start: start, length: 4 * quarter, key: $0, velocity: bar >= 29 ? 104 : 76)
                }
            }
            if (13...28).contains(bar) {
                notes += [2, 6, 7].map {
                    ScoreNote(start: start + $0 * quarter / 2, length: quarter / 2, key: 38, velocity: 54 + bar)
                }
            }
            if [12, 20, 28, 35].contains(bar) {
                notes += (0..<32).map {
                    ScoreNote(start: start + $0 * quarter / 8, length: quarter / 8, key: 38, velocity: 30 + $0 * 2)
                }
            }
            if bar >= 29 {
                notes += [54, 81].map { ScoreNote(start: start, length: quarter, key: $0, velocity: 70) }
            }
            return notes
        }
    }
}
