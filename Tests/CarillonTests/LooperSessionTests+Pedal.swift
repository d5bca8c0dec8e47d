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
