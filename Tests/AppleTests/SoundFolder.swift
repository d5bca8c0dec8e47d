import AudioToolbox

@testable import AudioFiles

/// A folder for one test, with files that the library of the project wrote.
final class SoundFolder {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "carillon-apple-\(UUID().uuidString)").path()
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        do { try FileManager.default.removeItem(atPath: path) } catch { print("\(path) stays: \(error)") }
    }

    func url(_ name: String) -> CFURL { NSURL(fileURLWithPath: path + "/" + name) }

    /// A tone of 441 Hz and its octave, each quiet enough for 24 bits to be exact.
    static func tone(_ frames: Int, channels: Int) -> [[Float]] {
        (0..<channels).map { channel in
            (0..<frames).map { frame in
                let turn = Double(frame) * 441 * Double(channel + 1) / 44_100
                return Float((sin(2 * .pi * turn) * 0.5 * 8_388_608).rounded() / 8_388_608)
            }
        }
    }

    /// Writes a tone through libsndfile.
    func write(
        _ name: String, _ container: AudioFileFormat.Container, _ encoding: AudioFileFormat.Encoding?, frames: Int, channels: Int
    ) throws {
        let tone = Self.tone(frames, channels: channels)
        let writer = try AudioFileWriter(
            path: path + "/" + name, format: AudioFileFormat(container, encoding: encoding), channels: channels,
            sampleRate: 44_100,
            tags: AudioTags([.title: "Bell", .artist: "Tower"]))
        try tone.withPointers { try writer.write($0, frames: frames) }
        try writer.finish()
    }

    /// Reads all through libsndfile.
    func read(_ name: String) throws -> [[Float]] { try AudioFileReader(path: path + "/" + name).readAll() }
}

extension [[Float]] {
    /// The planes as the writer takes them.
    func withPointers<Result>(_ body: ([UnsafePointer<Float>]) throws -> Result) rethrows -> Result {
        let places = map { plane in
            let place = UnsafeMutablePointer<Float>.allocate(capacity: Swift.max(1, plane.count))
            place.initialize(from: plane, count: plane.count)
            return place
        }
        defer { places.forEach { $0.deallocate() } }
        return try body(places.map { UnsafePointer($0) })
    }
}

/// A description of interleaved linear PCM.
func pcm(_ bits: UInt32, _ flags: AudioFormatFlags, rate: Double = 44_100, channels: UInt32 = 2, planar: Bool = false)
    -> AudioStreamBasicDescription
{
    let frame = bits / 8 * (planar ? 1 : channels)
    return AudioStreamBasicDescription(
        mSampleRate: rate, mFormatID: kAudioFormatLinearPCM,
        mFormatFlags: flags | kAudioFormatFlagIsPacked | (planar ? kAudioFormatFlagIsNonInterleaved : 0), mBytesPerPacket: frame,
        mFramesPerPacket: 1, mBytesPerFrame: frame, mChannelsPerFrame: channels, mBitsPerChannel: bits, mReserved: 0)
}

let integer = kAudioFormatFlagIsSignedInteger, float = kAudioFormatFlagIsFloat, big = kAudioFormatFlagIsBigEndian

/// A sample of the tone of 441 Hz at half of full scale.
func toneSample(_ frame: Int, rate: Double) -> Float {
    let turn: Double = Double(frame) * 441 / rate
    return Float(sin(2 * Double.pi * turn) * 0.5)
}

/// The greatest distance from that tone in a range of frames.
func worstError(_ samples: [Float], rate: Double, _ frames: Range<Int>) -> Float {
    var worst: Float = 0
    for frame in frames { worst = max(worst, abs(samples[frame] - toneSample(frame, rate: rate))) }
    return worst
}
