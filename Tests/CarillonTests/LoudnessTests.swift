import AudioFiles
import Carillon
import Foundation
import Testing

/// A render is brought to a loudness behind the graph.
@Suite struct LoudnessTests {
    private func level(
        _ song: Song, at target: LoudnessTarget, _ change: (inout RenderOptions) -> Void = { _ in }
    ) throws -> (samples: [[Float]], report: RenderReport) {
        var options = RenderedSong.options()
        change(&options)
        let renderer = try SongRenderer(song, options: options)
        var samples = [[Float]](repeating: [], count: renderer.layout.channels)
        let report = try renderer.render(
            at: target,
            into: { (channels, frames) throws(AudioFileError) in
                for c in samples.indices {
                    samples[c].append(contentsOf: UnsafeBufferPointer(start: channels[c], count: frames))
                }
            })
        return (samples, report)
    }

    /// A meter that shares nothing with what chose the gain but libebur128.
    private func measured(_ samples: [[Float]]) throws -> (loudness: Double, truePeak: Double) {
        let meter = try #require(
            LoudnessMeter(channels: samples.count, sampleRate: 48_000, measuresTruePeak: true, boundsMemory: false))
        var done = 0
        while done < samples[0].count {
            let count = min(1_000, samples[0].count - done)
            let buffers = samples.map { plane in
                let copy = UnsafeMutablePointer<Float>.allocate(capacity: count)
                for i in 0..<count { copy[i] = plane[done + i] }
                return copy
            }
            meter.add(buffers.map { UnsafePointer($0) }, frames: count)
            buffers.forEach { $0.deallocate() }
            done += count
        }
        return (try #require(meter.integratedLoudness), 20 * log10(try #require(meter.truePeak)))
    }

    @Test(arguments: ["blue-lantern", "sea-wall"]) func aSongComesOutAsLoudAsWasAskedFor(_ name: String) throws {
        let (samples, report) = try level(try RenderedSong.song(name), at: LoudnessTarget()) { $0.maximumDuration = 30 }
        let level = try #require(report.level), found = try measured(samples)
        #expect(level.limit == nil && abs(found.loudness + 16) < 0.1 && found.truePeak < -0.9, "\(level) \(found)")
        #expect(abs(found.loudness - level.loudness!) < 0.05 && abs(found.truePeak - level.truePeak!) < 0.1)
        #expect(report.limiter.most <= 1.05 && report.limiter.reducedShare(of: report.duration) <= 0.0125)
        // In steps of 0.05 dB.
        #expect(abs(level.gain * 20 - (level.gain * 20).rounded()) < 1e-9)
    }

    /// Single notes that die away lie about the gate for long: a histogram of 0.1 LU was 0.2 LU off.
    @Test func notesThatDieAwayAreMeasuredExactly() throws {
        let notes = (0..<6).flatMap { (beat: Int) in
            RenderedSong.note(Int64(beat) * 3_840, 3_600, key: UInt8(48 + 5 * beat), velocity: 90)
        }
        for loudness: Float in [-16, -19, -24] {
            let (samples, report) = try level(RenderedSong.song(notes), at: LoudnessTarget(loudness: loudness))
            let level = try #require(report.level), found = try measured(samples)
            #expect(abs(found.loudness - level.loudness!) < 0.03, "\(level) \(found)")
        }
    }

    @Test func peaksStopTheGain() throws {
        // One stroke of a drum stands far above soft notes.
        let soft = (0..<10).flatMap { RenderedSong.note(Int64($0) * 960, 900, velocity: 30) }
        let stroke: [(tick: Int64, kind: SongEvent.Kind)] = [
            (4_800, .message(MIDIMessage(status: 0x99, data1: 38, data2: 127)))
        ]
        let (samples, report) = try level(RenderedSong.song(soft + stroke), at: LoudnessTarget(loudness: -6))
        let level = try #require(report.level), found = try measured(samples)
        #expect(level.limit == .peaks && found.loudness < -7 && found.truePeak < -0.9, "\(level) \(found)")
        #expect(report.limiter.most <= 1.05 && report.limiter.reducedShare(of: report.duration) <= 0.0125)
    }

    @Test func shortAndSilentSoundStaysAsItIs() throws {
        let note = RenderedSong.song(RenderedSong.note(0, 480))
        let short = try level(note, at: LoudnessTarget()) { $0.tail = .exact }
        #expect(short.report.level?.limit == .short && short.report.level?.gain == 0)
        let plain = try RenderedSong.render(
            note,
            {
                var options = RenderedSong.options(); options.tail = .exact; return options
            }())
        #expect(short.samples == plain.samples)
        let silence = try level(RenderedSong.song([], end: 4_800), at: LoudnessTarget()) { $0.tail = .exact }
        #expect(silence.report.level?.limit == .silence && silence.report.level?.loudness == nil)
    }

    /// The graph's own limiter rests, and the sound is the former one times a gain: to the bit, where the other has nothing to do.
    @Test func theSoundIsTheSameButForAGain() throws {
        let song = try RenderedSong.song("drum-groove")
        let plain = try RenderedSong.render(song, RenderedSong.options(8)), soft = LoudnessTarget(loudness: -40)
        let made = try level(song, at: soft) { $0.maximumDuration = 8 }
        let gain = Decibels.amplitude(Float(try #require(made.report.level).gain))
        #expect(made.report.limiter.most == 0 && made.samples == plain.samples.map { $0.map { $0 * gain } })
        let other = try level(song, at: soft) { ($0.maximumDuration, $0.blockFrames, $0.threads) = (8, 77, 2) }
        #expect(other.samples == made.samples && other.report.level == made.report.level)
    }

    /// What would press the graph's limiter is given to it behind the gain, softer.
    @Test func aLoudSongIsMadeSofterBeforeItIsLimited() throws {
        let song = try RenderedSong.song("sea-wall")
        let made = try level(song, at: LoudnessTarget()) { ($0.maximumDuration, $0.gain) = (20, 30) }
        let plain = try level(song, at: LoudnessTarget()) { $0.maximumDuration = 20 }
        let (loud, soft) = (try #require(made.report.level), try #require(plain.report.level))
        #expect(abs(loud.gain + 30 - soft.gain) < 0.051 && abs(loud.loudness! - soft.loudness!) < 0.05, "\(loud) \(soft)")
        #expect(made.report.limiter.most < 1.05)
    }

    /// The songs of an album keep their distance, and are together as loud as one song would be.
    @Test func anAlbumHasOneGain() throws {
        let target = LoudnessTarget(loudness: -23)
        let waiting = try ["pachelbel-canon", "sea-wall"].map { name in
            var options = RenderedSong.options()
            options.maximumDuration = 12
            return try SongRenderer(try RenderedSong.song(name), options: options).waiting(for: target)
        }
        let plan = LevelPlan(for: waiting)
        var album = [[Float]](repeating: [], count: 2), levels: [RenderLevel] = []
        for render in waiting {
            let report = try render.write(plan) { (channels, frames) throws(AudioFileError) in
                for c in 0..<2 { album[c].append(contentsOf: UnsafeBufferPointer(start: channels[c], count: frames)) }
            }
            levels.append(try #require(report.level))
        }
        #expect(plan.limit == nil && levels.allSatisfy { $0.gain == plan.gain })
        #expect(abs(try measured(album).loudness + 23) < 0.1)
        let alone = try ["pachelbel-canon", "sea-wall"].map { name in
            try #require(try level(try RenderedSong.song(name), at: target) { $0.maximumDuration = 12 }.report.level)
        }
        #expect(abs((levels[0].loudness! - levels[1].loudness!) - (alone[1].gain - alone[0].gain)) < 0.11)
    }

    /// What one song's peaks do not allow, none of them gets.
    @Test func theSongThatAllowsTheLeastDecidesForTheAlbum() throws {
        let stroke = RenderedSong.song([(0, .message(MIDIMessage(status: 0x99, data1: 38, data2: 127)))], end: 4_800)
        let waiting = try [try RenderedSong.song("pachelbel-canon"), stroke].map { song in
            var options = RenderedSong.options()
            options.maximumDuration = 12
            return try SongRenderer(song, options: options).waiting(for: LoudnessTarget(loudness: -8))
        }
        let plan = LevelPlan(for: waiting)
        let alone = LevelPlan(for: [waiting[0]])
        #expect(plan.limit == .peaks && plan.gain < alone.gain)
    }

    @Test(arguments: [-41, -4, .nan]) func numbersOutOfRangeAreRefused(_ loudness: Float) throws {
        let song = RenderedSong.song(RenderedSong.note(0, 480))
        #expect(throws: Fault.self) { try level(song, at: LoudnessTarget(loudness: loudness)) }
    }
}
