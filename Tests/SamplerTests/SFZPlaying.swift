import Glibc
import MIDI
import RealtimeCore
import UnitAPI

@testable import Samplers

enum SFZMove {
    case on(UInt8, UInt8)
    case off(UInt8)
    case control(UInt8, UInt8)
    case bend(Int)
    /// A message as it is: status, key, value.
    case message(UInt8, UInt8, UInt8)
}

/// Plays SFZ texts and measures what is heard.
protocol SFZPlaying {}

extension SFZPlaying {
    /// A region with the triangle of 440 Hz at key 69, which loops.
    static func region(_ opcodes: String = "") -> String {
        "<region> sample=mono.wav pitch_keycenter=69 loop_mode=loop_continuous \(opcodes)\n"
    }

    /// One side of what comes of moves at seconds.
    func sound(
        _ text: String, _ moves: [(Double, SFZMove)], seconds: Double = 2, block: Int = 4_096, threads: Int = 1,
        beside other: String? = nil, values: [String: Float] = [:]
    ) throws -> [Float] {
        try sides(text, moves, seconds: seconds, block: block, threads: threads, beside: other, values: values)[0]
    }

    /// Both sides.
    func sides(
        _ text: String, _ moves: [(Double, SFZMove)], seconds: Double = 2, block: Int = 4_096, threads: Int = 1,
        beside other: String? = nil, values: [String: Float] = [:]
    ) throws -> [[Float]] {
        let events = moves.map { time, move in
            let frame = Int(time * 48_000)
            return switch move {
            case .on(let key, let velocity): SamplerRig.note(frame, key, velocity)
            case .off(let key): SamplerRig.message(frame, 0x80, key, 64)
            case .control(let number, let value): SamplerRig.message(frame, 0xB0, number, value)
            case .bend(let wheel):
                SamplerRig.message(frame, 0xE0, UInt8((wheel + 8_192) & 127), UInt8((wheel + 8_192) >> 7))
            case .message(let status, let key, let value): SamplerRig.message(frame, status, key, value)
            }
        }
        return try TinySFZ(text: text, others: other.map { [("other.sfz", $0)] } ?? []).write { path in
            var properties: [String: PropertyValue] = [:]
            if other != nil {
                properties["soundfonts"] = .list([.text(path), .text(path.replacing("x.sfz", with: "other.sfz"))])
                properties["bank-offsets"] = .list([.integer(0), .integer(1)])
            }
            return try SamplerRig(path, values: values, properties: properties, threads: threads)
                .play(events, frames: Int(seconds * 48_000), block: block)
        }
    }

    func level(_ sound: [Float], _ seconds: ClosedRange<Double>) -> Double {
        let frames = Int(seconds.lowerBound * 48_000)..<Int(seconds.upperBound * 48_000)
        let power = frames.reduce(0.0) { $0 + Double(sound[$1] * sound[$1]) } / Double(frames.count)
        return 10 * log10(max(power, 1e-14))
    }

    func hertz(_ sound: [Float], _ seconds: ClosedRange<Double>) -> Double {
        let frames = Int(seconds.lowerBound * 48_000)..<Int(seconds.upperBound * 48_000)
        let turns = frames.count { sound[$0] <= 0 && sound[$0 + 1] > 0 }
        return Double(turns) / (seconds.upperBound - seconds.lowerBound)
    }

    /// Strokes of a key, or of one key after the other.
    static func strokes(
        _ count: Int, from start: Double, every: Double, length: Double, key: UInt8 = 69, up: UInt8 = 0
    ) -> [(Double, SFZMove)] {
        var moves: [(Double, SFZMove)] = []
        for number in 0..<count {
            let time = start + every * Double(number), struck = key + up * UInt8(number)
            moves.append((time, .on(struck, 100)))
            moves.append((time + length, .off(struck)))
        }
        return moves
    }

    /// Four notes of a quarter of a second, and the pitch of each, in octaves above 440 Hz.
    func octaves(_ text: String, _ more: [(Double, SFZMove)] = []) throws -> [Int] {
        let notes = Self.strokes(4, from: 0.1, every: 0.4, length: 0.25)
        let sound = try sound(text, (notes + more).sorted { $0.0 < $1.0 })
        return (0..<4).map { note in
            let begin = 0.1 + 0.4 * Double(note)
            let part = (begin + 0.05)...(begin + 0.2)
            return level(sound, part) < -90 ? -1 : Int(log2(hertz(sound, part) / 440).rounded())
        }
    }
}
