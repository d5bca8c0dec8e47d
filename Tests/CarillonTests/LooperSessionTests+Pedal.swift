import Carillon
import RemoteIO
import Testing

@testable import Sessions

/// Presses of the looper's one pedal.
extension LooperSessionTests {
    /// A press that ends a layer, and a second one that is held to take it back: the loop stays.
    @Test func aSecondPressThatIsHeldClearsNothing() throws {
        for seconds in [1, 1, 1, 0.3] { try tread(then: seconds) }
        try pedal(127, then: 1)
        #expect(loop.layers == 1 && loop.undone == 1, "\(loop)")
        try session.finish()
    }

    /// What a press has begun and a second press or a hold takes back does not come back at its bar.
    @Test(arguments: ["audio", "midi"]) func whatIsTakenBackBeforeItsBarStaysSo(_ kind: String) throws {
        try session.perform(.looper(kind: kind == "midi" ? .midi : .audio, track: 1))
        try session.perform(.metronome(true, tempo: 120))
        try pass(0.5)
        for action in ["record", "overdub", "play"] {
            try ask(action, 1)
            try pass(1.7)
            try note(60)
            try pass(0.3)
        }
        try pass(0.5)
        #expect(loop.state == "playing" && loop.layers == 2, "\(loop)")
        // Bars begin at even seconds: each press comes in the middle of one.
        try pedal(127, then: 0.9)
        #expect(loop.layers == 1 && loop.undone == 1, "\(loop)")
        try pedal(0, then: 2.1)
        #expect(loop.layers == 1 && loop.state == "playing", "\(loop)")
        try pedal(127, then: 0.9)
        try pedal(0, then: 2.1)
        #expect(loop.layers == 2 && loop.state == "playing", "\(loop)")
        for seconds in [0.2, 0.3] { try tread(then: seconds) }
        #expect(loop.state == "stopped", "\(loop)")
        try pass(2.5)
        #expect(loop.state == "stopped" && loop.layers == 2, "\(loop)")
        try tread(then: 2.5)
        #expect(loop.state == "playing" && loop.layers == 2, "\(loop)")
        try session.finish()
    }

    /// The first press of a session keeps what sounds from then on, as any later one does.
    @Test func theFirstPressLosesNothing() throws {
        func soundingFrames() throws -> Int {
            try session.perform(.pressKey(channel: 1, key: 60, velocity: 100))
            try pass(0.3)
            try tread(then: 0.7)
            try session.perform(.liftKey(channel: 1, key: 60))
            try pass(0.3)
            try tread(then: 1.5)
            let before = port.played[0].count
            try pass(1)
            try ask("clear")
            try pass(0.5)
            return port.played[0][before..<(before + 48_000)].count { abs($0) > 0.001 }
        }
        let first = try soundingFrames(), second = try soundingFrames()
        #expect(first > 30_000 && first > second - 100, "\(first) and \(second)")
        try session.finish()
    }

    /// Panic stops loops of sound, too; they are there still.
    @Test func panicStopsLoops() throws {
        for seconds in [1, 0.5] { try tread(then: seconds) }
        #expect(loop.state == "playing")
        try session.perform(.panic(.all))
        try pass(0.3)
        #expect(loop.state == "stopped" && loop.seconds > 0.9)
        try session.finish()
    }

    /// A press that waits for its bar is shown at once.
    @Test(arguments: ["audio", "midi"]) func whatWaitsForItsBarIsShown(_ kind: String) throws {
        try session.perform(.looper(kind: kind == "midi" ? .midi : .audio, track: 1))
        try session.perform(.metronome(true, tempo: 120))
        try pass(0.5)
        try ask("record", 1)
        try pass(0.1)
        #expect(loop.state == "empty" && loop.coming == "recording")
        try pass(2)
        #expect(loop.state == "recording" && loop.coming == nil)
        try session.finish()
    }
}
