import AudioFiles
import DSP
import Graphs
import RealtimeCore
import UnitAPI
import Units

extension Engine {
    /// Records the output of a unit's bus into a file, channel by channel, while it plays; see `AudioRecorder`.
    ///
    /// If the loudspeakers of the channels are known, the file names them (`layout(of:bus:)`), and keeps them in its own order.
    ///
    /// In a graph that sounds already, the unit that listens is faded in: if the time is nil or too near for that, the
    /// recording begins as soon as all of the sound arrives, within some 1000 frames.
    ///
    /// - Parameters:
    ///   - path: its ending says the format; a file of that name must not be there.
    ///   - format: the format, which overrides the ending; nil for the one of the ending, as floating point if it has that.
    ///   - rate: frames per second in the file; nil for the engine's. Others are converted by libsoxr.
    ///   - time: the first frame; nil for the next that can be.
    ///   - seconds: the length of the recording, rounded to a frame; nil: until it is stopped.
    /// - Throws: for a duration out of range, for what cannot be written, and for a unit or bus that is not there. Then there is
    ///   no file.
    public func record(
        _ node: NodeID, bus: Int = 0, to path: String, format: AudioFileFormat? = nil, sampleRate rate: Int? = nil,
        at time: SampleTime? = nil, seconds: Double? = nil
    ) throws(Fault) -> AudioRecorder {
        try graph.checkRate()
        let length = try seconds.map { (seconds) throws(Fault) in try fileFrames(seconds) }
        let engineRate = Int(sampleRate.rounded()), file: RecordedFile
        let layout = try layout(of: node, bus: bus), count = try graph.channels(of: node, bus: bus)
        // Of a bus that is wider than its loudspeakers are many, those.
        let width = layout?.channels ?? count
        do throws(AudioFileError) {
            let format = if let format { format } else { try AudioFileFormat(recording: path) }
            file = try RecordedFile(
                path: path, format: format, channels: width, layout: layout,
                sampleRate: rate ?? engineRate, engineRate: engineRate)
        } catch { throw Fault(error) }
        let hasSounded = renderer.sampleTime != startTime
        let tap = try tap(
            node, bus: bus, name: "recorder", properties: ["seconds": .number(10), "follows-slices": .flag(true)])
        let recorder = AudioRecorder(file, tap: tap, renderer: renderer)
        let first = hasSounded ? now + 1024 : renderer.sampleTime
        let begin = time.map { max($0, first) } ?? first
        recorder.begin(at: begin)
        if let length { recorder.stop(at: begin + Int(length)) }
        recorder.connect()
        return recorder
    }

    /// Writes the sound rendered so far, completes the file, and takes the recorder out of the graph.
    ///
    /// - Throws: `AudioFileError`, also what ended the recording before; `Fault`.
    public func finish(_ recorder: AudioRecorder) throws(Fault) {
        defer { recorder.disconnect() }
        do throws(AudioFileError) { try recorder.finish() } catch {
            try remove(recorder.tap)
            throw Fault(error)
        }
        try remove(recorder.tap)
    }
}

extension AudioFileFormat {
    /// The format of a recording: that of the ending, as floating point if it has that, so that nothing is lost.
    init(recording path: String) throws(AudioFileError) {
        let named = try AudioFileFormat(path: path)
        let holdsFloats = named.container.encodings.contains(.float32)
        self = holdsFloats ? try AudioFileFormat(path: path, bits: .float32) : named
    }
}
