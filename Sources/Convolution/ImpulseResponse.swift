import AudioFiles
import DSP
import RealtimeCore
import Reports
import SampleRate
import UnitAPI

/// The answer of a room or a device to a click, at an engine's rate: from an audio file, or from noise that dies away.
///
/// It has one channel, which serves both sides; two, left and right; or four: left to left, left to right, right to left,
/// right to right. Control side.
package struct ImpulseResponse: Sendable, Equatable {
    /// The longest, in seconds.
    package static let longest = 20.0

    /// The channels, of equal length, at least one frame each.
    package private(set) var planes: [[Float]]
    /// Frames per second.
    package let sampleRate: Double

    /// The room that is there without a file: noise on either side that falls by 60 dB in `decay` seconds, softer in the
    /// treble, until it is 80 dB down. `decay` is brought into 0...`longest`, the rate into `UnitSetup.sampleRates`.
    package init(decay: Double, sampleRate: Double) {
        let sampleRate = UnitSetup.possible(sampleRate), decay = min(max(decay.finite, 0), Self.longest)
        self.sampleRate = sampleRate
        let frames = max(Int(decay * sampleRate * 4 / 3), 1)
        // One pole at 5 kHz on the way, as of carpets and people.
        let share = 1 - DeterministicMath.exp2(-9.064720283654388 * min(5_000 / sampleRate, 0.4))
        let fall = -9.965784284662087 / (decay * sampleRate)    // log2 of 1000, a frame
        let noise = CounterNoise(seed: 1)
        var left = [Float](repeating: 0, count: frames), right = left, low = (0.0, 0.0)
        for n in 0..<frames {
            let pair = noise.pair(at: Int64(n)), height = DeterministicMath.exp2(fall * Double(n))
            low.0 += share * (pair.left - low.0)
            low.1 += share * (pair.right - low.1)
            (left[n], right[n]) = (Float(low.0 * height), Float(low.1 * height))
        }
        planes = [left, right]
    }

    /// The response in the file at `path`, at `sampleRate` frames per second; silence at its end is left away.
    ///
    /// Its gain stays what it is at the file's own rate.
    /// - Throws: for a file that cannot be read or is no impulse response: a rate that cannot be converted, not 1, 2 or 4
    ///   channels, more than 20 seconds, silence, samples that are no numbers.
    package init(path: String, sampleRate: Double) throws(Fault) {
        let reader: AudioFileReader
        do { reader = try AudioFileReader(path: path) } catch { throw .unreadable(error) }
        guard [1, 2, 4].contains(reader.channels) else { throw .channels(path: path, count: reader.channels) }
        let longest = Int64(Self.longest * Double(reader.sampleRate))
        guard reader.frames <= longest else {
            throw .tooLong(path: path, seconds: Double(reader.frames) / Double(reader.sampleRate))
        }
        var planes: [[Float]]
        do { planes = try reader.readAll() } catch { throw .unreadable(error) }
        guard planes.allSatisfy({ $0.allSatisfy(\.isFinite) }) else { throw .notANumber(path: path) }
        guard planes[0].count <= longest else {
            throw .tooLong(path: path, seconds: Double(planes[0].count) / Double(reader.sampleRate))
        }
        let end = planes.map { ($0.lastIndex { $0 != 0 } ?? -1) + 1 }.max() ?? 0
        guard end > 0 else { throw .silent(path: path) }
        planes = planes.map { Array($0[..<end]) }
        let rate = Int(nearest: sampleRate)
        if rate != reader.sampleRate {
            do {
                planes = try SampleRateConverter.convert(planes, from: reader.sampleRate, to: rate, quality: .veryHigh)
            } catch { throw Fault("\(error)", .data, of: path) }
            // As many more frames as there are, as much less each counts.
            let gain = Float(Double(reader.sampleRate) / Double(rate))
            planes = planes.map { $0.map { $0 * gain } }
        }
        self.planes = planes
        self.sampleRate = sampleRate
    }

    /// Seconds that it lasts.
    package var seconds: Double { Double(planes[0].count) / sampleRate }

    /// Ends after `seconds` if it is longer; the last tenth of them fades away.
    package mutating func cut(to seconds: Double) {
        let frames = max(Int(min(max(seconds.finite, 0), Self.longest) * sampleRate), 1), fade = frames / 10
        guard frames < planes[0].count else { return }
        for channel in planes.indices {
            planes[channel].removeSubrange(frames...)
            for k in 0..<fade {
                planes[channel][frames - 1 - k] *= Float(
                    0.5 - 0.5 * DeterministicMath.cosine(turns: Double(k + 1) / Double(2 * (fade + 1))))
            }
        }
    }

    /// Scales the response so that steady noise keeps its level, on the louder of both sides.
    package mutating func normalize() {
        func energy(_ channel: Int) -> Double { planes[channel].reduce(0) { $0 + Double($1) * Double($1) } }
        let sides = planes.count == 4 ? [energy(0) + energy(2), energy(1) + energy(3)] : planes.indices.map(energy)
        let loudest = sides.max() ?? 0
        guard loudest > 0 else { return }
        let gain = Float(1 / DeterministicMath.squareRoot(loudest))
        planes = planes.map { $0.map { $0 * gain } }
    }
}

/// Files that are no impulse responses.
extension Fault {
    static func channels(path: String, count: Int) -> Fault {
        Fault(
            "has \(count) channels; an impulse response has 1, 2, or 4 (left to left, left to right, right to left, "
                + "right to right)", .data, of: path)
    }
    static func tooLong(path: String, seconds: Double) -> Fault {
        Fault(
            "lasts \((seconds * 10).rounded() / 10) s", .data, of: path,
            remedy: "cut it to \(Int(ImpulseResponse.longest)) s or less")
    }
    static func silent(path: String) -> Fault {
        Fault("contains only silence", .data, of: path, remedy: "choose a recording of a click in a room")
    }
    static func notANumber(path: String) -> Fault {
        Fault("contains samples that are not numbers", .data, of: path, remedy: "write it again")
    }
}
