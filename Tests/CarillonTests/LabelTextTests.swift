import Testing

@testable import Carillon

/// Rows of labels as text: the digits are those of the numbers.
@Suite struct LabelTextTests {
    /// A note that is heard.
    private func label(_ pitch: Double?, onset: Int64 = 0, keyUp: Int64? = 48_000) -> NoteLabel {
        var label = NoteLabel(track: 2, channel: 17, key: 60, velocity: 1)
        (label.pitch, label.onset, label.keyUp, label.outcome) = (pitch, onset, keyUp, .played)
        return label
    }

    private static let pitches: [Double] = {
        var pitches: [Double] = [
            0, 8.1757989, 440, 440.00004, 440.00006, 27.5, 0.1, 0.00012, 0.00001, 1e-9, 12_543.853_951, 1e9 + 0.5,
        ]
        for step in 0..<300 { pitches.append(8.175_798_915_643_707 * (1 + Double(step * step) * 0.017_3)) }
        return pitches
    }()

    @Test func pitchesHaveTheDigitsOfDouble() throws {
        for pitch in Self.pitches {
            let four = (pitch * 10_000).rounded() / 10_000, six = (pitch * 1_000_000).rounded() / 1_000_000
            let digits = Int64(exactly: four).map { "\($0)" } ?? "\(four)"
            #expect(LabelText.rows([label(pitch)]).contains("\"pitch\":\(digits),"), "\(pitch)")
            #expect(LabelText.table([label(pitch)], sampleRate: 48_000, frames: 9) == "0.000000000\t1.000000000\t\(six)\n")
        }
    }

    @Test func aRowHasWhatIsKnown() {
        let rows = LabelText.rows([label(nil, keyUp: nil), label(220.5, onset: 12_345_678_901)])
        #expect(
            rows == """
                {"onset":0,"keyUp":null,"release":null,"end":null,"pitch":null,"key":60,"velocity":1,"channel":17,"track":2,\
                "stem":null,"outcome":"played"},
                {"onset":12345678901,"keyUp":48000,"release":null,"end":null,"pitch":220.5,"key":60,"velocity":1,"channel":17,\
                "track":2,"stem":null,"outcome":"played"}
                """)
        #expect(LabelText.rows([] as [NoteLabel]) == "")
        // Nobody tells when the key went up: at the end of the audio; no interval is shorter than a frame.
        let table = LabelText.table(
            [label(220.5, keyUp: nil), label(440, onset: 4, keyUp: 4), label(nil)], sampleRate: 44_100, frames: 44_101)
        #expect(table == "0.000000000\t1.000022676\t220.5\n0.000090703\t0.000113379\t440.0\n")
    }

    @Test func bendsStandBesideThePitch() {
        var note = label(440, onset: 100)
        note.bends = [(200, 466.163_761_5), (300, 493.9), (400, 440)].map { NoteLabel.Bend(frame: $0, pitch: $1) }
        #expect(LabelText.rows([note]).contains("\"pitch\":440,\"bends\":[[200,466.1638],[300,493.9],[400,440]],\"key\""))
        // What is left out before the first frame is there with its last value.
        note.shift { max($0 - 300, 0) }
        #expect(note.onset == 0 && note.bends.map(\.frame) == [0, 100] && note.bends[0].pitch == 493.9)
    }

    @Test func messagesHaveTheirOwnWords() throws {
        let messages: [(status: UInt8, first: UInt8, second: UInt8)] = [
            (0xB0, 7, 100), (0xC1, 40, 0), (0xE2, 0, 64), (0xE2, 1, 0), (0xD3, 9, 0), (0xAF, 60, 5),
        ]
        let controls = messages.enumerated().map { index, message in
            SongEvent(
                tick: Int64(index), .message(MIDIMessage(status: message.status, data1: message.first, data2: message.second)))
        }
        let song = Song(tracks: [Track(events: controls, endTick: 1_000)])
        func rows(before frame: Int64, silencing silent: Set<Int> = []) throws -> String {
            let plan = SongPlan(try Timeline(song, sampleRate: 960), rounds: 1)
            return LabelText.rows(plan.controls(before: frame, silencing: silent))
        }
        let all = try rows(before: 1_000, silencing: [3])
        #expect(
            all == """
                {"frame":0,"channel":1,"controller":7,"value":100},
                {"frame":1,"channel":2,"program":40},
                {"frame":2,"channel":3,"bend":0},
                {"frame":3,"channel":3,"bend":-8191},
                {"frame":5,"channel":16,"key":60,"pressure":5}
                """)
        let first = try rows(before: 1)
        #expect(first == "{\"frame\":0,\"channel\":1,\"controller\":7,\"value\":100}")
    }
}
