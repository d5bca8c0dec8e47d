import CarillonTestKit
import Graphs
import MIDI
import RealtimeCore
import Testing
import UnitAPI

/// The lane of loops plays beside keys and score on the same parts: neither ends what the other holds.
@Suite struct LaneTests {
    private func rig() throws -> OfflineRig {
        let rig = OfflineRig(recordsScore: true)
        let node = try rig.add(StairsUnit.self)
        for part in 0..<32 { try rig.graph.route(part: part, to: node) }
        try rig.graph.setOutput(node)
        try rig.publish()
        return rig
    }

    private func at(_ time: Int, _ status: UInt8, _ data1: UInt8, _ data2: UInt8 = 100) -> TimedMusicEvent {
        TimedMusicEvent(
            time: SampleTime(Int64(time)), event: .message(MIDIMessage(status: status, data1: data1, data2: data2)))
    }

    private func lane(_ rig: OfflineRig, _ events: [TimedMusicEvent], start: Int = 0, releases: Bool = false) {
        let segment = ScoreSegment(
            Score(events), start: SampleTime(Int64(start)), position: Int64(start), releases: releases, lane: .loops)
        #expect(rig.renderer.play(segment))
    }

    private func live(_ rig: OfflineRig, _ events: [TimedMusicEvent]) {
        for event in events { #expect(rig.renderer.sendLive(event)) }
    }

    private func heard(_ rig: OfflineRig) -> [String] {
        #expect(rig.violations.total == 0, "\(rig.violations)")
        var lines: [String] = []
        while let event = rig.renderer.nextPerformed() {
            guard case .music(.message(let message)) = event.command.event else { continue }
            lines.append(
                "\(event.command.time.rawValue) \(event.source) \(String(message.status, radix: 16)) \(message.data1) \(message.data2)"
            )
        }
        return lines
    }

    @Test(arguments: [1, 7, 64, 1000]) func aKeyGoesUpWhenBothHaveLetGo(_ block: Int) throws {
        let rig = try rig()
        lane(rig, [at(20, 0x90, 60), at(40, 0x80, 60, 0), at(50, 0x90, 62), at(80, 0x80, 62, 0)])
        live(rig, [at(10, 0x90, 60), at(45, 0x80, 60, 0), at(60, 0x90, 62), at(70, 0x80, 62, 0), at(75, 0x80, 40, 0)])
        rig.render(100, block: block)
        #expect(
            heard(rig) == [
                "10 live 90 60 100", "20 lane 90 60 100", "45 live 80 60 0", "50 lane 90 62 100", "60 live 90 62 100",
                "75 live 80 40 0", "80 lane 80 62 0",
            ])
    }

    @Test func theScoreIsTheOtherSideToo() throws {
        let rig = try rig()
        rig.renderer.play(Score([at(10, 0x90, 60), at(40, 0x80, 60, 0)]))
        lane(rig, [at(20, 0x90, 60), at(60, 0x80, 60, 0)])
        rig.render(100)
        #expect(heard(rig) == ["10 score 90 60 100", "20 lane 90 60 100", "60 lane 80 60 0"])
    }

    @Test func aPedalIsWhereItIsDeepest() throws {
        let rig = try rig()
        for (index, pedal) in ([64, 66, 67, 69] as [UInt8]).enumerated() {
            let first = index * 100
            lane(rig, [at(first + 20, 0xB0, pedal, 127), at(first + 40, 0xB0, pedal, 0)], start: first)
            live(rig, [at(first + 10, 0xB0, pedal, 80), at(first + 30, 0xB0, pedal, 90), at(first + 50, 0xB0, pedal, 0)])
            rig.render(100, block: 16)
            #expect(
                heard(rig) == [
                    "\(first + 10) live b0 \(pedal) 80", "\(first + 20) lane b0 \(pedal) 127",
                    "\(first + 40) lane b0 \(pedal) 90", "\(first + 50) live b0 \(pedal) 0",
                ])
        }
    }

    @Test func whatThePlayerHasMovedSinceStays() throws {
        for (kind, moved, rest) in [(0xE0, (0, 100), (0, 64)), (0xD0, (90, 0), (0, 0))]
            as [(UInt8, (UInt8, UInt8), (UInt8, UInt8))]
        {
            let rig = try rig()
            lane(
                rig,
                [
                    at(10, kind, moved.0, moved.1), at(20, kind, rest.0, rest.1), at(30, kind, moved.0, moved.1),
                    at(50, kind, rest.0, rest.1),
                ])
            live(rig, [at(40, kind, moved.0, moved.1)])
            rig.render(100)
            #expect(heard(rig).map { $0.split(separator: " ")[0] } == ["10", "20", "30", "40"])
        }
        let rig = try rig()
        lane(rig, [at(10, 0xA0, 60, 50), at(20, 0xA0, 60, 0), at(30, 0xA0, 61, 0), at(40, 0xB0, 121, 0)])
        rig.render(100)
        #expect(heard(rig).map { $0.split(separator: " ")[0] } == ["10", "20"])
    }

    @Test func aSegmentThatReleasesEndsTheLanesKeysAlone() throws {
        let rig = try rig()
        lane(rig, [at(10, 0x90, 60), at(10, 0x90, 62)])
        live(rig, [at(5, 0x90, 60), at(90, 0x80, 60, 0)])
        rig.render(50)
        lane(rig, [], start: 60, releases: true)
        rig.render(50)
        #expect(
            heard(rig) == [
                "5 live 90 60 100", "10 lane 90 60 100", "10 lane 90 62 100", "60 lane 80 62 64", "90 live 80 60 0",
            ])
    }

    @Test func whatSilencesAPartSilencesBoth() throws {
        let rig = try rig()
        lane(rig, [at(10, 0x90, 60), at(30, 0xB0, 123, 0), at(70, 0x80, 60, 0)])
        live(rig, [at(5, 0x90, 60), at(40, 0xB0, 123, 0), at(50, 0x90, 60), at(60, 0x80, 60, 0)])
        rig.render(100)
        // The lane's silence is no silence for the player.
        #expect(heard(rig).map { String($0.split(separator: " ")[0]) } == ["5", "10", "40", "50", "60", "70"])
    }

    /// Random keys and pedals of both against a simple model: at each moment instruments hold what either side holds. The same for
    /// all blocks.
    @Test(arguments: 0..<8) func instrumentsHoldWhatEitherHolds(_ seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed)), laned: [TimedMusicEvent] = [], played: [TimedMusicEvent] = []
        func next(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }
        for step in 0..<2_000 {
            let part = UInt8(next(3)), key = UInt8(60 + next(4)), pedal = [64, 66, 67, 69][next(4)] as UInt8
            let event =
                switch next(5) {
                case 0, 1: at(step * 3, 0x90 | part, key)
                case 2, 3: at(step * 3, 0x80 | part, key, 0)
                default: at(step * 3, 0xB0 | part, pedal, UInt8(next(3) * 60))
                }
            if next(2) == 0 { laned.append(event) } else { played.append(event) }
        }
        var former: [String]?
        for block in [16, 100, 512, 4096] {
            let rig = try rig()
            lane(rig, laned)
            live(rig, played)
            rig.render(6_100, block: block)
            let lines = heard(rig)
            if let former { #expect(former == lines) }
            former = lines
        }
        let lines: [[Substring]] = (former ?? []).map { $0.split(separator: " ") }
        var place = 0, down: [Set<String>] = [[], []], depth: [[String: UInt8]] = [[:], [:]]
        var heardKeys: Set<String> = [], heardPedals: [String: UInt8] = [:]
        let all = (laned.map { (0, $0) } + played.map { (1, $0) }).sorted { $0.1.time < $1.1.time }
        for (side, event) in all {
            guard case .message(let message) = event.event else { continue }
            let slot = "\(message.channel) \(message.data1)"
            switch message.status & 0xF0 {
            case 0x90: down[side].insert(slot)
            case 0x80: down[side].remove(slot)
            default: depth[side][slot] = message.data2
            }
            while place < lines.count, let time = Int64(lines[place][0]), time <= event.time.rawValue {
                let status = UInt8(lines[place][2], radix: 16) ?? 0, slot = "\(status & 15) \(lines[place][3])"
                switch status & 0xF0 {
                case 0x90: heardKeys.insert(slot)
                case 0x80: heardKeys.remove(slot)
                default: heardPedals[slot] = UInt8(lines[place][4])
                }
                place += 1
            }
            let held = down[0].union(down[1])
            let deepest = depth[0].merging(depth[1]) { max($0, $1) }
            #expect(heardKeys == held && heardPedals.filter { $0.value > 0 } == deepest.filter { $0.value > 0 })
        }
        #expect(place == lines.count)
    }

    @Test func theLaneHasAQueueOfItsOwn() throws {
        let rig = try rig()
        for start in 0..<64 {
            rig.renderer.play(ScoreSegment(Score([at(0, 0x90, 50)]), start: SampleTime(Int64(start))))
            lane(rig, [at(start, 0x90, 60)], start: start)
        }
        #expect(!rig.renderer.play(ScoreSegment(Score([]), start: SampleTime(99), lane: .loops)))
        for _ in 0..<8 { rig.render(16, block: 4) }
        let lines = heard(rig)
        #expect(lines.count { $0.contains("lane") } == 64 && lines.count { $0.contains("score") } == 64)
    }
}
