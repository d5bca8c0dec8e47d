import MIDI
import RealtimeCore
import Reports
import Sequencer
import Testing

/// A passage of a song: what sounds when, what the instruments are told before, and what cannot be.
@Suite struct SongPassageTests {
    /// Beats of 24 000 frames at 48 kHz, four a bar: a note on each, which lasts a beat; markers on bars.
    private func timeline(beats: Int64 = 16, tempos: [(beat: Int64, microseconds: UInt32)] = []) throws -> Timeline {
        var events = (0..<beats).flatMap { (beat: Int64) -> [SongEvent] in
            [
                SongEvent(tick: beat * 480, .message(MIDIMessage(status: 0x90, data1: UInt8(40 + beat), data2: 100))),
                SongEvent(tick: beat * 480 + 480, .message(MIDIMessage(status: 0x80, data1: UInt8(40 + beat), data2: 0))),
            ]
        }
        events += [(0, "Intro"), (4, "Verse"), (8, "Chorus"), (12, "Verse")].map { beat, name in
            SongEvent(tick: beat * 480, .text(SongText(.marker, name)))
        }
        events += tempos.map { SongEvent(tick: $0.beat * 480, .tempo(microsecondsPerQuarter: $0.microseconds)) }
        return try Timeline(
            Song(tracks: [Track(events: events.sorted { $0.tick < $1.tick }, endTick: beats * 480)]), sampleRate: 48_000)
    }

    private func passage(_ change: (inout SongPassage) -> Void) -> SongPassage {
        var passage = SongPassage()
        change(&passage)
        return passage
    }

    /// Keys that go down where they are heard, with the frame from the beginning.
    private func onsets(_ plan: SongPlan) -> [(frame: Int64, key: Int)] {
        var found: [(frame: Int64, key: Int)] = []
        for (index, stretch) in plan.stretches.enumerated() {
            let next = index + 1 < plan.stretches.count ? plan.stretches[index + 1].start.rawValue : plan.end
            for place in stretch.events {
                guard case .message(let message) = plan.events[place].event, message.beginsNote else { continue }
                let passed = stretch.rate.clockFrames(ofScore: max(plan.events[place].time.rawValue - stretch.position, 0))
                let frame = stretch.start.rawValue + passed
                if frame < next { found.append((frame - plan.start, Int(message.data1) - 40)) }
            }
        }
        return found
    }

    private func played(_ plan: SongPlan) -> [String] { onsets(plan).map { "\($0.frame / 24_000):\($0.key)" } }

    @Test func itIsPlayedFromOnePlaceToTheOther() throws {
        let timeline = try timeline()
        let places: [(TransportTarget?, TransportTarget?, Range<Int64>)] = [
            (.bar(2), .bar(3), 4..<8), (.seconds(1), .seconds(3.5), 2..<7), (.marker("Chorus"), .marker("verse"), 8..<12),
            (.marker("Verse"), .byBars(1), 4..<8), (.bar(3), .bySeconds(1), 8..<10), (.marker("Verse"), .byMarkers(1), 4..<8),
            (nil, .bar(2), 0..<4), (.bar(4), nil, 12..<16), (.marker("Intro"), .seconds(100), 0..<16),
        ]
        for (from, to, beats) in places {
            let plan = try SongPlan(timeline, passage { ($0.from, $0.to) = (from, to) })
            #expect(plan.part == beats.lowerBound * 24_000..<beats.upperBound * 24_000)
            #expect(plan.end - plan.start == plan.part.upperBound - plan.part.lowerBound)
            #expect(played(plan) == beats.enumerated().map { "\($0):\($1)" })
            #expect(plan.notes(before: plan.end) == beats.count && plan.notes(before: plan.start) == 0)
            #expect(plan.isWhole == (beats.count == 16))
            // At the end keys go up; at the song's own they do as it says itself.
            #expect(plan.stretches.last?.releases == (beats.upperBound < 16))
        }
    }

    @Test func tempoKeepsEveryOnset() throws {
        let timeline = try timeline(tempos: [(3, 333_333), (9, 700_001)]), whole = SongPlan(timeline, rounds: 1)
        for tempo in [0.5, 2, 0.8, 1.234567, 0.1, 10] {
            let rate = PlaybackRate(nearest: tempo)
            let plan = try SongPlan(timeline, passage { $0.tempo = tempo })
            let wanted = onsets(whole).map { rate.clockFrames(ofScore: $0.frame) }
            #expect(onsets(plan).map(\.frame) == wanted && wanted.count == 16)
            if tempo == 0.5 { #expect(wanted == onsets(whole).map { $0.frame * 2 }) }
            if tempo == 2 { #expect(wanted == onsets(whole).map { ($0.frame + 1) / 2 }) }
            // A passage has the frames of the clock that it has in the whole song.
            let part = try SongPlan(timeline, passage { ($0.tempo, $0.from) = (tempo, .bar(3)) })
            let first = rate.clockFrames(ofScore: part.part.lowerBound)
            #expect(part.start == first && onsets(part).map { $0.frame + first } == Array(wanted[8...]))
            #expect(part.end == plan.end)
        }
    }

    @Test func whatIsHeldIsStruckWhereThatIsAskedFor() throws {
        let timeline = try timeline(), middle = TransportTarget.seconds(1.25)
        #expect(played(try SongPlan(timeline, passage { $0.from = middle })).first == "0:3")
        let plan = try SongPlan(timeline, passage { ($0.from, $0.chasesNotes) = (middle, true) })
        #expect(played(plan).prefix(2) == ["0:2", "0:3"] && plan.notes(before: plan.start + 1) == 1)
        // On the frame on which one note ends and another begins nothing is held.
        let bar = try SongPlan(timeline, passage { ($0.from, $0.chasesNotes) = (.bar(2), true) })
        #expect(played(bar).prefix(2) == ["0:4", "1:5"])
    }

    @Test func loopsAreThoseOfThePassageOrOfTheSong() throws {
        let timeline = try timeline()
        let twice = try SongPlan(timeline, passage { ($0.from, $0.to, $0.loops) = (.bar(2), .bar(3), 2) })
        #expect(played(twice) == [4, 5, 6, 7, 4, 5, 6, 7].enumerated().map { "\($0):\($1)" })
        #expect(twice.end - twice.start == 8 * 24_000 && twice.stretches.last?.releases == true)
        // Behind a passage that ends and fades the song goes on.
        let fading = try SongPlan(timeline, passage { ($0.from, $0.to, $0.fade) = (.bar(2), .bar(3), 1) })
        #expect(played(fading) == [4, 5, 6, 7, 8, 9].enumerated().map { "\($0):\($1)" })
        #expect(fading.fade == fading.start + 96_000..<fading.start + 144_000 && fading.end == fading.start + 144_000)
        // Without an end it is what is left of the song.
        let rest = try SongPlan(timeline, passage { ($0.from, $0.loops, $0.tempo) = (.bar(4), 3, 2) })
        #expect(
            rest.end - rest.start == 3 * 2 * 24_000
                && onsets(rest).map(\.key) == [12, 13, 14, 15, 12, 13, 14, 15, 12, 13, 14, 15])
    }

    @Test func aLoopAloneIsHeardBehindWhatRingsOnInIt() throws {
        let timeline = try timeline()
        let plan = try SongPlan(timeline, passage { ($0.from, $0.to, $0.isLoop) = (.bar(2), .bar(3), true) })
        // Two seconds: it is played for half a minute before.
        #expect(plan.end - plan.start == 96_000 && plan.part == 96_000..<192_000 && plan.start == 96_000 + 15 * 96_000)
        #expect(onsets(plan).filter { $0.frame >= 0 }.map(\.key) == [4, 5, 6, 7] && plan.notes(before: plan.end) == 4)
        let whole = try SongPlan(timeline, passage { $0.isLoop = true })
        #expect(whole.part == 0..<384_000 && whole.end - whole.start == 384_000)
    }

    @Test func settingsAreThoseOfThePlace() throws {
        func set(_ beat: Int64, _ data: UInt8) -> SongEvent {
            SongEvent(tick: beat * 480, .message(MIDIMessage(status: 0xB0, data1: 7, data2: data)))
        }
        let timeline = try Timeline(
            Song(tracks: [Track(events: [set(0, 10), set(4, 50), set(8, 90)], endTick: 16 * 480)]), sampleRate: 48_000)
        let plan = try SongPlan(timeline, passage { $0.from = .bar(3) })
        func isVolume(_ event: MusicEvent, _ value: UInt8) -> Bool {
            event == .message(MIDIMessage(status: 0xB0, data1: 7, data2: value))
        }
        // What comes on the frame itself is an event; what came before is told a second before it is heard.
        #expect(
            plan.stretches[0].prologue.contains { isVolume($0, 50) } && !plan.stretches[0].prologue.contains { isVolume($0, 10) })
        #expect(plan.stretches[0].start.rawValue == plan.start - 48_000)
        #expect(
            plan.stretches[0].events.filter { !plan.events[$0].event.isTime }.map { plan.events[$0].time.rawValue } == [192_000])
    }

    @Test func whatTheSongDoesNotHaveIsSaid() throws {
        let timeline = try timeline()
        func error(_ from: TransportTarget?, _ to: TransportTarget?, in timeline: Timeline) -> Fault? {
            do {
                _ = try SongPlan(timeline, passage { ($0.from, $0.to) = (from, to) })
                return nil
            } catch { return error }
        }
        #expect(error(.marker("Coda"), nil, in: timeline) == .noMarker("Coda", known: ["Intro", "Verse", "Chorus", "Verse"]))
        #expect(error(.bar(5), nil, in: timeline) == .afterEnd(seconds: 8) && error(.seconds(9), nil, in: timeline) != nil)
        #expect(error(.bar(3), .bar(2), in: timeline) == .emptyPassage(from: 192_000, to: 96_000, sampleRate: 48_000))
        #expect(error(.marker("Chorus"), .marker("Intro"), in: timeline) != nil && error(nil, .seconds(0), in: timeline) != nil)
        let film = try Timeline(
            Song(division: .smpte(.pal, ticksPerFrame: 40), tracks: [Track(endTick: 10_000)]), sampleRate: 48_000)
        #expect(error(.bar(2), nil, in: film) == .noBars && error(.seconds(1), nil, in: film) == nil)
    }
}
