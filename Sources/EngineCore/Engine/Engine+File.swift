import AudioFiles
import DSP
import RealtimeCore
import RemoteIO
import UnitAPI

/// Sound into files, as fast as it can be made.
extension Engine {
    /// Renders the next seconds into a file, whole or not at all.
    ///
    /// An engine that does not run is started offline for as long as this takes; one that runs offline goes on after the part
    /// that was written. The latency of the graph (`EngineSnapshot.latency`) is part of the file, at its beginning.
    ///
    /// - Parameters:
    ///   - seconds: rounded to a frame; at least one frame, at most 31 622 400 s.
    ///   - path: its ending says the format; "-" is standard output. A file of that name is replaced.
    ///   - format: the format, which overrides the ending; nil for the one of the ending, at its default encoding.
    ///   - layout: the loudspeakers of the file; nil for those that the engine was started with, or else those of the graph
    ///     (`outputLayout`). Sound for others is folded.
    /// - Returns: samples beyond full scale, which the file could not hold as they are; see
    ///   `AudioFileWriter.clippedSamples`.
    /// - Throws: `ParameterError` for a duration out of range; `notOffline` if a device pulls, `alreadyPulled`;
    ///   `AudioFileError`: then no file remains. Impossible requests are refused before anything is rendered.
    @discardableResult
    public func render(
        seconds: Double, to path: String, format: AudioFileFormat? = nil, layout: SpeakerLayout? = nil
    ) throws(Fault) -> Int64 {
        try graph.checkRate()
        let frames = try fileFrames(seconds)
        if let output, output.offline == nil { throw .notOffline(on: output.grant.device) }
        let isStarted = output == nil
        if isStarted { try start(on: .offline(layout: layout ?? outputLayout.heard)) }
        defer { if isStarted { output = nil } }
        let channels = output?.grant.channels ?? 0, made = output?.grant.layout
        if let layout, layout != made {
            throw Fault(
                ParameterError.outOfRange(
                    parameter: "layout", text: layout.rawValue, low: "that of the start",
                    high: made?.rawValue ?? "\(channels) channels"))
        }
        do throws(AudioFileError) {
            let format = if let format { format } else { try AudioFileFormat(path: path) }
            let writer = try AudioFileWriter(
                path: path, format: format, channels: channels, layout: made, sampleRate: Int(sampleRate.rounded()),
                length: .exactly(frames))
            try write(frames, to: writer)
            try writer.finish()
            return writer.clippedSamples
        } catch { throw Fault(error) }
    }

    private func write(_ frames: Int64, to writer: AudioFileWriter) throws(AudioFileError) {
        var left = frames
        while left > 0 {
            let count = Int(min(left, Int64(maximumFrames)))
            guard let offline = output?.offline else { preconditionFailure("the engine runs offline here") }
            pull(count, from: offline)
            try writer.write(offline.buffer.planes.map { UnsafePointer($0) }, frames: count)
            left -= Int64(count)
        }
    }

    /// Frames of a file that is to last so long. Throws `ParameterError` for less than one frame, and for more than a file can
    /// be.
    package func fileFrames(_ seconds: Double) throws(Fault) -> Int64 {
        let longest = Double(EngineSetting.maximumDuration.spec.range.upperBound), frames = (seconds * sampleRate).rounded()
        guard frames >= 1, seconds <= longest else {
            throw Fault(
                ParameterError.outOfRange(
                    parameter: "seconds", text: "\(seconds) s", low: "\(1 / sampleRate) s", high: "\(Int(longest)) s"))
        }
        return Int64(frames)
    }
}
