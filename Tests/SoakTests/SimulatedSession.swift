import Carillon
import Graphs
import MIDI
import RealtimeCore
import RemoteIO
import Sequencer

@testable import EngineCore
@testable import Sessions
@testable import SongRendering

/// A session in simulated time, pulled as fast as it goes in slices of any length.
final class SimulatedSession {
    static let sampleRate = 8_000
    private static let longestSlice = 512

    let session: Session
    private let port = SlicePort(longestSlice: SimulatedSession.longestSlice)

    /// Plays `songs` with square waves; the first slice is at `start`.
    init(_ songs: [SessionSong], start: SampleTime) throws {
        var options = LiveOptions()
        options.instrument = .squareWave
        options.sampleRate = Self.sampleRate
        options.device.period = Self.longestSlice
        session = try Session(options, songs: songs, on: port, start: start)
        try session.start()
        try session.perform(.stop)
    }

    var engine: Engine { session.engine }
    var graph: SongGraph { session.graph }
    var now: SampleTime { engine.renderer.sampleTime }
    /// Called with everything that takes effect.
    var hears: (Journal.Entry) -> Void = { _ in } {
        didSet { session.onPerformance = { [hears] in $0.entries.forEach(hears) } }
    }

    func perform(_ command: ControlCommand) throws { try session.perform(command) }

    /// Lets so many frames pass, in slices that `slice` chooses. Returns the highest sample.
    @discardableResult
    func pass(_ frames: Int, slice: () -> Int = { SimulatedSession.longestSlice }) throws -> Float {
        var left = frames, peak: Float = 0
        while left > 0 {
            let count = min(slice(), left)
            peak = max(peak, port.pull(count))
            left -= count
            try session.maintain()
        }
        return peak
    }
}
