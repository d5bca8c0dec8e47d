import Carillon
import Testing

@testable import EngineCore
@testable import SongRendering

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
            let table = LabelText.table([label(pitch)], sampleRate: 48_000, frames: 48_000)
            #expect(table == "0.000000000\t1.000000000\t\(six)\n")
        }
    }

    @Test func aRowHasWhatIsKnown() {
        let rows = LabelText.rows([label(nil, keyUp: nil), label(220.5, onset: 12_345_678_901)])
        #expect(
            rows == """
                {"onset":0,"keyUp":null,"release":null,"end":null,"pitch":null,"level":null,"key":60,"soundingKey":null,\
                "velocity":1,"channel":17,"track":2,"stem":null,"outcome":"played"},
                {"onset":12345678901,"keyUp":48000,"release":null,"end":null,"pitch":220.5,"level":null,"key":60,\
                "soundingKey":null,"velocity":1,"channel":17,"track":2,"stem":null,"outcome":"played"}
                """)
        #expect(LabelText.rows([] as [NoteLabel]) == "")
        for (level, digits) in [(-0.004, "0"), (-12.346, "-12.35"), (-90, "-90"), (3.5, "3.5"), (-0.1, "-0.1")] {
            var note = label(440)
            (note.level, note.soundingKey) = (level, 63)
            let row = LabelText.rows([note])
            #expect(row.contains("\"level\":\(digits),\"key\":60,\"soundingKey\":63,"), "\(row)")
        }
    }

    /// The release; else the end of the sound, or of the key where nothing more is known; else that of the audio. Nothing without
    /// a length.
    @Test func intervalsAreWhatIsHeard() {
        func line(_ release: Int64?, _ end: Int64?, _ outcome: NoteLabel.Outcome = .played, pitch: Double? = 440) -> String {
            var note = label(pitch, onset: 100, keyUp: 4_410)
            (note.release, note.end, note.outcome) = (release, end, outcome)
            return LabelText.table([note], sampleRate: 44_100, frames: 44_100)
        }
        #expect(line(8_820, 9_000) == "0.002267574\t0.200000000\t440.0\n")
        #expect(line(nil, 22_050) == "0.002267574\t0.500000000\t440.0\n")
        #expect(line(nil, nil) == "0.002267574\t1.000000000\t440.0\n")
        #expect(line(nil, nil, .sent) == "0.002267574\t0.100000000\t440.0\n")
        #expect(line(100, 9_000) == "" && line(8_820, nil, pitch: nil) == "" && line(8_820, nil, .inaudible) == "")
    }

    @Test func bendsStandBesideThePitch() {
        var note = label(440, onset: 100)
        note.bends = [(200, 466.163_761_5), (300, 493.9), (400, 440)].map { NoteLabel.Bend(frame: $0, pitch: $1) }
        #expect(LabelText.rows([note]).contains("\"pitch\":440,\"bends\":[[200,466.1638],[300,493.9],[400,440]],\"level\""))
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
