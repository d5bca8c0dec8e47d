import AudioFiles
import DSP
import SampleRate

/// The file of a recorder: frames in at the engine's rate, a file at its own, which is whole every second.
final class RecordedFile {
    let writer: AudioFileWriter
    private let converter: SampleRateConverter
    private let output: [UnsafeMutablePointer<Float>]
    private static let outputFrames = 1024
    private var checkpoint: Int64

    /// Creates the file. - Throws: as `AudioFileWriter`; `sampleRateNotOffered` if the rate cannot be converted.
    init(
        path: String, format: AudioFileFormat, channels: Int, layout: SpeakerLayout?, sampleRate: Int, engineRate: Int
    ) throws(AudioFileError) {
        do throws(SampleRateError) {
            converter = try SampleRateConverter(from: engineRate, to: sampleRate, channels: channels)
        } catch { throw .sampleRateNotOffered(container: format.container, sampleRate: sampleRate) }
        writer = try AudioFileWriter(
            path: path, format: format, channels: channels, layout: layout, sampleRate: sampleRate, isRecording: true)
        output = (0..<channels).map { _ in .allocate(capacity: Self.outputFrames) }
        checkpoint = Int64(sampleRate)
    }

    deinit { for plane in output { plane.deallocate() } }

    /// Writes frames at the engine's rate, one array per channel. - Throws: as `AudioFileWriter.write`.
    func write(_ planes: [[Float]], frames: Int) throws(AudioFileError) {
        do { try converter.push(planes, frames: frames) } catch {
            throw .encodingFailed(path: writer.path, message: error.description)
        }
        try writeConverted()
        if writer.framesWritten >= checkpoint {
            try writer.makeCheckpoint()
            checkpoint = writer.framesWritten + Int64(writer.sampleRate)
        }
    }

    /// Writes the frames that the converter holds back, and completes the file. - Throws: as `AudioFileWriter.finish`.
    func finish() throws(AudioFileError) {
        converter.flush()
        try writeConverted()
        try writer.finish()
    }

    private func writeConverted() throws(AudioFileError) {
        while true {
            let count: Int
            do { count = try converter.pull(output, capacity: Self.outputFrames) } catch {
                throw .encodingFailed(path: writer.path, message: error.description)
            }
            if count == 0 { return }
            try writer.write(output.map { UnsafePointer($0) }, frames: count)
        }
    }
}
