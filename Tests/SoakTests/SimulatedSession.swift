import Graph
import MIDI
import RealtimeCore
import RemoteIO
import Sequencer

@testable import Carillon

/// A session in simulated time: engine, graph, song player and recorder of a live one, pulled as fast as it goes.
final class SimulatedSession {
    static let sampleRate = 8_000

    let engine: Engine
    let graph: SongGraph
    let player: SongPlayer
    private(set) var recorder = MIDIRecorder(frames: 600 * SimulatedSession.sampleRate)
    /// Called with everything that takes effect.
    var hears: (PerformedEvent) -> Void = { _ in }
    private let output: OfflineOutput
    private static let longestSlice = 512

    /// Plays `songs` with square waves; the first slice is at `start`.
    init(_ songs: [SessionSong], start: SampleTime) throws {
        var options = LiveOptions()
        options.instrument = .squareWave
        options.sampleRate = Self.sampleRate
        let timelines = try SongPlayer.timelines(songs, sampleRate: Self.sampleRate)
        (engine, graph) = try LiveGraph.make(options, timelines: timelines, start: start)
        player = SongPlayer(songs, timelines)
        output = try OfflineOutput(renderer: engine.renderer, channels: 2, maximumFrames: Self.longestSlice)
    }

    var now: SampleTime { engine.renderer.sampleTime }
    private var soon: SampleTime { now + 2 * Self.longestSlice }

    func perform(_ command: ControlCommand) throws { try play(player.perform(command, now: now, soon: soon)) }

    /// Lets so many frames pass, in slices that `slice` chooses. Returns the highest sample.
    @discardableResult
    func pass(_ frames: Int, slice: () -> Int = { SimulatedSession.longestSlice }) throws -> Float {
        var left = frames, peak: Float = 0
        while left > 0 {
            let count = min(slice(), left)
            output.pull(count)
            for channel in 0..<2 {
                for i in 0..<count { peak = max(peak, abs(output.buffer.channels[channel][i])) }
            }
            left -= count
            try maintain()
        }
        return peak
    }

    /// What `LiveSession.maintain` does, without a device.
    private func maintain() throws {
        while let event = engine.renderer.nextPerformed() {
            hears(event)
            recorder.record(Journal.Entry(time: event.command.time, unit: nil, event: event.command.event))
        }
        recorder.forget(before: now + -recorder.frames)
        try play(player.advance(now: now, soon: soon))
        try engine.maintain()
    }

    private func play(_ segments: [ScoreSegment]) throws {
        for segment in segments where !engine.renderer.play(segment) { throw LiveError.engine(.queueFull) }
    }
}
