import Carillon
import Glibc

/// What callbacks write down, offline, on the thread of the test that asks.
final class CallbackNotes: @unchecked Sendable {
    var calls: [(time: SampleTime, frames: Int)] = []
    var names: [String] = []
    var isMuted = false, hearsSilence = false

    /// 500 Hz at half of full scale.
    static func sine(_ frame: Int64) -> Float { Float(0.5 * sin(Double(frame) * (2 * .pi / 96))) }
}

extension Graph {
    /// Adds a source of one value.
    mutating func addSteady(_ value: Float, name: String = "steady") throws(Fault) -> NodeID {
        try add(source: name) { io in
            for channel in 0..<2 {
                for i in 0..<io.frames { io.output(0, channel)[i] = value }
            }
            return .sounding
        }
    }

    /// Adds a source of `CallbackNotes.sine`.
    mutating func addSine() throws(Fault) -> NodeID {
        try add(source: "sine") { io in
            for channel in 0..<2 {
                for i in 0..<io.frames { io.output(0, channel)[i] = CallbackNotes.sine((io.sampleTime + i).rawValue) }
            }
            return .sounding
        }
    }

    /// Adds an effect that changes nothing and notes when it is called.
    mutating func addNoting(_ name: String, _ notes: CallbackNotes) throws(Fault) -> NodeID {
        try add(effect: name) { io in
            notes.names.append(name)
            for channel in 0..<2 {
                for i in 0..<io.frames { io.output(0, channel)[i] = io.input(0, channel)[i] }
            }
            return .sounding
        }
    }
}
