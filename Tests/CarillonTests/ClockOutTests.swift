import Carillon
import CarillonTestKit
import MIDI
import RealtimeCore
import RemoteIO
import Sequencer
import Testing

@testable import Sessions

/// The beat that goes out of a session, in simulated time: when it comes and what it says, whatever the music does.
@Suite struct ClockOutTests {
    private func options(_ change: (inout LiveOptions) -> Void = { _ in }) -> LiveOptions {
        var options = SessionInTime.options
        options.connections.clock = ["Drum machine"]
        options.hasEffects = false
        change(&options)
        return options
    }

    /// Frames of the device at which a sound begins after at least a tenth of a second of silence.
    private func onsets(_ time: SessionInTime) -> [Int] {
        var found: [Int] = [], quiet = 4_800
        for (frame, sample) in time.port.played[0].enumerated() {
            if abs(sample) < 1e-4 {
                quiet += 1
            } else {
                if quiet >= 4_800 { found.append(frame) }
                quiet = 0
            }
        }
        return found
    }

    /// The greatest distance of the beats from the sounds that belong to them, in milliseconds.
    private func distance(_ time: SessionInTime, beats: [Int64]) -> Double {
        let onsets = onsets(time).map { Double($0) / 48_000 * 1000 }
        #expect(onsets.count >= 4 && beats.count >= onsets.count)
        return onsets.map { onset in beats.map { abs(Double($0) / 1e6 - onset) }.min() ?? .infinity }.max() ?? .infinity
    }

    @Test func theBeatComesWhenTheSongIsHeard() throws {
        let time = try SessionInTime(options(), [SessionInTime.listed(8, beatFrames: 48_000)])
        try time.pass(7.3)
        let follower = ClockFollower(time.outlet.clockMessages)
        #expect(time.outlet.clock == ["Drum machine"])
        #expect(follower.orders.last == .start && follower.toldWhileRunning == 0)
        let beats = follower.heard.filter { $0.pulse % 24 == 0 }.map(\.nanoseconds)
        #expect(distance(time, beats: beats) < 1)
        // Between them, evenly.
        let steps = zip(follower.heard, follower.heard.dropFirst()).map { $1.nanoseconds - $0.nanoseconds }
        #expect(steps.allSatisfy { abs($0 - 2_000_000_000 / 48) < 200_000 })
        try time.session.finish()
        #expect(ClockFollower(time.outlet.clockMessages).orders.last == .stop)
        #expect(!ClockFollower(time.outlet.clockMessages).isRunning)
    }

    @Test func theBeatComesWhenTheMetronomeIsHeard() throws {
        let time = try SessionInTime(options())
        try time.pass(0.5)
        // Nothing plays: the usual tempo, and nobody is told to play.
        let before = ClockFollower(time.outlet.clockMessages)
        #expect(!before.isRunning && before.orders == [] && before.pulses.count > 20)
        try time.session.perform(.metronome(true, tempo: 60))
        try time.pass(5)
        try time.session.perform(.metronome(true, tempo: 90))
        try time.pass(5)
        let follower = ClockFollower(time.outlet.clockMessages)
        #expect(follower.orders == [.start])
        #expect(distance(time, beats: follower.heard.filter { $0.pulse % 24 == 0 }.map(\.nanoseconds)) < 1)
        #expect(onsets(time).count >= 11)
        try time.session.perform(.metronome(false, tempo: nil))
        try time.pass(1)
        #expect(!ClockFollower(time.outlet.clockMessages).isRunning)
        try time.session.finish()
    }

    @Test func aMetronomeThatIsSetByNameIsFollowed() throws {
        let time = try SessionInTime(options())
        try time.session.perform(.metronome(true, tempo: 60))
        try time.pass(1)
        try time.session.perform(.set("metronome.tempo=120"))
        try time.pass(3)
        let last = ClockFollower(time.outlet.clockMessages).pulses.suffix(20)
        #expect(zip(last, last.dropFirst()).allSatisfy { abs($1 - $0 - 500_000_000 / 24) < 100_000 })
        try time.session.finish()
    }

    /// Commands by chance, at times by chance: whoever follows stands where the music that is heard stands.
    @Test(arguments: 1...3 as ClosedRange<UInt64>) func whoeverFollowsStandsWhereTheMusicStands(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let songs = [SessionInTime.listed(40, key: 60, beatFrames: 9_600), SessionInTime.listed(30, key: 64, beatFrames: 16_000)]
        let time = try SessionInTime(options { $0.ports = 0 }, songs)
        let latency = time.session.graph.latency
        // Where the music stands on each frame of the renderer, as the transport says at the time.
        var truth: [(time: Int64, pulses: Double?)] = [], known: Int64 = 0, jumps: [ClosedRange<Int64>] = []
        func note() {
            let now = time.session.sampleTime.rawValue
            while known < now {
                let position = time.session.playlist?.current.transport.position(at: SampleTime(known))
                truth.append((known, position.flatMap { $0.isRunning ? Double($0.tick) / 20 : nil }))
                known += 16
            }
        }
        try time.pass(0.5)
        note()
        let commands: [ControlCommand] = [
            .togglePlay, .play, .play, .seek(.seconds(3.3)), .seek(.bySeconds(-0.7)), .seek(.bar(3)), .tempo(1.7), .tempo(0.6),
            .tempo(1), .next, .previous, .repeats(.all), .repeats(.off), .stop,
        ]
        for _ in 0..<40 {
            note()
            let command = commands.randomElement(using: &random) ?? .play
            try time.session.perform(command)
            jumps.append(time.session.sampleTime.rawValue...time.session.core.soon.rawValue + 64)
            for _ in 0..<Int.random(in: 1...80, using: &random) {
                try time.pass(0.01)
                note()
            }
        }
        let status = try #require(time.port.status.time)
        let horizon = time.session.sampleTime.rawValue
        let follower = ClockFollower(time.outlet.clockMessages)
        #expect(follower.toldWhileRunning == 0)
        var checked = 0
        for (nanoseconds, pulse) in follower.heard {
            let frame = status.sampleTime(atNanoseconds: nanoseconds).rawValue - Int64(latency)
            guard frame >= 0, frame < horizon, Int(frame / 16) < truth.count else { continue }
            // Between a command and what it does, a song that was left is not known any more.
            if jumps.contains(where: { $0.contains(frame) }) { continue }
            // A border may lie within the grid of the truth.
            let around = truth[max(Int(frame / 16) - 2, 0)...min(Int(frame / 16) + 2, truth.count - 1)].compactMap(\.pulses)
            #expect(
                around.contains { abs($0 - Double(pulse)) < 0.3 }, "\(seed): frame \(frame): pulse \(pulse), music at \(around)")
            checked += 1
        }
        #expect(checked > 100)
        // While the music runs, nobody waits for longer than a sixteenth and a bit.
        let heard = follower.heard.map { status.sampleTime(atNanoseconds: $0.nanoseconds).rawValue - Int64(latency) }
        var run = 0
        for (frame, pulses) in truth {
            run =
                pulses == nil || jumps.contains { ($0.lowerBound - 4_800...$0.upperBound + 4_800).contains(frame) } ? 0 : run + 16
            if run > 20_000 { #expect(heard.contains { abs($0 - frame) < 2_000 }, "\(seed): silence at \(frame)") }
        }
        try time.session.finish()
        #expect(!ClockFollower(time.outlet.clockMessages).isRunning)
    }

    @Test func aListThatGoesOnAndLoopsIsFollowed() throws {
        let songs = [SessionInTime.listed(4, key: 60, beatFrames: 9_600), SessionInTime.listed(3, key: 64, beatFrames: 9_600)]
        let time = try SessionInTime(options(), songs)
        try time.session.perform(.repeats(.all))
        try time.pass(6)
        let follower = ClockFollower(time.outlet.clockMessages.filter { $0.nanoseconds < time.port.nanoseconds })
        // 1.4 s a round: at each border a stop and a start.
        #expect(follower.orders.filter { $0 == .start }.count >= 8)
        let pulses = follower.heard.map(\.pulse)
        for (pulse, next) in zip(pulses, pulses.dropFirst()) {
            #expect(next == pulse + 1 || next == 0 && [95, 94, 71, 70].contains(pulse), "\(pulse) \(next)")
        }
        try time.session.finish()
    }

    @Test func whoComesLateIsToldWhereTheMusicStands() throws {
        let time = try SessionInTime(options(), [SessionInTime.listed(40, beatFrames: 24_000)])
        try time.pass(2)
        let before = time.outlet.clockMessages.count { $0.nanoseconds < time.port.nanoseconds }
        time.outlet.connectClock()
        try time.pass(2)
        // What the newcomer hears, from nothing.
        let late = ClockFollower(Array(time.outlet.clockMessages.dropFirst(before)))
        let other = ClockFollower(time.outlet.clockMessages)
        #expect(late.isRunning && late.next == other.next && late.heard.count > 50)
        #expect(late.orders.contains(.continue))
        try time.session.finish()
    }

    @Test func lostTimeOfTheDeviceIsMadeGood() throws {
        let time = try SessionInTime(options(), [SessionInTime.listed(12, beatFrames: 48_000)])
        time.port.troubles = [.holdUp(at: 3.2, lasting: 0.15)]
        try time.pass(8.5)
        let follower = ClockFollower(time.outlet.clockMessages)
        let status = try #require(time.port.status.time)
        let now = time.port.nanoseconds
        let latency = time.session.graph.latency
        for (nanoseconds, pulse) in follower.heard where nanoseconds > 5_000_000_000 && nanoseconds < now {
            let frame = status.sampleTime(atNanoseconds: nanoseconds) + -latency
            let position = time.session.playlist?.current.transport.position(at: frame)
            #expect(abs(Double(position?.tick ?? 0) / 20 - Double(pulse)) < 0.3)
        }
        #expect(follower.isRunning && follower.heard.count > 150)
        try time.session.finish()
    }

    @Test func theControlSideMayBeLate() throws {
        let time = try SessionInTime(options(), [SessionInTime.listed(40, beatFrames: 24_000)])
        try time.pass(1)
        for _ in 0..<5 {
            time.port.advance(seconds: 0.4)
            try time.session.maintain()
        }
        let before = ClockFollower(time.outlet.clockMessages)
        #expect(before.orders.filter { $0 != .start } == [])
        let steps = zip(before.pulses, before.pulses.dropFirst()).map { $1 - $0 }.suffix(100)
        #expect(steps.allSatisfy { abs($0 - 500_000_000 / 24) < 200_000 })
        // Too late even for what was handed over: then all are told anew.
        time.port.advance(seconds: 1.5)
        try time.session.maintain()
        try time.pass(1)
        let after = ClockFollower(time.outlet.clockMessages)
        #expect(after.orders.suffix(2).first.map { if case .position = $0 { true } else { false } } == true)
        #expect(after.orders.last == .continue && after.toldWhileRunning == 0)
        try time.session.finish()
    }

    @Test func withoutAPortThatGetsItThereIsNoClock() throws {
        let time = try SessionInTime(options { $0.connections.clock = [] }, [SessionInTime.listed(4)])
        try time.pass(1)
        #expect(time.outlet.clockMessages == [])
        try time.session.finish()
        #expect(time.outlet.clockMessages == [])
        #expect(throws: Fault.self) { try SessionInTime(options { $0.connections.clock = ["any"] }) }
    }
}
