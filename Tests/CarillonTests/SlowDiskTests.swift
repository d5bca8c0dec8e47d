import Carillon
import CarillonTestKit
import RemoteIO
import Testing

/// A disk that stands still: nobody waits for it, and what is heard is what the policy says.
@Suite struct SlowDiskTests {
    /// A player on a device in its own time, whose ring is full and whose disk stands still from now on.
    private static func stalled(_ policy: FilePlayer.LatePolicy) throws -> (
        MemoryReader, FilePlayer, SlicePort, Engine, FileQueueTests.Diary, [Float]
    ) {
        let reader = MemoryReader([FileQueueTests.counting(1_500_000).map { $0 / 8 }])
        let (engine, player) = try FileQueueTests.engine(reader), diary = FileQueueTests.Diary(player)
        player.latePolicy = policy
        let port = SlicePort(longestSlice: 1_024, isLive: true)
        try engine.start(on: DeviceChoice(port, DeviceRequest(devices: ["slices"], sampleRate: 48_000, periodFrames: 256)))
        try player.play(at: .zero)
        // The first part is there when the unit knows of it.
        wait { reader.framesRead >= 12_288 }
        var sound: [Float] = []
        while !sound.contains(where: { $0 != 0 }) { sound = port.play(64) }
        wait { reader.framesRead >= 48_000 }
        reader.stall()
        // Until somebody waits for it, and nothing is on its way any more.
        sound += port.play(20_000)
        wait { reader.isWaitedFor }
        return (reader, player, port, engine, diary, sound)
    }

    @Test func aDiskThatStandsStillIsToldAndHoldsUpNobody() throws {
        let (reader, player, port, engine, diary, _) = try Self.stalled(.waits)
        // What is there is played; then there is silence, and no pull waits.
        let sound = port.play(120_000)
        let end = try #require(sound.lastIndex { $0 != 0 })
        #expect(player.underrunFrames > 40_000 && player.state == .playing)
        // Whoever asks for something does not wait either.
        let position = player.position
        player.pause()
        player.resume()
        try engine.maintain()
        wait { diary.events.contains { if case .starved = $0 { true } else { false } } }
        #expect(!diary.events.contains { if case .recovered = $0 { true } else { false } })
        _ = port.play(256)
        // Then it goes on where it was, and loses nothing.
        let read = reader.framesRead
        reader.goOn()
        wait { reader.framesRead >= read + 16_384 }
        let more = port.play(1_024)
        let first = try #require(more.firstIndex { $0 != 0 })
        #expect(player.position == position + Int64(1_024 - first))
        for frame in first + 64..<1_024 where more[frame] != reader.planes[0][Int(position) + frame - first] {
            Issue.record("frame \(frame) is \(more[frame])")
            break
        }
        wait { diary.events.contains { if case .recovered = $0 { true } else { false } } }
        let starved = diary.events.compactMap { if case .starved(let time) = $0 { time } else { nil } }
        let recovered = diary.events.compactMap {
            if case .recovered(let time, let missing) = $0 { (time, missing) } else { nil }
        }
        #expect(starved.count == 1 && recovered.count == 1 && recovered[0].0 - starved[0] == recovered[0].1)
        #expect(player.underrunFrames == recovered[0].1 && end < 110_000)
        // What runs dry dies away, it does not click.
        let steepest = zip(sound, sound.dropFirst()).map { abs($1 - $0) }.max() ?? 1
        #expect(steepest < 0.02, "a step of \(steepest)")
        try engine.stop()
    }

    @Test func whatKeepsItsTimeGoesOnWhereItWouldBe() throws {
        let (reader, player, port, engine, diary, _) = try Self.stalled(.keepsTime)
        _ = port.play(150_000)
        #expect(player.underrunFrames > 40_000)
        reader.goOn()
        // Each look reads on; what is late is left out.
        wait {
            _ = port.play(1)
            return diary.events.contains { if case .recovered = $0 { true } else { false } }
        }
        wait { reader.framesRead >= Int(player.position) + 40_000 }
        let time = engine.renderer.sampleTime, sound = port.play(2_000)
        let late = diary.events.contains { if case .began(let at) = $0 { at != .zero } else { false } }
        #expect(!late || player.lateCues == 1)
        for frame in 64..<2_000 where sound[frame] != reader.planes[0][Int(time.rawValue) + frame] {
            Issue.record("frame \(frame) is \(sound[frame])")
            break
        }
        try engine.stop()
    }

    @Test func oneSlowDiskConcernsNoOtherPlayer() throws {
        let slow = MemoryReader([FileQueueTests.counting(200_000)]), quick = MemoryReader([FileQueueTests.counting(200_000)])
        let engine = Engine(sampleRate: 48_000, maximumFrames: 1_024)
        let players = try engine.edit { (graph) throws(Fault) in
            let players = [try graph.add(player: slow), try graph.add(player: quick)], mixer = try graph.add(Junction.self)
            for player in players { try graph.connect(player.node, to: mixer) }
            try graph.setOutput(mixer)
            return players
        }
        let port = SlicePort(longestSlice: 1_024, isLive: true)
        try engine.start(on: DeviceChoice(port, DeviceRequest(devices: ["slices"], sampleRate: 48_000, periodFrames: 256)))
        slow.stall()
        let tap = try engine.tap(players[1].node, seconds: 10)
        try engine.play(players, at: SampleTime(1_000))
        // What has been read lies in the ring a little later.
        wait { slow.isWaitedFor && players[1].isReady }
        #expect(!players[0].isReady)
        while players[1].state != .playing { _ = port.play(256) }
        // Four seconds, as fast as the ring is filled.
        while players[1].position < 190_000 {
            let position = Int(players[1].position)
            wait { quick.framesRead >= min(position + 40_000, 200_000) }
            _ = port.play(8_000)
        }
        #expect(players[1].underrunFrames == 0 && players[1].lateCues == 0)
        #expect(players[0].state == .stopped && players[0].underrunFrames == 0)
        #expect(tap.read().count > 700)
        slow.goOn()
        wait { slow.framesRead > 0 }
        try engine.stop()
    }
}
