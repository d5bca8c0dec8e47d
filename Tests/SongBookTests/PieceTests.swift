import MIDI
import Sequencer
import Testing

@testable import SongBook

@Suite struct PieceTests {
    // MARK: Bach

    @Test func `The prelude's half bars play its five notes in Bach's order`() throws {
        let notes = try BachPreludeAndFugue.score().parts[0].notes
        #expect(BachPreludeAndFugue.preludeChords.count == 32)
        for (bar, chord) in BachPreludeAndFugue.preludeChords.enumerated() {
            #expect(chord == chord.sorted())
            for half in 0..<2 {
                let start = (bar * 2 + half) * 960
                let inHalf = notes.filter { $0.start >= start && $0.start < start + 960 }.sorted { $0.start < $1.start }
                #expect(inHalf.map(\.start) == (0..<8).map { start + $0 * 120 }, "bar \(bar + 1)")
                #expect(inHalf.map(\.key) == [0, 1, 2, 3, 4, 2, 3, 4].map { chord[$0] }, "bar \(bar + 1)")
                #expect(inHalf.map(\.length) == [960, 840] + Array(repeating: 120, count: 6), "bar \(bar + 1)")
            }
        }
        let close = notes.filter { $0.start >= 32 * 1_920 }
        let figure = close.filter { $0.start < 33 * 1_920 && $0.length == 120 }
        #expect(figure.map(\.key) == [53, 57, 60, 65, 60, 57, 60, 57, 53, 57, 53, 50, 53, 50])
        #expect(close.filter { $0.start == 34 * 1_920 }.map(\.key).sorted() == [36, 48, 64, 67, 72])
    }

    @Test func `The fugue's subject enters in every voice, beginning with the alto`() throws {
        let score = try BachPreludeAndFugue.score()
        var entries: [(tick: Int, voice: String)] = []
        for part in score.parts.dropFirst() {
            let line = part.notes.sorted { ($0.start, $0.key) < ($1.start, $1.key) }
            for first in 0..<(line.count - 7) {
                let head = Array(line[first..<first + 8])
                let gaps = zip(head, head.dropFirst()).map { $1.start - $0.start }
                let signs = zip(head, head.dropFirst()).map { ($1.key - $0.key).signum() }
                guard gaps == [240, 240, 240, 360, 60, 60, 240], signs == [1, 1, 1, 1, -1, -1, 1] else { continue }
                entries.append((head[0].start, part.name))
            }
        }
        entries.sort { $0.tick < $1.tick }
        // Source: the order of the exposition, as every analysis of the fugue gives it.
        #expect(entries.prefix(4).map(\.voice) == ["Alto", "Soprano", "Tenor", "Bass"])
        #expect(entries.count >= 20)
        #expect(Set(entries.map(\.voice)).count == 4)
    }

    @Test func `Every voice of the fugue moves alone and sings to the last bar`() throws {
        let score = try BachPreludeAndFugue.score()
        for part in score.parts.dropFirst() {
            let line = part.notes.sorted { $0.start < $1.start }
            let close = score.end - 1_920
            #expect(line.filter { $0.start < close }.isMonophonic, "\(part.name)")
            #expect(line.contains { $0.start + $0.length == score.end }, "\(part.name)")
        }
    }

    // MARK: Canon and groove

    @Test func `Each canon voice plays the first one's melody, two bars later`() throws {
        let score = try Canon.score()
        let close = Canon.statements * Canon.delay
        let leader = score.parts[0].notes.filter { $0.start < close }
        #expect(leader.count > 200 && leader.isMonophonic)
        #expect(Set(score.parts.map(\.channel)).count == 8)
        #expect(Set(score.parts.map(\.program)).count == 8 && Set(score.parts.map(\.pan)).count == 8)
        for index in 1..<Canon.voices {
            let voice = score.parts[index].notes.filter { $0.start < close }
            let delayed = leader.map { $0.shifted(ticks: index * Canon.delay, keys: Canon.stage[index].keys) }
            #expect(voice == delayed.filter { $0.start < close }, "\(score.parts[index].name)")
            #expect(voice.first?.start == (1 + index) * Canon.delay)
        }
    }

    @Test func `The ground repeats under the canon to its end`() throws {
        let ground = try Canon.score().parts[6].notes
        #expect(ground.count == 8 * Canon.statements + 1)
        #expect(
            ground.dropLast().enumerated().allSatisfy {
                $0.element.key == [50, 45, 47, 42, 43, 38, 43, 45][$0.offset % 8]
            })
    }

    @Test func `The groove opens its hi-hat and stops it, and ghosts its snare`() throws {
        let notes = try DrumGroove.score().parts[0].notes
        for key in [36, 38, 42, 44, 46, 49, 51, 53] { #expect(notes.contains { $0.key == key }, "key \(key)") }
        #expect(notes.filter { $0.key == 38 && $0.velocity < 40 }.count >= 20)
        let hats = notes.filter { [42, 44, 46].contains($0.key) }.sorted { $0.start < $1.start }
        let stopped = zip(hats, hats.dropFirst()).filter { $0.key == 46 && $1.key != 46 && $1.start - $0.start <= 960 }
        #expect(stopped.count >= 4)
    }

    // MARK: Orchestra, tempos, gestures

    @Test func `The orchestra fills sixteen channels and holds more than a hundred keys`() throws {
        let score = try SeaWall.score()
        #expect(Set(score.parts.map(\.channel)) == Set(0..<16))
        var changes: [(tick: Int, change: Int)] = []
        for part in score.parts {
            let pedal = zip(
                part.gestures.filter { $0.action == .controller(64, 127) },
                part.gestures.filter { $0.action == .controller(64, 0) }
            ).map { ($0.tick, $1.tick) }
            // By key, the spans in which it sounds: to its end, or until the pedal that catches it comes up.
            var held = [[(start: Int, end: Int)]](repeating: [], count: 128)
            for note in part.touch.perform(part.notes) {
                let end = note.start + note.length
                let until = pedal.first { $0.0 < end && $0.1 > end }.map(\.1) ?? end
                var spans = held[note.key]
                if let last = spans.last, last.end > note.start {
                    spans[spans.count - 1].end = max(last.end, until)
                } else {
                    spans.append((note.start, until))
                }
                held[note.key] = spans
            }
            for span in held.joined() { changes += [(span.start, 1), (span.end, -1)] }
        }
        changes.sort { ($0.tick, $0.change) < ($1.tick, $1.change) }
        var keys = 0
        var most = 0
        for change in changes {
            keys += change.change
            most = max(most, keys)
        }
        #expect(most > 100)
        #expect((45...90).contains(score.duration))
    }

    @Test func `The crooked mile changes meter six times and tempo at every step`() throws {
        let score = try CrookedMile.score()
        #expect(
            score.meters.changes.map { "\($0.meter.numerator)/\($0.meter.denominator)" }
                == ["7/8", "5/8", "3/4", "11/8", "7/8", "2/4", "4/4"])
        #expect(score.tempo.changes.count > 60)
        let quarters = score.tempo.changes.map { 60_000_000 / $0.microsecondsPerQuarter }
        #expect(quarters.min()! < 60 && quarters.max()! > 200)
    }

    @Test func `The bridge bends, glides and pedals, and lets go of everything`() throws {
        let score = try GlassBridge.score()
        let gestures = score.parts.flatMap(\.gestures)
        for controller in [1, 5, 6, 11, 64, 65, 66, 67, 100, 101] {
            #expect(
                gestures.contains {
                    if case .controller(controller, _) = $0.action { true } else { false }
                }, "CC \(controller)")
        }
        #expect(gestures.contains { if case .channelPressure(let value) = $0.action { value > 90 } else { false } })
        for part in score.parts {
            for pedal in [64, 65, 66, 67] {
                let last = part.gestures.last { if case .controller(pedal, _) = $0.action { true } else { false } }
                #expect(last == nil || last?.action == .controller(pedal, 0), "\(part.name), pedal \(pedal)")
            }
            #expect(zip(part.gestures, part.gestures.dropFirst()).allSatisfy { $0.tick <= $1.tick })
        }
        let bends = gestures.compactMap { if case .bend(let value) = $0.action { value } else { nil } }
        #expect(bends.min() == -8_192 && bends.max() == 8_191)
    }

    // MARK: Chime, song, tour

    @Test func `The chime rings the changes of the hour, then the hour`() throws {
        let score = try HourChime.score()
        let e = 64, fSharp = 66, gSharp = 68, b = 59
        #expect(
            score.parts[0].notes.map(\.key)
                == [e, gSharp, fSharp, b, e, fSharp, gSharp, e, gSharp, e, fSharp, b, b, fSharp, gSharp, e])
        #expect(score.parts[2].notes.map(\.key) == Array(repeating: 52, count: HourChime.hour))
        #expect(score.duration < 30)
    }

    @Test func `Gymnopédie has a pedal and a bass note in every bar`() throws {
        let score = try Gymnopedie.score()
        #expect(score.meters.barCount == 78)
        #expect(score.parts[0].gestures.count == 156)
        for bar in 1...78 {
            let start = score.meters.start(ofBar: bar)
            let bass = score.parts[0].notes.filter { $0.start == start }.map(\.key).min()
            #expect(bass.map { (33...45).contains($0) } == true, "bar \(bar)")
        }
    }

    @Test func `The words of the song are Burns's, each on a note of the tune`() throws {
        let part = try AuldLangSyne.score().parts[0]
        let text = part.lyrics.map(\.syllable).joined().split(separator: "\r")
        #expect(text.first == "Should auld acquaintance be forgot, and")
        #expect(text.last == "for auld lang syne.")
        #expect(text.count == 8)
        let starts = Set(part.notes.map(\.start))
        #expect(part.lyrics.allSatisfy { starts.contains($0.tick) })
    }

    @Test func `Swing moves the second eighth to the last third of the beat`() {
        let notes = [0, 240, 480, 720].map { ScoreNote(start: $0, length: 240, key: 60, velocity: 80) }
        #expect(BlueLantern.swung(notes).map(\.start) == [0, 320, 480, 800])
        #expect(BlueLantern.swung(notes).map(\.length) == [320, 160, 320, 160])
    }

    @Test func `The tour visits every program, each with notes of its own, and every drum`() throws {
        let score = try ProgramTour.score()
        var visited: [Int] = []
        for part in score.parts where part.channel != 9 {
            let stops: [(tick: Int, program: Int)] = part.gestures.compactMap {
                if case .program(let number) = $0.action { ($0.tick, number) } else { nil }
            }
            for (index, stop) in stops.enumerated() {
                let end = index + 1 < stops.count ? stops[index + 1].tick : score.end
                let isHeard = part.notes.contains { $0.start >= stop.tick && $0.start < end }
                if isHeard { visited.append(stop.program) }
            }
        }
        #expect(visited.sorted() == Array(0..<128))
        let drums = score.parts.first { $0.channel == 9 }
        let struck = Set(drums.map { $0.notes.map(\.key) } ?? [])
        #expect((35...81).allSatisfy(struck.contains))
    }
}

extension [ScoreNote] {
    /// No note begins before the one before it has ended.
    var isMonophonic: Bool {
        zip(self, dropFirst()).allSatisfy { $0.start + $0.length <= $1.start }
    }
}
