import Carillon
import CarillonTestKit
import Synchronization
import Testing

@testable import EngineCore

/// Segments one behind the other, loops, volume and rate, many players in step, and what is told of all that.
@Suite struct FileQueueTests {
    /// Frame n is (n + 1) / 2^18, so that every frame can be recognised.
    static func counting(_ frames: Int) -> [Float] { (0..<frames).map { Float($0 + 1) / 262_144 } }

    static func engine(_ reader: any FrameReading & Sendable, rate: Double = 48_000) throws -> (Engine, FilePlayer) {
        let engine = Engine(sampleRate: rate, maximumFrames: 1_024)
        let player = try engine.edit { (graph) throws(Fault) in
            let player = try graph.add(player: reader)
            try graph.setOutput(player.node)
            return player
        }
        return (engine, player)
    }

    /// Everything that a player tells, in its order.
    final class Diary: Sendable {
        private let entries = Mutex<[FilePlayerEvent]>([])
        init(_ player: FilePlayer) { player.onEvent { event in self.entries.withLock { $0.append(event) } } }
        var events: [FilePlayerEvent] { entries.withLock { $0 } }
    }

    @Test func segmentsFollowEachOtherWithoutAGap() throws {
        let file = Self.counting(20_000), (engine, player) = try Self.engine(MemoryReader([file]))
        let diary = Diary(player)
        let first = try player.play(at: SampleTime(100), from: 0, frames: 1_000)
        let second = try player.queue(from: 7_000, frames: 513)
        let third = try player.queue(from: 3, frames: 1)
        let fourth = try player.queue(from: 19_000)
        try engine.start(on: .offline)
        let sound = try engine.render(frames: 4_000)[0]
        let wanted = Array(file[..<1_000]) + file[7_000..<7_513] + [file[3]] + file[19_000...]
        #expect(Array(sound[100..<100 + wanted.count]) == wanted)
        #expect(sound[..<100].allSatisfy { $0 == 0 } && sound[(100 + wanted.count)...].allSatisfy { $0 == 0 })
        let played = diary.events.filter { if case .read = $0 { false } else { true } }
        #expect(
            played == [
                .began(at: SampleTime(100)), .played(first, at: SampleTime(1_100)), .played(second, at: SampleTime(1_613)),
                .played(third, at: SampleTime(1_614)), .played(fourth, at: SampleTime(2_614)), .ended(at: SampleTime(2_614)),
            ])
        // What has been read is told before it is played.
        #expect(
            diary.events.filter { if case .read = $0 { true } else { false } }
                == [first, second, third, fourth].map { .read($0) })
        #expect(player.state == .ended(at: SampleTime(2_614)))
    }

    @Test(arguments: [1, 64, 999]) func aSegmentThatIsQueuedWhileTheLastOnePlaysFollowsItOnItsFrame(_ slice: Int) throws {
        // All of the first has been read by then, and the unit has been told that there is no more.
        let file = Self.counting(10_000), (engine, player) = try Self.engine(MemoryReader([file]))
        try player.play(at: .zero, frames: 4_000)
        try engine.start(on: .offline)
        var sound: [Float] = []
        while sound.count < 3_990 - slice { sound += try engine.pull(slice)[channel: 0][..<slice] }
        try player.queue(from: 5_000, frames: 2_000)
        #expect(player.state == .playing)
        while sound.count < 7_000 { sound += try engine.pull(slice)[channel: 0][..<slice] }
        let both: [Float] = Array(file[..<4_000]) + Array(file[5_000..<7_000])
        #expect(Array(sound[..<6_000]) == both)
        #expect(sound[6_000...].allSatisfy { $0 == 0 } && player.underrunFrames == 0)
    }

    @Test func whatIsQueuedBehindTheEndBeginsAtOnce() throws {
        let file = Self.counting(5_000), (engine, player) = try Self.engine(MemoryReader([file]))
        let first = try player.queue(frames: 500)
        try engine.start(on: .offline)
        var sound = try engine.render(frames: 1_024)[0]
        #expect(player.state == .ended(at: SampleTime(500)))
        let second = try player.queue(frames: 600)
        sound += try engine.render(frames: 1_024)[0]
        player.stop()
        sound += try engine.render(frames: 1_024)[0]
        try player.queue(frames: 700)
        sound += try engine.render(frames: 1_024)[0]
        #expect((first.number, second.number) == (1, 2))
        #expect(Array(sound[..<500]) == Array(file[..<500]) && Array(sound[1_024..<1_624]) == Array(file[..<600]))
        #expect(Array(sound[3_072..<3_772]) == Array(file[..<700]) && sound[3_772...].allSatisfy { $0 == 0 })
    }

    @Test func aCountedLoopEndsExactlyAndALoopBehindAnIntroductionBeginsExactly() throws {
        let file = Self.counting(10_000), (engine, player) = try Self.engine(MemoryReader([file, file.map { -$0 }]))
        let diary = Diary(player)
        let counted = try player.play(at: SampleTime(7), from: 1_000, frames: 301, passes: .times(5))
        try player.queue(from: 0, frames: 250)
        try player.queue(from: 4_000, frames: 77, passes: .endless)
        try engine.start(on: .offline)
        let sound = try engine.render(frames: 200_000)
        // What begins in the middle of a file rises within 64 frames.
        let loop = Array(file[1_000..<1_301])
        let start = 7 + 5 * 301
        for frame in 7 + 64..<start where sound[0][frame] != loop[(frame - 7) % 301] { Issue.record("\(frame)"); break }
        #expect(Array(sound[0][start..<start + 250]) == Array(file[..<250]))
        for frame in start + 250..<200_000 where sound[0][frame] != file[4_000 + (frame - start - 250) % 77] {
            Issue.record("frame \(frame) of the endless loop")
            break
        }
        #expect(sound[1] == sound[0].map { -$0 })
        #expect(diary.events.contains(.played(counted, at: SampleTime(Int64(start)))))
        #expect(player.state == .playing && (4_000..<4_077).contains(player.position))
        #expect(throws: Fault.passes(path: "memory", count: 0)) { try player.queue(passes: .times(0)) }
    }

    @Test func theSeamsOfAConvertedFileAreNotHeard() throws {
        // 0.1 s hold 44 periods: two tenths of a sine, one behind the other in another order, are a sine.
        let rate = 44_100, sine = (0..<rate).map { Float(0.5 * sinOf(440 * Double($0) / Double(rate))) }
        let (engine, player) = try Self.engine(MemoryReader([sine], rate: rate))
        let diary = Diary(player)
        let first = try player.play(at: .zero, from: 0, frames: 8_820)
        let second = try player.queue(from: 22_050, frames: 4_410, passes: .times(3))
        try engine.start(on: .offline)
        let sound = try engine.render(frames: 30_000)[0]
        let faults = (1_000..<23_000).map { abs(sound[$0] - Float(0.5 * sinOf(440 * Double($0) / 48_000))) }
        let worst = faults.max() ?? 1
        #expect(worst < 1e-4, "off by \(worst) at \(1_000 + (faults.firstIndex(of: worst) ?? 0))")
        #expect(diary.events.contains(.played(first, at: SampleTime(9_600))))
        #expect(diary.events.contains(.played(second, at: SampleTime(24_000))))
        #expect(player.state == .ended(at: SampleTime(24_000)))
    }

    @Test func sixtyFourFilesPlayInStepToTheFrame() throws {
        let engine = Engine(sampleRate: 48_000, maximumFrames: 512)
        // Whole numbers of 2^-16, so that their sum is exact in any order.
        let files = (0..<64).map { (file: Int) -> [Float] in
            (0..<9_000 + 31 * file).map { (frame: Int) -> Float in
                let number: Int = (frame &* 2_654_435_761 &+ file &* 40_503) >> 7 & 1_023
                return Float(number) / 65_536
            }
        }
        let players = try engine.edit { (graph) throws(Fault) in
            let sum = try graph.add(Junction.self)
            let players = try files.map { (file) throws(Fault) in try graph.add(player: MemoryReader([file])) }
            for player in players { try graph.connect(player.node, to: sum) }
            try graph.setOutput(sum)
            return players
        }
        try engine.start(on: .offline)
        _ = try engine.render(frames: 1_000)
        let time = try engine.play(players, at: SampleTime(1_777))
        #expect(time == SampleTime(1_777))
        let sound = try engine.render(frames: 15_000)[0]
        for frame in 0..<15_000 {
            let n = frame - 777
            let wanted = files.reduce(Float(0)) { $0 + ($1.indices.contains(n) ? $1[n] : 0) }
            if sound[frame] != wanted {
                Issue.record("frame \(frame) is \(sound[frame]), not \(wanted)")
                break
            }
        }
        for (player, file) in zip(players, files) { #expect(player.state == .ended(at: SampleTime(1_777 + Int64(file.count)))) }
        // Without a time: the next slice, all of them.
        let again = try engine.play(players)
        #expect(again == engine.now)
        let first = try engine.render(frames: 512)[0][0]
        #expect(first == files.reduce(Float(0)) { $0 + $1[0] })
    }

    @Test func aPlayerFadesToAVolumeWithinATime() throws {
        let (engine, player) = try Self.engine(MemoryReader([Array(repeating: 0.5, count: 100_000)]))
        try player.play(at: .zero)
        try engine.fade(player, to: -40, over: .seconds(1), at: SampleTime(1_000))
        try engine.fade(player, to: -120, over: .milliseconds(10), at: SampleTime(60_000))
        try engine.start(on: .offline)
        let sound = try engine.render(frames: 70_000)[0]
        #expect(sound[..<1_000].allSatisfy { $0 == 0.5 })
        // In equal steps of decibels: half the way in half the time.
        for (frame, level) in [(1_000 + 24_000, -20), (1_000 + 12_000, -10), (50_000, -40)] as [(Int, Float)] {
            #expect(abs(Decibels.level(ofAmplitude: sound[frame] / 0.5) - level) < 0.01, "\(frame)")
        }
        #expect(sound[60_480...].allSatisfy { $0 == 0 } && player.state == .playing)
        #expect(throws: Fault.self) { try engine.fade(player, to: 40, over: .seconds(1)) }
    }

    @Test(arguments: [0.25, 0.5, 0.9, 1.5, 2, 4] as [Float]) func aRateMovesThePitchAndTheEndAndAddsNoAliases(_ rate: Float)
        throws
    {
        // 1 kHz, and 0.4 of the rate, which a rate above 1.25 must not fold back.
        let file = (0..<96_000).map { (frame: Int) -> Float in
            let time = Double(frame)
            return Float(0.25 * sinOf(1_000 * time / 48_000) + 0.25 * sinOf(0.4 * time))
        }
        let (engine, player) = try Self.engine(MemoryReader([file]))
        try engine.set(FilePlayback.Parameter.rate, rate, of: player.node)
        try engine.start(on: .offline)
        _ = try engine.render(frames: 2_000)
        try player.play(at: SampleTime(3_000))
        let sound = try engine.render(frames: 1_000 + Int(96_000 / rate) + 1_000)[0]
        #expect(sound[..<1_000].allSatisfy { $0 == 0 })
        #expect(player.state == .ended(at: SampleTime(3_000 + Int64((96_000 / Double(rate)).rounded(.up)))))
        let steady = Array(sound[3_000..<3_000 + 16_384])
        var worst: Float = 0
        for (n, heard) in steady.enumerated() {
            let place = Double(2_000 + n) * Double(rate)
            let high = rate <= 1.25 ? 0.25 * sinOf(0.4 * place) : 0
            worst = max(worst, abs(heard - Float(0.25 * sinOf(1_000 * place / 48_000) + high)))
        }
        #expect(worst < 2e-4, "off by \(worst) at a rate of \(rate)")
    }

    @Test(arguments: [1, 13, 1_000]) func aRateThatGlidesDoesNotDependOnTheSlices(_ slice: Int) throws {
        func sound(_ slice: Int) throws -> [Float] {
            let (engine, player) = try Self.engine(MemoryReader([(0..<60_000).map { Float(0.5 * sinOf(0.01 * Double($0))) }]))
            try player.play(at: SampleTime(50), frames: 20_000, passes: .times(2))
            try player.queue(from: 100, frames: 333)
            try engine.setRate(2.5, of: player, over: .milliseconds(100), at: SampleTime(3_000))
            try engine.setRate(1, of: player, over: .milliseconds(50), at: SampleTime(10_001))
            try engine.start(on: .offline)
            var sound: [Float] = []
            while sound.count < 34_000 { sound += try engine.pull(slice)[channel: 0][..<slice] }
            #expect(player.underrunFrames == 0)
            guard case .ended = player.state else { Issue.record("\(player.state)"); return sound }
            return Array(sound[..<34_000])
        }
        #expect(try sound(slice) == sound(512))
    }

    @Test func aRateOfOneIsBitForBitAlsoAfterItWasAnother() throws {
        let file = (0..<50_000).map { Float(0.5 * sinOf(0.3 * Double($0 * $0 % 977))) }
        let (engine, player) = try Self.engine(MemoryReader([file]))
        try engine.setRate(2, of: player)
        try engine.start(on: .offline)
        _ = try engine.render(frames: 2_000)
        try player.play(at: SampleTime(2_000))
        try engine.set(FilePlayback.Parameter.rate, 1, of: player.node, at: SampleTime(6_000))
        _ = try engine.render(frames: 6_000)
        try player.play(at: SampleTime(9_000))
        let sound = try engine.render(frames: 10_000)[0]
        #expect(Array(sound[1_064..<10_000]) == Array(file[64..<9_000]))
    }

}

/// The sine of so many full circles.
private func sinOf(_ turns: Double) -> Double { DeterministicMath.sine(turns: turns) }
