import Carillon
import Foundation
import RealtimeCore
import Reports
import TestFolders
import Testing

@testable import Sessions

/// Loops of sound follow the tempo.
@Suite struct LoopStretchTests {
    private let time: SessionInTime
    private var session: Session { time.session }
    private var loop: SessionSnapshot.Loop { session.snapshot.loops[0] }

    init() throws {
        var options = SessionInTime.options
        (options.ports, options.device.loopSeconds) = (1, 10)
        time = try SessionInTime(options)
        try session.perform(.metronome(true, tempo: 120))
        // Its clicks are no onsets of the loop.
        try session.perform(.set("metronome.gain=-60"))
        try time.pass(0.5)
    }

    private func ask(_ action: String, _ track: Int = 1) throws {
        try session.perform(LooperSessionTests.command(action, track))
    }

    /// Records a loop of bars of two seconds with a key some time after its beginning.
    private func record(_ track: Int = 1, bars: Int = 1, key: Int = 72, after seconds: Double = 0.5) throws {
        let bar = try session.core.boundary(.bar)
        try ask("record", track)
        while session.sampleTime < bar { try time.pass(0.01) }
        try time.pass(seconds)
        try session.perform(.note(channel: 1, key: key, velocity: 100, seconds: 0.1))
        try time.pass(2 * Double(bars) - seconds - 0.15)
        try ask("play", track)
        try time.pass(0.5)
    }

    /// The frames on which sound begins after a tenth of a second of quiet, in what is played from now on.
    private func onsets(_ seconds: Double) throws -> [Int] {
        let from = time.port.played[0].count
        try time.pass(seconds)
        var found: [Int] = [], quiet = 0
        for (frame, sample) in time.port.played[0].enumerated().dropFirst(from) {
            if abs(sample) < 0.005 {
                quiet += 1
            } else {
                if quiet > 4_800 { found.append(frame) }
                quiet = 0
            }
        }
        return found
    }

    @Test func loopsOfSoundFollowTheTempo() throws {
        try record()
        #expect(loop.state == "playing" && loop.beats == 4)
        let before = try onsets(6)
        #expect(before.count >= 2 && zip(before, before.dropFirst()).allSatisfy { $1 - $0 == 96_000 })
        try session.perform(.tempo(96))
        #expect(session.takeNotices().last == "the tempo changes once the loops are stretched")
        try time.pass(0.5)
        #expect(session.snapshot.tempo == 96 && abs(loop.beats - 4) < 1e-4 && loop.state == "playing", "\(loop)")
        // The key is on the second beat, as it was; its sound begins within a few milliseconds of it.
        let slow = try onsets(8)
        #expect(slow.count >= 2 && zip(slow, slow.dropFirst()).allSatisfy { $1 - $0 == 120_000 }, "\(slow)")
        let bar = try session.core.boundary(.bar), beat = Double(slow[0]) - Double(bar.rawValue)
        // What is played comes two periods late in the captured order.
        let phase = (beat / 30_000 - 1).remainder(dividingBy: 4)
        #expect(abs(phase) * 30_000 < 800, "\(phase)")
        #expect(session.takeNotices() == ["the tempo is 96, and the loops are stretched to it"])
        // At its own tempo it is what was played, sample for sample.
        try session.perform(.tempo(120))
        try time.pass(1)
        let after = try onsets(6), played = time.port.played[0]
        #expect(after.count >= 2 && zip(after, after.dropFirst()).allSatisfy { $1 - $0 == 96_000 })
        // But for the clicks, at -60 dB.
        let isSame = (0..<48_000).allSatisfy { abs(played[before[0] + $0] - played[after[0] + $0]) < 0.0025 }
        #expect(isSame)
        try session.finish()
    }

    /// A loop that has still to be closed on its bar is stretched after that.
    @Test func aTempoWaitsForWhatWasAskedFor() throws {
        let bar = try session.core.boundary(.bar)
        try ask("record")
        while session.sampleTime < bar { try time.pass(0.01) }
        try time.pass(0.5)
        try session.perform(.note(channel: 1, key: 72, velocity: 100, seconds: 0.1))
        try time.pass(0.5)
        try ask("play")
        try session.perform(.tempo(96))
        try time.pass(0.5)
        #expect(session.snapshot.tempo == 120 && loop.state == "recording")
        try time.pass(2)
        #expect(session.snapshot.tempo == 96 && abs(loop.beats - 4) < 1e-4)
        #expect(try onsets(6).count >= 2)
        try session.finish()
    }

    /// What is recorded meanwhile keeps the tempo as it is; desks that saving has used serve again.
    @Test func recordingAndSavingComeFirst() throws {
        try record()
        try ask("stop")
        try time.pass(0.5)
        try ask("play")
        try session.perform(.tempo(96))
        try ask("overdub")
        try time.pass(1)
        #expect(session.snapshot.tempo == 120)
        #expect(session.takeNotices().contains { $0.hasPrefix("the tempo stays") })
        try time.pass(1.5)
        try ask("play")
        try time.pass(2.5)
        let place = TemporaryFolder(), folder = place.path
        defer { withExtendedLifetime(place) {} }
        try ask("stop")
        try session.perform(.tempo(90))
        for _ in 0..<50 {
            do throws(Fault) { try session.perform(.saveLoops("\(folder)/\(session.sampleTime.rawValue)")) } catch {
                // Loops are being saved or stretched.
            }
            try time.pass(0.06)
        }
        try time.pass(3)
        #expect(abs(loop.beats - 4) < 1e-3 && session.snapshot.tempo == 90, "\(loop)")
        try session.perform(.saveLoops("\(folder)/last"))
        try time.pass(0.5)
        #expect(session.takeNotices().contains { $0.contains("last.yaml") })
        try session.finish()
    }

    @Test func theTempoThatWasAskedForLastCounts() throws {
        try record()
        for request in [ControlCommand.tempo(96), .tempo(97), .looper(.stop, track: 1), .tempo(140)] {
            try session.perform(request)
            try time.pass(0.02)
        }
        try time.pass(3)
        #expect(session.snapshot.tempo == 140 && loop.state == "stopped" && abs(loop.beats - 4) < 1e-3)
        // What is cleared meanwhile is gone, and the tempo comes.
        try ask("play")
        try time.pass(2)
        try session.perform(.tempo(100))
        try ask("clear")
        try time.pass(1)
        #expect(loop.state == "empty")
        try session.perform(.tempo(90))
        #expect(session.snapshot.tempo == 90)
        try session.finish()
    }

    /// What sounds is stretched; what was taken back is gone.
    @Test func layersBecomeOne() throws {
        try record()
        try ask("overdub")
        try time.pass(2.5)
        try session.perform(.note(channel: 1, key: 60, velocity: 100, seconds: 0.1))
        try ask("play")
        try time.pass(2.5)
        try ask("undo")
        try time.pass(0.2)
        #expect(loop.layers == 1 && loop.undone == 1)
        try session.perform(.tempo(100))
        try time.pass(1)
        #expect(session.snapshot.tempo == 100 && loop.layers == 1 && loop.undone == 0 && loop.state == "playing")
        #expect(throws: Fault.self) { try ask("redo") }
        // A layer on the stretched loop makes that the played one.
        try ask("overdub")
        try time.pass(3)
        try ask("play")
        try time.pass(3)
        try session.perform(.tempo(120))
        try time.pass(1)
        #expect(loop.layers == 1 && abs(loop.seconds - 2) < 1e-4 && session.snapshot.tempo == 120)
        try session.finish()
    }

    /// After changes of tempo loops are where calculation has them, forwards, backwards, at half speed, and long after.
    @Test(arguments: ["play", "reverse", "half"]) func stretchedLoopsStayInPhase(_ action: String) throws {
        for bars in [1, 2] { try record(bars, bars: bars) }
        if action != "play" { for track in [1, 2] { try ask(action, track) } }
        try time.pass(0.3)
        func place(_ track: Int) -> Double { session.snapshot.loops[track - 1].position * 48_000 }
        func beat(_ moment: SampleTime) throws -> Double {
            let metronome = try #require(session.parts[MetronomePart.self]?.quarters(at: moment))
            return metronome
        }
        /// The place in a loop by the beats that have passed, from one where both are known.
        var known: [Int: (beat: Double, place: Double)] = [:]
        let speed = action == "play" ? 1.0 : action == "half" ? 0.5 : -1
        for (number, tempo) in [120, 97, 131.5, 66, 120].enumerated() {
            if number > 0 { try session.perform(.tempo(tempo)) }
            try time.pass(number == 4 ? 60 : 2)
            #expect(session.snapshot.tempo == tempo)
            for track in [1, 2] {
                let beats = Double(4 * track), length = beats * 60 * 48_000 / tempo
                let now = try beat(session.sampleTime), share = place(track) / length * beats
                if let known = known[track] {
                    let expected = known.place + (now - known.beat) * speed
                    let error = (share - expected).remainder(dividingBy: beats) * length / beats
                    // The place is shown for whole frames, and before a slice of them.
                    #expect(abs(error) <= 2.5, "\(action) \(track) at \(tempo): \(error)")
                } else {
                    known[track] = (now, share)
                }
            }
        }
        try session.finish()
    }

    @Test func whatCannotBeStretchedIsRefused() throws {
        try record()
        func refusal(_ command: ControlCommand) -> String {
            do { try session.perform(command) } catch { return "\(error)" }
            return ""
        }
        #expect(refusal(.tempo(250)).contains("choose from 60 to 240 while loop 1 plays"))
        try ask("overdub")
        try time.pass(2.5)
        #expect(refusal(.tempo(100)).contains("it records"))
        try ask("play")
        try time.pass(2.5)
        try session.perform(.looper(stretch: false))
        for command in [ControlCommand.tempo(100), .metronome(true, tempo: 100)] {
            #expect(refusal(command).contains("is not stretched"))
        }
        try session.perform(.tap)
        try time.pass(0.7)
        #expect(refusal(.tap).contains("is not stretched"))
        try session.perform(.looper(stretch: true))
        // Taps are one tempo, and a layer stays.
        for _ in 0..<4 {
            try session.perform(.tap)
            try time.pass(0.6)
        }
        try time.pass(1)
        #expect(abs(session.snapshot.tempo - 100) < 1 && loop.layers == 1 && abs(loop.beats - 4) < 1e-3)
        // Loops that stand follow once the tempo stays.
        try ask("stop")
        try time.pass(0.5)
        try session.perform(.tempo(110))
        try time.pass(0.2)
        #expect(session.snapshot.tempo == 110 && abs(loop.beats - 4) > 0.1)
        try time.pass(4)
        #expect(abs(loop.beats - 4) < 1e-3 && loop.state == "stopped", "\(loop)")
        try session.finish()
    }

    /// A loop whose end leads into its beginning still does: a tone goes on over the seam without a step.
    @Test func aStretchedToneHasNoSeam() throws {
        let count = 48_000, step = 2 * Float.pi * 441 / 48_000
        let tone = (0..<count).map { sinf(Float($0) * step) }
        let loop = PlayedLoop(
            length: LoopLength(tempo: 120, exact: Double(count)), sound: [tone, tone], times: 1, joins: true)
        #expect(try loop.stretched(to: 120, sampleRate: 48_000) == [tone, tone])
        for tempo in [61.0, 101, 119, 239] {
            let made = try #require(try loop.stretched(to: tempo, sampleRate: 48_000))
            #expect(made[0].count == Int((Double(count) * 120 / tempo).rounded()))
            let round = made[0] + made[0]
            let steps = zip(round, round.dropFirst()).map { abs($1 - $0) }
            #expect(steps.max()! < step * 1.2, "\(tempo): \(steps.max()!) of \(step)")
            #expect(round.map(abs).max()! < 1.1 && made[0].contains { $0 > 0.9 })
        }
        #expect(try loop.stretched(to: 100, sampleRate: 48_000) { false } == nil)
    }
}
