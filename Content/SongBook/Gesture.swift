/// Something that a player does between the notes.
public struct Gesture: Sendable {
    public var tick: Int
    public var action: Action

    /// The change that is made to a channel.
    public enum Action: Sendable, Equatable {
        case controller(Int, Int)
        case program(Int)
        /// -8192...8191.
        case bend(Int)
        case channelPressure(Int)
        case keyPressure(key: Int, Int)
    }

    public init(_ tick: Int, _ action: Action) {
        self.tick = tick
        self.action = action
    }

    /// The pedal goes down and comes up at these ticks, in turn. 64 is sustain, 66 sostenuto, 67 soft.
    public static func pedal(_ spans: [(down: Int, up: Int)], controller: Int = 64) -> [Gesture] {
        spans.flatMap { [Gesture($0.down, .controller(controller, 127)), Gesture($0.up, .controller(controller, 0))] }
    }

    /// A controller moves evenly from one value to another, one message every `step` ticks, both ends included.
    public static func sweep(
        _ controller: Int, from first: Int, to last: Int, start: Int, end: Int,
        step: Int = 60
    ) -> [Gesture] {
        line(from: first, to: last, start: start, end: end, step: step).map {
            Gesture($0.tick, .controller(controller, $0.value))
        }
    }

    /// A bend moves evenly, as `sweep`.
    public static func bend(from first: Int, to last: Int, start: Int, end: Int, step: Int = 20) -> [Gesture] {
        line(from: first, to: last, start: start, end: end, step: step).map { Gesture($0.tick, .bend($0.value)) }
    }

    /// RPN 0, pitch bend sensitivity, closed again with RPN null.
    public static func bendRange(_ semitones: Int, at tick: Int) -> [Gesture] {
        [(101, 0), (100, 0), (6, semitones), (38, 0), (101, 127), (100, 127)].map {
            Gesture(tick, .controller($0.0, $0.1))
        }
    }

    static func line(from first: Int, to last: Int, start: Int, end: Int, step: Int) -> [(tick: Int, value: Int)] {
        let steps = max((end - start) / step, 1)
        return (0...steps).map { (start + (end - start) * $0 / steps, first + (last - first) * $0 / steps) }
    }
}

extension [Gesture] {
    /// The gestures in order of time; those at one tick stay as they were written.
    var byTick: [Gesture] {
        enumerated().sorted { ($0.element.tick, $0.offset) < ($1.element.tick, $1.offset) }.map(\.element)
    }
}
