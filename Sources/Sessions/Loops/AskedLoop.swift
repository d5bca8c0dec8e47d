import MIDI
import RealtimeCore
import Sequencer
import Units

/// What a track of the looper was asked to do; the unit does it a little later. Pure.
struct AskedLoop {
    /// A layer: how many times as long as the first recording it is, and the lengths from which it was made longer.
    struct Layer: Hashable {
        var times = 1
        var grown: [Int] = []
        /// Of a MIDI loop: its number among all layers, its length in beats, and its events.
        var number = 0
        var beats = 0.0
        var events: [Song.Arrangement.Event] = []

        /// Often enough for any performance, and what the unit follows.
        static let mostGrown = 2

        /// Adds events where their beats belong.
        mutating func add(_ added: [Song.Arrangement.Event]) {
            for event in added {
                let place =
                    events.last.map { $0.beat <= event.beat } ?? true
                    ? events.count : events.partitioningIndex { $0.beat > event.beat }
                events.insert(event, at: place)
            }
        }
    }

    var state = LoopState.empty
    /// When its recording begins or began, and the frames of the loop.
    var start = SampleTime.zero
    var length = 0
    private(set) var layers: [Layer] = []
    /// Layers that are taken back.
    var undone = 0 { didSet { edition += 1 } }
    /// Another number with each change of what is heard of it.
    private(set) var edition = 0
    /// When the last request takes effect.
    var time = SampleTime.zero { didSet { isSeen = false } }
    /// True once the unit was looked at after the last request.
    var isSeen = false
    /// The tempo to whose bars it was recorded, or that it has set; nil for one that goes its own way.
    var tempo: Double? { didSet { edition += 1 } }
    /// Frames by which its exact length is greater than `length`.
    var fraction: Float = 0
    /// The beat of the song or the metronome at which its recording begins; nil where neither goes on.
    var beat: Double?
    var isRestarted = false
    /// The edition that a file has.
    var savedEdition: Int?
    var isSaved: Bool { savedEdition == edition }
    /// True if the pedal has taken a layer back: its next hold brings it back.
    var wasUndone = false

    /// The layers that a looper keeps.
    private static let most = 5

    /// True if there is nothing to be heard: no loop, or all its layers are taken back.
    var isEmpty: Bool { state == .empty || state != .recording && undone == layers.count }

    /// True if what comes in is written.
    var writes: Bool { state == .recording || state == .overdubbing || state == .replacing }

    /// The layer that sounds.
    var layer: Layer? {
        let index = layers.count - 1 - undone
        return layers.indices.contains(index) ? layers[index] : nil
    }

    /// A layer begins on the one that sounds: those that were taken back are gone, and the oldest of five, too.
    mutating func add(_ layer: Layer) {
        layers.removeLast(undone)
        undone = 0
        if layers.count == Self.most { layers.removeFirst() }
        layers.append(layer)
    }

    /// Changes all layers, those included that were taken back.
    mutating func changeLayers(_ change: (inout Layer) -> Void) {
        for place in layers.indices { change(&layers[place]) }
        edition += 1
    }

    /// It forgets all layers.
    mutating func forget() { (layers, undone) = ([], 0) }

    /// A loop of one layer takes its place.
    mutating func replace(
        by layer: Layer, _ state: LoopState, length: Int, fraction: Float = 0, tempo: Double? = nil, isSaved: Bool,
        at time: SampleTime
    ) {
        let edition = edition
        self = AskedLoop()
        self.fraction = fraction
        (self.edition, self.state, self.length, self.tempo, self.time) = (edition + 1, state, length, tempo, time)
        layers = [layer]
        if isSaved { savedEdition = self.edition }
    }

    /// Follows the unit, which has given up old layers where memory was short.
    mutating func follow(layers count: Int) {
        if count > 0, count < layers.count { layers.removeFirst(layers.count - count) }
        if undone > layers.count { undone = layers.count }
    }
}

extension Song.Arrangement.Event {
    /// Port and channel; nil for what has none.
    var part: Int? {
        // Swift 6.3 crashes where its optimiser makes this, or moved, a part of a caller.
        @inline(never) get {
            switch kind {
            case .note(let note): Int(note.part)
            case .message(let message): message.part & 255
            default: nil
            }
        }
    }

    /// The event at another speed.
    func scaled(by factor: Double) -> Self {
        guard factor != 1 else { return self }
        var kind = kind
        if case .note(var note) = kind {
            note.length *= factor
            kind = .note(note)
        }
        return Self(beat * factor, kind)
    }

    /// The event on another part.
    @inline(never) func moved(to part: Int) -> Self {
        switch kind {
        case .note(var note):
            note.part = UInt8(part & 255)
            return Self(beat, .note(note))
        case .message(var message):
            (message.port, message.status) = (UInt8(part / 16 & 15), message.status & 0xF0 | UInt8(part & 15))
            return Self(beat, .message(message))
        default: return self
        }
    }
}
