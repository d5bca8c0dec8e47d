import Testing

@testable import SongBook

@Suite struct NoteTextTests {
    let meters = MeterPlan([(2, 4, 4), (1, 3, 4)])

    @Test func `The nearest octave is meant, and marks move from there`() throws {
        let text = try NoteText("@c4 c4 g a e' | f, b bb f# |", meters: meters)
        #expect(text.notes.map(\.key) == [60, 55, 57, 64, 53, 59, 58, 54])
        #expect(text.end == 8 * SheetMusic.quarter)
    }

    @Test func `A chord's keys follow each other, and the next note follows its first`() throws {
        #expect(try NoteText("@c4 [c e g c]2 d", meters: meters).notes.map(\.key) == [60, 64, 67, 72, 62])
    }

    @Test func `Lengths hold on, dots add halves, ties join, tuplets share`() throws {
        let text = try NoteText("@c4 c4. d8~ d4 3:2( e8 f g ) | r2 c8.. d32 e4 |3", meters: meters)
        #expect(text.notes.map(\.length) == [720, 720, 160, 160, 160, 420, 60, 480])
        #expect(text.notes.map(\.start) == [0, 720, 1_440, 1_600, 1_760, 2_880, 3_300, 3_360])
    }

    @Test func `Dynamics, accents and hairpins become velocities`() throws {
        let notes = try NoteText("@c4 p: c4 c^ f: < c c | c c p: c2 |", meters: meters).notes
        #expect(notes.map(\.velocity) == [50, 66, 90, 80, 70, 60, 50])
        let marked = try NoteText("@c4 f: c4! c_ c2", meters: meters).notes
        #expect(marked.map(\.articulation) == [.staccato, .tenuto, .plain])
    }

    @Test func `Bar lines must be where the meters have them`() throws {
        #expect(throws: NoteTextError.barLine("|", atTick: 1_440, bar: nil)) {
            try NoteText("@c4 c4 d e |", meters: meters)
        }
        #expect(throws: NoteTextError.barLine("|3", atTick: 1_920, bar: 2)) {
            try NoteText("@c4 c1 |3", meters: meters)
        }
        #expect(try NoteText("@c4 c1 |2 c1 |3 c2. |4", meters: meters).end == meters.end)
    }

    @Test(arguments: [
        "c4", "@c4 h4", "@c4 c5", "@c4 c4?", "@c4 [c e", "@c4 c4~ d", "@c4 c4~", "@c4 3:2( c8 d e",
        "@h4 c4", "@c9 c'''",
    ])
    func `A mistake is an error that shows the word`(text: String) {
        #expect(throws: NoteTextError.self) { try NoteText(text, meters: meters) }
    }

    @Test func `Drum rows have as many steps as their bar`() throws {
        let steps = try StepText([(36, "x..o"), (38, ".Xg.")], count: 4, step: 120, from: 480, swing: 10)
        #expect(steps.notes.map(\.start) == [480, 850, 610, 720])
        #expect(steps.notes.map(\.velocity) == [94, 66, 116, 34])
        #expect(throws: NoteTextError.steps("x..", wanted: 4)) {
            try StepText([(36, "x..")], count: 4, step: 120, from: 0)
        }
        #expect(throws: NoteTextError.self) { try StepText([(36, "x.?.")], count: 4, step: 120, from: 0) }
    }

    @Test func `Bars begin where the meters put them`() {
        let plan = MeterPlan([(2, 7, 8), (1, 3, 4)], upbeat: 480)
        #expect((1...4).map(plan.start(ofBar:)) == [480, 2_160, 3_840, 5_280])
        #expect(plan.bar(beginningAt: 3_840) == 3)
        #expect(plan.bar(beginningAt: 0) == nil)
        #expect(plan.barCount == 3)
        #expect(plan.changes.map(\.tick) == [0, 480, 3_840])
    }

    @Test func `A tempo plan tells the time`() {
        var tempo = TempoPlan(120)
        tempo.change(to: 60, at: 960)
        #expect(tempo.seconds(atTick: 1_440) == 2)
        tempo.glide(to: 120, from: 960, until: 1_920)
        #expect(tempo.changes.map(\.tick) == [0, 960, 1_200, 1_440, 1_680])
        #expect(tempo.changes.last?.microsecondsPerQuarter == 500_000)
    }

    @Test func `The same seed plays the same, and no key is struck while it is held`() {
        let notes = (0..<64).map { ScoreNote(start: $0 * 100, length: 400, key: 60 + $0 % 3, velocity: 80) }
        let touch = Touch(gate: 110, timing: 8, force: 6, seed: 5)
        let played = touch.perform(notes)
        #expect(played == touch.perform(notes.reversed()))
        #expect(played != Touch(gate: 110, timing: 8, force: 6, seed: 6).perform(notes))
        for key in 60...62 {
            let line = played.filter { $0.key == key }
            #expect(zip(line, line.dropFirst()).allSatisfy { $0.start + $0.length < $1.start })
        }
        #expect(zip(played, notes).allSatisfy { abs($0.start - $1.start) <= 8 && abs($0.velocity - $1.velocity) <= 6 })
    }
}
