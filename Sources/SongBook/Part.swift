/// One player: a channel, its sound and place on the stage, and what is played.
public struct Part: Sendable {
    /// The track's name.
    public var name: String
    /// 0...15; 9 is the drums.
    public var channel: UInt8
    /// GM program, 0...127.
    public var program: UInt8
    /// Controllers 7, 10, 91 and 93, 0...127.
    public var volume: UInt8
    public var pan: UInt8
    public var reverb: UInt8
    public var chorus: UInt8
    /// How written notes become played ones.
    public var touch: Touch
    /// As written, in any order.
    public var notes: [ScoreNote]
    /// Controllers, bends, pressures, program changes, by tick.
    public var gestures: [Gesture]
    /// Sung syllables (FF 05), by tick.
    public var lyrics: [(tick: Int, syllable: String)]

    public init(_ name: String, channel: UInt8, program: UInt8, volume: UInt8 = 100, pan: UInt8 = 64, reverb: UInt8 = 40,
                chorus: UInt8 = 0, touch: Touch = Touch(), notes: [ScoreNote] = [], gestures: [Gesture] = [],
                lyrics: [(tick: Int, syllable: String)] = []) {
        self.name = name
        self.channel = channel
        self.program = program
        self.volume = volume
        self.pan = pan
        self.reverb = reverb
        self.chorus = chorus
        self.touch = touch
        self.notes = notes
        self.gestures = gestures
        self.lyrics = lyrics
    }
}

/// A written note.
public struct ScoreNote: Hashable, Sendable {
    /// Unit: ticks.
    public var start: Int
    /// As written, before `Touch` shortens it. Unit: ticks.
    public var length: Int
    /// 0...127, 60 is middle C.
    public var key: Int
    /// 1...127, from the dynamics.
    public var velocity: Int
    public var articulation: Articulation

    public enum Articulation: Hashable, Sendable { case plain, staccato, tenuto }

    public init(start: Int, length: Int, key: Int, velocity: Int, articulation: Articulation = .plain) {
        self.start = start
        self.length = length
        self.key = key
        self.velocity = velocity
        self.articulation = articulation
    }

    /// Later, higher or louder by so much.
    public func shifted(ticks: Int = 0, keys: Int = 0, velocity change: Int = 0) -> ScoreNote {
        ScoreNote(start: start + ticks, length: length, key: key + keys, velocity: min(max(velocity + change, 1), 127),
                  articulation: articulation)
    }
}

/// What a player does between the notes.
public struct Gesture: Sendable {
    public var tick: Int
    public var action: Action

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
    public static func sweep(_ controller: Int, from first: Int, to last: Int, start: Int, end: Int, step: Int = 60) -> [Gesture] {
        line(from: first, to: last, start: start, end: end, step: step).map { Gesture($0.tick, .controller(controller, $0.value)) }
    }

    /// A bend moves evenly, as `sweep`.
    public static func bend(from first: Int, to last: Int, start: Int, end: Int, step: Int = 20) -> [Gesture] {
        line(from: first, to: last, start: start, end: end, step: step).map { Gesture($0.tick, .bend($0.value)) }
    }

    /// RPN 0, pitch bend sensitivity, closed again with RPN null.
    public static func bendRange(_ semitones: Int, at tick: Int) -> [Gesture] {
        [(101, 0), (100, 0), (6, semitones), (38, 0), (101, 127), (100, 127)].map { Gesture(tick, .controller($0.0, $0.1)) }
    }

    static func line(from first: Int, to last: Int, start: Int, end: Int, step: Int) -> [(tick: Int, value: Int)] {
        let steps = max((end - start) / step, 1)
        return (0...steps).map { (start + (end - start) * $0 / steps, first + (last - first) * $0 / steps) }
    }
}

extension [Gesture] {
    /// In order of time; gestures at one tick stay as they were written.
    var byTick: [Gesture] {
        enumerated().sorted { ($0.element.tick, $0.offset) < ($1.element.tick, $1.offset) }.map(\.element)
    }
}
