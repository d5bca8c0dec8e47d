import DSP
import Glibc
import TestFolders

@testable import AudioFiles

typealias TemporaryFolder = TestFolders.TemporaryFolder

/// All bytes of a file.
func bytes(_ path: String) -> [UInt8] { TemporaryFolder.bytes(path) }

/// Two sines with a silent gap, one plane per channel; peak 0.5.
func music(channels: Int = 2, frames: Int = 10_000, rate: Int = 48_000) -> [[Float]] {
    (0..<channels).map { channel in
        (0..<frames).map { frame in
            if frame > frames / 2, frame < frames / 2 + 500 { return 0 }
            return 0.5 * Float(sin(2 * Double.pi * (330 + 110 * Double(channel)) * Double(frame) / Double(rate)))
        }
    }
}

/// Calls `body` with the planes' pointers from `start`.
func withPlanes<R>(_ planes: [[Float]], _ body: ([UnsafePointer<Float>]) throws -> R) rethrows -> R {
    let storage = planes.map { plane in
        let copy = UnsafeMutablePointer<Float>.allocate(capacity: max(plane.count, 1))
        copy.initialize(from: plane, count: plane.count)
        return copy
    }
    defer { storage.forEach { $0.deallocate() } }
    return try body(storage.map { UnsafePointer($0) })
}

/// Writes `planes` in blocks of `block` frames and finishes.
@discardableResult
func write(
    _ planes: [[Float]], to path: String, _ format: AudioFileFormat, rate: Int = 48_000, block: Int = 4096,
    length: AudioFileLength? = nil, layout: SpeakerLayout? = nil
) throws -> AudioFileWriter {
    let frames = planes[0].count
    let writer = try AudioFileWriter(
        path: path, format: format, channels: planes.count, layout: layout, sampleRate: rate,
        length: length ?? .atMost(Int64(frames)))
    try withPlanes(planes) { pointers in
        var done = 0
        while done < frames {
            let part = min(block, frames - done)
            try writer.write(pointers.map { $0 + done }, frames: part)
            done += part
        }
    }
    try writer.finish()
    return writer
}

/// Every format that this module writes and the installed library can.
let availableFormats: [AudioFileFormat] = AudioFileFormat.Container.available.flatMap { container in
    container.isLossy
        ? [try! AudioFileFormat(container)] : container.encodings.map { try! AudioFileFormat(container, encoding: $0) }
}
