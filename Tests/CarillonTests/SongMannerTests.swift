import Carillon
import MIDI
import RealtimeCore
import Sequencer
import Testing

/// Songs of a list that are played each in its own manner.
@Suite struct SongMannerTests {
    private func listed(_ notes: Int, key: UInt8, _ change: (inout SongManner) -> Void) -> SessionSong {
        var song = SessionInTime.listed(notes, key: key)
        change(&song.manner)
        return song
    }

    private var options: LiveOptions {
        var options = SessionInTime.options
        options.faderLevel = 0
        return options
    }

    /// The loudest sample of each tenth of a second that was heard.
    private func peaks(_ port: [Float]) -> [Float] {
        stride(from: 0, to: port.count, by: 4_800).map { start in
            port[start..<min(start + 4_800, port.count)].reduce(0) { max($0, abs($1)) }
        }
    }

    @Test func tempoAndKeyAreItsOwnAndWhatSomebodyAsksForComesOnTop() throws {
        let time = try SessionInTime(
            options,
            [
                listed(8, key: 60) { ($0.tempo, $0.transpose) = (2, 3) }, listed(8, key: 70) { $0.tempo = 0.5 },
            ])
        try time.session.perform(.transpose(-1))
        #expect(time.transport?.rate == 1 && time.transport?.transpose == -1)
        #expect(try time.pass { time.session.isOver })
        // The first note may have begun before the command; the others are as they should be.
        #expect(time.onsets.dropFirst().map(\.key) == [UInt8](repeating: 62, count: 7) + [UInt8](repeating: 69, count: 8))
        let times = time.onsets.map(\.time), distances = zip(times, times.dropFirst()).map { $1 - $0 }
        #expect(distances.prefix(8) == [Int64](repeating: 2_400, count: 8)[...])
        #expect(distances.suffix(7) == [Int64](repeating: 9_600, count: 7)[...])
        try time.session.finish()
    }

    @Test func loopsAreCountedAndTheNextSongFollowsWithoutAGap() throws {
        let time = try SessionInTime(
            options,
            [
                listed(4, key: 60) { $0.loops = 3 }, listed(30, key: 65) { $0.loops = 2 }, listed(2, key: 70) { _ in },
            ])
        #expect(try time.pass { time.session.isOver })
        #expect(
            time.onsets.map(\.key) == [UInt8](repeating: 60, count: 12) + [UInt8](repeating: 65, count: 60) + [70, 70])
        let times = time.onsets.map(\.time)
        #expect(Set(zip(times, times.dropFirst()).map { $1 - $0 }) == [4_800])
        try time.session.finish()
    }

    @Test func silenceBeforeASongIsCountedFromTheEndOfTheOneBefore() throws {
        let time = try SessionInTime(options, [listed(4, key: 60) { _ in }, listed(2, key: 70) { $0.pause = 2.5 }])
        #expect(try time.pass { time.session.isOver })
        #expect(time.onsets[4].time - time.onsets[3].time == 4_800 + 120_000)
        #expect(time.held.values.allSatisfy { $0 == 0 })
        try time.session.finish()
    }

    @Test func levelsAreHeardOnTheFrameOnWhichASongBegins() throws {
        let time = try SessionInTime(options, [listed(10, key: 60) { _ in }, listed(10, key: 60) { $0.level = -20 }])
        #expect(try time.pass { time.session.isOver })
        let left = time.port.played[0], first = Int(time.onsets[0].time), second = Int(time.onsets[10].time)
        let buffer = left.firstIndex { $0 != 0 }.map { $0 - first } ?? 0
        func peak(_ start: Int) -> Float { left[(start + buffer)..<(start + buffer + 40_000)].reduce(0) { max($0, abs($1)) } }
        let ratio = peak(second + 4_800) / peak(first + 4_800)
        #expect(abs(ratio - 0.1) < 0.002, "\(ratio)")
        // Just before the seam it is as loud as it was.
        #expect(peak(second - 48_000) > 0.95 * peak(first + 4_800))
        try time.session.finish()
    }

    @Test func aSongFadesAndTheNextBeginsAsLoudAsEver() throws {
        let time = try SessionInTime(
            options,
            [
                listed(10, key: 60) { ($0.loops, $0.fade) = (2, 5) }, listed(10, key: 60) { _ in },
            ])
        #expect(try time.pass { time.session.isOver })
        let peaks = peaks(time.port.played[0])
        // Two loops of a second, five seconds of fade, three of rest, a second of the next.
        let loud = peaks[5], half = peaks[45], late = peaks[65], rest = peaks[75...95].max() ?? 1
        let first = peaks[2..<10].max() ?? 0, next = peaks[102..<109].max() ?? 0
        #expect(half < loud * 0.05 && half > loud * 0.01, "\(half) of \(loud): 30 dB")
        #expect(late < half * 0.1 && rest < 1e-5 && abs(next - first) < 0.05 * first, "\(next), \(first)")
        let seconds = time.onsets.map { Double($0.time) / 48_000 }
        #expect(time.onsets.count == 20 + 50 + 10 && seconds[70] - seconds[69] > 3)
        try time.session.finish()
    }

    @Test func whoeverLeavesAFadingSongHearsTheNextAtOnce() throws {
        let time = try SessionInTime(options, [listed(4, key: 60) { $0.fade = 20 }, listed(40, key: 62) { _ in }])
        try time.pass(12)
        try time.session.perform(.next)
        try time.pass(1)
        let peaks = peaks(time.port.played[0])
        #expect(peaks[118] < 0.1 * peaks[2] && peaks[126] > 0.9 * peaks[2])
        try time.session.finish()
    }

    @Test func theFaderTurnsEverythingAndLeavesItAloneWhereNobodyTurns() throws {
        let with = try SessionInTime(options, [listed(6, key: 60) { _ in }])
        let without = try SessionInTime(SessionInTime.options, [listed(6, key: 60) { _ in }])
        try with.pass(2)
        try without.pass(2)
        let isSame = with.port.played == without.port.played
        #expect(isSame, "a fader that nobody turns changes a sample")
        for session in [with, without] { try session.session.finish() }
        let time = try SessionInTime(options, [listed(100, key: 60) { _ in }])
        try time.pass(1)
        try time.session.fade(to: -120, over: 2)
        try time.pass(4)
        try time.session.fade(to: -6, over: 0)
        try time.pass(2)
        let peaks = peaks(time.port.played[0])
        let loud = peaks[2..<10].max() ?? 0, softer = peaks[55..<65].max() ?? 0
        #expect(peaks[34] == 0 && abs(softer / loud - 0.501) < 0.05, "\(softer) of \(loud)")
        #expect(throws: Fault.self) { try time.session.fade(to: 100, over: 1) }
        try time.session.finish()
    }
}
