import AudioFiles
import EngineCore
import Graphs
import MIDI
import RealtimeCore
import RemoteIO
import Reports
import Sequencer
import SongRendering
import UnitAPI

extension GraphReport {
    /// Reports the graph of a song, with each unit's share of the time, measured by rendering the first `seconds` of the song (at
    /// least 1), or all of a shorter one.
    ///
    /// - Throws: the errors of `SongRenderer`.
    public init(
        of song: Song, options: RenderOptions, measuring seconds: Double = 5,
        progress: () -> Void = {}
    ) throws(Fault) {
        var options = options
        options.maximumDuration = seconds
        let renderer = try SongRenderer(song, options: options)
        for node in renderer.engine.graph.nodes { node.instance.measureTime() }
        let done = try renderer.render(into: { _, _ throws(AudioFileError) in }) { _ in
            progress()
            return true
        }
        self.init(renderer.engine)
        measuredSeconds = Double(done.frames) / sampleRate
    }

    /// The graph of a live session before anything is played. The shares are measured with a chord held on the first
    /// channel for `seconds`.
    ///
    /// - Throws: `engine` for an invalid duration, or one longer than a render may be; else as `Session`.
    public init(
        live options: LiveOptions, measuring seconds: Double = 5, progress: () -> Void = {}
    ) throws(Fault) {
        try options.check()
        let engine = try PatchStage(options, PreparedPatch(options, songs: nil)).engine
        for node in engine.graph.nodes { node.instance.measureTime() }
        for key: UInt8 in [48, 55, 60, 64] {
            try engine.send(.message(MIDIMessage(status: 0x90, data1: key, data2: 96)), at: .zero)
        }
        let output = try engine.offlineOutput()
        var left = try engine.fileFrames(seconds)
        while left > 0 {
            let frames = Int(min(left, 512))
            engine.companionService.attend()
            output.pull(frames)
            left -= Int64(frames)
            progress()
        }
        self.init(engine)
        measuredSeconds = seconds
    }
}
