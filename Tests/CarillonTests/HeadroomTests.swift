import Carillon
import Testing

/// The default level leaves room for songs in which everybody plays, and what the limiter does is told.
@Suite struct HeadroomTests {
    /// Seven parts in chords of three, for two seconds.
    private var everybody: Song {
        let programs: [UInt8] = [29, 30, 48, 61, 56, 18, 81]
        var events: [(tick: Int64, kind: SongEvent.Kind)] = []
        for (index, program) in programs.enumerated() {
            let channel = UInt8(index)
            events.append((0, .message(MIDIMessage(status: 0xC0 | channel, data1: program))))
            for beat in 0..<4 {
                for key in [UInt8(48), 52, 55] {
                    let tick = Int64(beat) * 480
                    events.append((tick, .message(MIDIMessage(status: 0x90 | channel, data1: key, data2: 115))))
                    events.append((tick + 400, .message(MIDIMessage(status: 0x80 | channel, data1: key))))
                }
            }
        }
        return RenderedSong.song(events)
    }

    private func render(gain: Float = 0, _ settings: String...) throws -> RenderReport {
        var options = RenderedSong.options()
        options.tail = .seconds(0.5)
        options.gain = gain
        options.settings = settings
        return try RenderedSong.render(everybody, options).report
    }

    @Test func byDefaultTheLimiterHasNothingToDo() throws {
        let report = try render()
        #expect(report.limiter.most == 0 && report.limiter.reducedSeconds == 0 && report.limiter.pressedSeconds == 0)
        #expect(!report.limiter.isNotable && report.limiter.idleGain(insteadOf: 0) == nil)
    }

    @Test func whatItDoesIsToldWithTheGainThatAvoidsIt() throws {
        let loud = try render(gain: 3, "soundfont.gain=0.8").limiter
        #expect(loud.most > 3 && loud.isNotable)
        #expect(loud.pressedSeconds > 0.5 && loud.reducedSeconds >= loud.pressedSeconds)
        #expect(loud.reducedShare(of: 2.5) <= 1 && loud.reducedShare(of: 0) == 0)
        let gain = try #require(loud.idleGain(insteadOf: 3))
        #expect(Double(gain) <= 3 - loud.most && Double(gain) > 2 - loud.most)
        #expect(try render(gain: Float(gain), "soundfont.gain=0.8").limiter.most == 0)
    }

    @Test func itIsToldTheSameWhateverTheBlockSize() throws {
        var options = RenderedSong.options()
        options.settings = ["soundfont.gain=0.8"]
        options.maximumDuration = 0.7
        let one = try RenderedSong.render(everybody, options).report
        options.blockFrames = 77
        let other = try RenderedSong.render(everybody, options).report
        #expect(one.limiter == other.limiter && one.limiter.isNotable && one.frames == other.frames)
    }

    @Test func notesThatWereNotPlayedAreNotCounted() throws {
        let song = RenderedSong.song(
            RenderedSong.note(0, 100) + RenderedSong.note(480, 100) + RenderedSong.note(960, 100) + RenderedSong.note(1440, 100))
        var options = RenderedSong.options(instrument: .squareWave)
        #expect(try RenderedSong.render(song, options).report.notesPlayed == 4)
        options.maximumDuration = 1
        #expect(try RenderedSong.render(song, options).report.notesPlayed == 2)
    }
}
