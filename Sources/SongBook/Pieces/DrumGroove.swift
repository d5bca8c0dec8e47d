import Sequencer

/// A drum kit alone: sixteen bars of funk with ghost notes, three fills, a hi-hat that opens and is closed by hand and foot.
enum DrumGroove {
    private enum Drum {
        static let kick = 36, stick = 37, snare = 38, lowTom = 43, closed = 42, foot = 44, middleTom = 47, open = 46
        static let crash = 49, highTom = 50, ride = 51, bell = 53, splash = 55
    }

    static func score() throws(NoteTextError) -> Score {
        let meters = MeterPlan([(18, 4, 4)])
        var notes: [ScoreNote] = []
        for bar in 1...18 {
            notes += try StepText(rows(ofBar: bar), count: 16, step: Score.quarter / 4,
                                  from: meters.start(ofBar: bar), swing: 14).notes
        }
        var tempo = TempoPlan(104)
        tempo.change(to: 92, at: meters.start(ofBar: 18))
        return Score(title: "Drum groove", meters: meters, tempo: tempo, key: KeySignature(sharps: 0, isMinor: false),
                     markers: [(0, "Count"), (meters.start(ofBar: 2), "Hi-hat"), (meters.start(ofBar: 10), "Ride")],
                     parts: [Part("Drums", channel: 9, program: 0, volume: 112, reverb: 24,
                                  touch: Touch(gate: 90, timing: 3, force: 7, seed: 104), notes: notes)],
                     end: meters.end)
    }

    private static func rows(ofBar bar: Int) -> [(key: Int, steps: String)] {
        switch bar {
        case 1:
            [(Drum.stick, "x... x... x... x..."), (Drum.kick, ".... .... .... ..x."), (Drum.foot, "o... o... o... o...")]
        case 2, 4, 6, 8:
            [(Drum.closed, "x.o. x.o. x.o. x.o."), (Drum.snare, ".... X..g .g.. X..g"), (Drum.kick, "x..x .... ..x. .x.."),
             (Drum.crash, bar == 2 || bar == 6 ? "X... .... .... ...." : ".... .... .... ....")]
        case 3, 7:
            // The open hat of the last beat is stopped by the foot on the next bar's first.
            [(Drum.closed, "x.o. x.o. x.o. x..."), (Drum.open, ".... .... .... ..X."), (Drum.snare, ".g.. X..g .g.g X..."),
             (Drum.kick, "x.x. .... x.x. ....")]
        case 5:
            [(Drum.closed, "xooo xooo .... ...."), (Drum.kick, "x... ..x. x... x..."), (Drum.snare, ".... X.gg X.xx ...."),
             (Drum.highTom, ".... .... .x.. x..."), (Drum.middleTom, ".... .... .... .xx."), (Drum.lowTom, ".... .... .... ...X")]
        case 9:
            [(Drum.snare, "oxxx .... X.g. X.XX"), (Drum.highTom, ".... xxx. .... ...."), (Drum.lowTom, ".... ...x .xx. ...."),
             (Drum.kick, "x... x... x... x..."), (Drum.foot, "o... o... o... o...")]
        case 10, 12, 14, 16:
            [(Drum.ride, "x.ox x.ox x.ox x.ox"), (Drum.bell, ".... X... .... X..."), (Drum.snare, ".g.. X.g. .g.g X..g"),
             (Drum.kick, "x.x. ...x ..x. .x.."), (Drum.foot, ".... o... .... o..."),
             (Drum.crash, bar == 10 || bar == 14 ? "X... .... .... ...." : ".... .... .... ....")]
        case 11, 15:
            [(Drum.ride, "x.ox x.ox x.o. ...."), (Drum.snare, ".g.g X.g. .g.x .x.."), (Drum.kick, "x..x ..x. x... x..."),
             (Drum.open, ".... .... .... X..."), (Drum.foot, ".... o... .... ..x."), (Drum.stick, ".... .... .... ...o")]
        case 13:
            [(Drum.ride, "x.ox x.ox .... ...."), (Drum.snare, ".g.. X.g. xxxx ...."), (Drum.highTom, ".... .... .... xx.."),
             (Drum.lowTom, ".... .... .... ..xX"), (Drum.kick, "x.x. ...x x... x...")]
        case 17:
            [(Drum.snare, "xgxg xoxo xxxx XXXX"), (Drum.kick, "x... x... x.x. x.x."), (Drum.foot, "x... x... x... x..."),
             (Drum.splash, ".... .... X... ...."), (Drum.lowTom, ".... .... .x.x .x.X")]
        default:
            [(Drum.crash, "X... .... .... ...."), (Drum.kick, "X... .... .... ...."), (Drum.open, "x... .... .... ...."),
             (Drum.foot, ".... .... x... ....")]
        }
    }
}
