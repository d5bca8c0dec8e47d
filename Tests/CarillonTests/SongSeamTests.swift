import Carillon
import CarillonTestKit
import MIDI
import RealtimeCore
import Sequencer
import Testing

@testable import Sessions

/// Where one song of a list goes over into the next: what rings, rings on, and the next is as if it were the first.
@Suite struct SongSeamTests {
    /// A song with a reset at its beginning, as most have, settings that must not outlast it, and a note up to its very end.
    private func song(_ key: UInt8, _ reset: [UInt8]?, program: UInt8, beats: Int64 = 4) -> SessionSong {
        var track = Track(name: "song")
        track.events = [SongEvent(tick: 0, .tempo(microsecondsPerQuarter: 100_000))]
        if let reset { track.events.append(SongEvent(tick: 0, .systemExclusive(reset))) }
        func add(_ tick: Int64, _ status: UInt8, _ data1: UInt8, _ data2: UInt8 = 0) {
            track.events.append(SongEvent(tick: tick, .message(MIDIMessage(status: status, data1: data1, data2: data2))))
        }
        add(0, 0xC0, program)
        add(0, 0xB0, 7, 80)
        add(0, 0xB0, 10, 20)
        add(0, 0xB0, 101, 0)
        add(0, 0xB0, 100, 0)
        add(0, 0xB0, 6, 12)
        for beat in 0..<beats {
            add(beat * 480, 0x90, key, 110)
            add(beat * 480 + 100, 0xE0, 0, 80)
            add(beat * 480 + 479, 0x80, key)
        }
        add(beats * 480, 0xB0, 1, 90)
        track.endTick = beats * 480
        return SessionSong(name: "song of \(key)", song: Song(tracks: [track]))
    }

    private static let generalMIDI: [UInt8] = [0xF0, 0x7E, 0x7F, 0x09, 0x01, 0xF7]
    private static let xg: [UInt8] = [0xF0, 0x43, 0x10, 0x4C, 0x00, 0x00, 0x7E, 0x00, 0xF7]

    private func options(_ instrument: RenderOptions.Instrument) -> LiveOptions {
        var options = SessionInTime.options
        options.instrument = instrument
        options.hasEffects = false
        return options
    }

    @Test(arguments: [nil, generalMIDI, xg])
    func whatRingsAtTheEndOfASongRingsOnIntoTheNext(_ reset: [UInt8]?) throws {
        // A rest after the seam, so that nothing but the tail is heard there.
        var second = Track(name: "later")
        second.events = reset.map { [SongEvent(tick: 0, .systemExclusive($0))] } ?? []
        second.events.append(SongEvent(tick: 960, .message(MIDIMessage(status: 0x90, data1: 40, data2: 90))))
        second.endTick = 1_920
        let later = SessionSong(name: "later", song: Song(tracks: [second]))
        let first = song(72, Self.generalMIDI, program: 14)
        let alone = try SessionInTime(options(.soundFont([])), [first])
        let both = try SessionInTime(options(.soundFont([])), [first, later])
        try alone.pass(1.2)
        try both.pass(1.2)
        let seam = Int(try #require(both.onsets.first).time) + 4 * 4_800
        let rung = alone.port.played[0], heard = both.port.played[0]
        // Up to half a second behind the seam: the tail, which the next song's first settings must not cut.
        func energy(_ samples: [Float], _ range: Range<Int>) -> Float { samples[range].reduce(0) { $0 + $1 * $1 } }
        let tail = (seam + 3_000)..<(seam + 12_000)
        #expect(energy(rung, tail) > 1e-3, "the song does not ring, and nothing is shown")
        #expect(energy(heard, tail) > 0.2 * energy(rung, tail), "\(energy(heard, tail)) of \(energy(rung, tail))")
        for session in [alone, both] { try session.session.finish() }
    }

    /// Power-on is power-on: a song behind others sounds as it does alone, once nothing rings any more.
    @Test(arguments: [RenderOptions.Instrument.squareWave, .soundFont([])])
    func aSongSoundsAsIfItWereTheFirst(_ instrument: RenderOptions.Instrument) throws {
        var last = song(60, nil, program: 0)
        last.manner.pause = 6
        let lists = [
            [last], [song(72, Self.generalMIDI, program: 14), last], [song(50, Self.xg, program: 48), last],
            [song(50, nil, program: 16), song(72, Self.xg, program: 90), last],
        ]
        var wanted: [Float]?
        for list in lists {
            let time = try SessionInTime(options(instrument), list)
            #expect(try time.pass(atMost: 60) { time.onsets.count { $0.key == 60 } == 4 })
            try time.pass(0.5)
            let onsets = time.onsets.filter { $0.key == 60 }
            // Blocks of libfluidsynth lie on a grid of 64 frames: the same place in one is looked at.
            let start = Int(onsets[0].time), left = time.port.played[0]
            let buffer = 3 * 512
            let heard = Array(left[(start + buffer - 64)..<(start + buffer + 14_000)])
            guard let former = wanted else {
                wanted = heard
                continue
            }
            let loudest = former.reduce(0) { max($0, abs($1)) }
            var difference: Float = 1
            // Where the note lies in a block decides up to 63 frames.
            for shift in -64...64 {
                var worst: Float = 0
                for i in 200..<13_000 { worst = max(worst, abs(heard[i] - former[i + shift])) }
                difference = min(difference, worst / loudest)
            }
            #expect(difference < 0.02, "\(difference)")
            try time.session.finish()
        }
    }

    @Test func equalBeatsAreEquallyFarApartOverEverySeam() throws {
        var songs = [song(60, Self.generalMIDI, program: 3), song(61, nil, program: 4), song(62, Self.xg, program: 5)]
        songs[1].manner.loops = 3
        let time = try SessionInTime(options(.squareWave), songs)
        try time.session.perform(.repeats(.all))
        #expect(try time.pass { time.onsets.count >= 100 })
        let times = time.onsets.map(\.time)
        #expect(Set(zip(times, times.dropFirst()).map { $1 - $0 }) == [4_800])
        try time.session.finish()
    }
}
