import Sequencer

/// A drum kit alone: sixteen bars of funk with ghost notes, fills, and a hi-hat that is stopped by hand and foot.
enum DrumGroove {
    private static let kick = 36, stick = 37, snare = 38, closed = 42, foot = 44, open = 46
    private static let lowTom = 43, middleTom = 47, highTom = 50, crash = 49, ride = 51, bell = 53, splash = 55

    static func score() throws(NoteTextError) -> SheetMusic {
        let meters = MeterPlan([(18, 4, 4)])
        var notes: [ScoreNote] = []
        for bar in 1...18 {
            notes += try StepText(
                rows(ofBar: bar), count: 16, step: SheetMusic.quarter / 4,
                from: meters.start(ofBar: bar), swing: 14
            ).notes
        }
        var tempo = TempoPlan(104)
        tempo.change(to: 92, at: meters.start(ofBar: 18))
        return SheetMusic(
            title: "Drum groove", meters: meters, tempo: tempo, key: KeySignature(sharps: 0, isMinor: false),
            markers: [(0, "Count"), (meters.start(ofBar: 2), "Hi-hat"), (meters.start(ofBar: 10), "Ride")],
            parts: [
                Part(
                    "Drums", channel: 9, program: 0, volume: 112, reverb: 24,
                    touch: Touch(gate: 90, timing: 3, force: 7, seed: 104), notes: notes)
            ],
            end: meters.end)
    }

    private static func rows(ofBar bar: Int) -> [(key: Int, steps: String)] {
        switch bar {
        case 1:
            [(stick, "x... x... x... x..."), (kick, ".... .... .... ..x."), (foot, "o... o... o... o...")]
        case 2, 4, 6, 8:
            [
                (closed, "x.o. x.o. x.o. x.o."), (snare, ".... X..g .g.. X..g"), (kick, "x..x .... ..x. .x.."),
                (crash, bar == 2 || bar == 6 ? "X... .... .... ...." : ".... .... .... ...."),
            ]
        case 3, 7:
            // The open hat of the last beat is stopped by the foot on the next bar's first.
            [
                (closed, "x.o. x.o. x.o. x..."), (open, ".... .... .... ..X."), (snare, ".g.. X..g .g.g X..."),
                (kick, "x.x. .... x.x. ...."),
            ]
        case 5:
            [
                (closed, "xooo xooo .... ...."), (kick, "x... ..x. x... x..."), (snare, ".... X.gg X.xx ...."),
                (highTom, ".... .... .x.. x..."), (middleTom, ".... .... .... .xx."), (lowTom, ".... .... .... ...X"),
            ]
        case 9:
            [
                (snare, "oxxx .... X.g. X.XX"), (highTom, ".... xxx. .... ...."), (lowTom, ".... ...x .xx. ...."),
                (kick, "x... x... x... x..."), (foot, "o... o... o... o..."),
            ]
        case 10, 12, 14, 16:
            [
                (ride, "x.ox x.ox x.ox x.ox"), (bell, ".... X... .... X..."), (snare, ".g.. X.g. .g.g X..g"),
                (kick, "x.x. ...x ..x. .x.."), (foot, ".... o... .... o..."),
                (crash, bar == 10 || bar == 14 ? "X... .... .... ...." : ".... .... .... ...."),
            ]
        case 11, 15:
            [
                (ride, "x.ox x.ox x.o. ...."), (snare, ".g.g X.g. .g.x .x.."), (kick, "x..x ..x. x... x..."),
                (open, ".... .... .... X..."), (foot, ".... o... .... ..x."), (stick, ".... .... .... ...o"),
            ]
        case 13:
            [
                (ride, "x.ox x.ox .... ...."), (snare, ".g.. X.g. xxxx ...."), (highTom, ".... .... .... xx.."),
                (lowTom, ".... .... .... ..xX"), (kick, "x.x. ...x x... x..."),
            ]
        case 17:
            [
                (snare, "xgxg xoxo xxxx XXXX"), (kick, "x... x... x.x. x.x."), (foot, "x... x... x... x..."),
                (splash, ".... .... X... ...."), (lowTom, ".... .... .x.x .x.X"),
            ]
        default:
            [
                (crash, "X... .... .... ...."), (kick, "X... .... .... ...."), (open, "x... .... .... ...."),
                (foot, ".... .... x... ...."),
            ]
        }
    }
}
