import MIDI
import RealtimeCore
import Sequencer

/// What is recorded for a MIDI loop from one press to the next: a first recording, or a layer over a loop that plays. Pure.
///
/// A key that was down before begins with it, and one that is still down ends with it; so does a key that is held over the end of
/// the loop.
struct LoopTake {
    typealias Event = Song.Arrangement.Event

    private struct Open {
        let beat: Double
        let message: MIDIMessage
    }

    /// The layer that it fills.
    let layer: Int
    let start: SampleTime
    /// The frame before which it ends; nil while it goes on.
    var end: SampleTime?
    /// The beat at which the loop begins, and its length; nil for a first recording.
    let origin: Double
    let length: Double?
    private let startBeat: Double
    private let before: LoopHold
    private var hold: LoopHold
    private var open: [Int: Open] = [:]
    private var touched: Set<Int> = []
    /// Events that no layer has yet, and how many there were altogether.
    private(set) var events: [Event] = []
    private(set) var count = 0
    /// The ports that it was played on.
    private(set) var ports: Set<UInt8> = []
    /// What the layer had, if it is written over.
    var replaced: [Event]?

    init(layer: Int, start: SampleTime, beat: Double, origin: Double, length: Double?, holding hold: LoopHold) {
        (self.layer, self.start, self.origin, self.length) = (layer, start, origin, length)
        (startBeat, before, self.hold) = (beat, hold, hold)
        for (slot, message) in hold.keys { open[slot] = Open(beat: beat, message: message) }
        if length != nil { for message in hold.moved { add(.message(message), at: beat) } }
    }

    /// Takes in what is heard at a beat.
    mutating func take(_ message: MIDIMessage, at beat: Double) {
        hold.observe(message)
        ports.insert(message.port)
        if message.beginsNote {
            close(message.slot, at: beat, velocity: 64)
            open[message.slot] = Open(beat: beat, message: message)
        } else if message.endsNote {
            close(message.slot, at: beat, velocity: message.kind == .noteOff ? message.data2 : 64)
        } else if message.silencesPart {
            for slot in open.keys.sorted() where slot / 128 == message.part & 255 { close(slot, at: beat, velocity: 64) }
        } else {
            touched.insert(message.control)
            add(.message(message), at: beat)
        }
    }

    /// Ends what is open. Returns what a first recording begins with: the places of all that moves in it.
    mutating func finish(at beat: Double) -> [Event] {
        for slot in open.keys.sorted() { close(slot, at: beat, velocity: 64) }
        if length != nil {
            // What the layer has moved comes back.
            for message in hold.moved { if let rest = message.atRest { add(.message(rest), at: beat) } }
            return []
        }
        let moving = touched.union(before.moved.map(\.control)).sorted()
        return moving.compactMap { control in
            (before.controls[control] ?? hold.controls[control]?.atRest).map { Event(0, .message($0)) }
        }
    }

    /// What stays of a layer that was written over up to a beat.
    func kept(to end: Double) -> [Event] {
        guard let replaced, let length, end - startBeat < length else { return [] }
        let first = place(of: startBeat)
        return replaced.filter { Self.place(of: $0.beat, from: first, length) >= end - startBeat }
    }

    /// Takes out the events that no layer has yet.
    mutating func takeEvents() -> [Event] {
        defer { events = [] }
        return events
    }

    /// Takes events back that no layer has any more.
    mutating func giveBack(_ given: [Event]) { events = given + events }

    private mutating func close(_ slot: Int, at beat: Double, velocity: UInt8) {
        guard let note = open.removeValue(forKey: slot) else { return }
        let place = place(of: note.beat), most = length.map { $0 - place } ?? .infinity
        add(
            .note(
                Song.Arrangement.Note(
                    note.message.data1, length: min(max(beat - note.beat, 0), most), velocity: note.message.data2,
                    releaseVelocity: velocity, part: UInt8(note.message.part & 255))), at: note.beat)
    }

    private mutating func add(_ kind: Event.Kind, at beat: Double) {
        events.append(Event(place(of: beat), kind))
        count += 1
    }

    private func place(of beat: Double) -> Double {
        guard let length else { return max(beat - origin, 0) }
        return Self.place(of: beat, from: origin, length)
    }

    /// The place in a loop at a beat.
    static func place(of beat: Double, from origin: Double, _ length: Double) -> Double {
        let place = (beat - origin).truncatingRemainder(dividingBy: length)
        // What rounding has left of a whole turn is its beginning.
        let inside = place < 0 ? place + length : place
        return inside >= length - 1e-9 || inside < 0 ? 0 : inside
    }

    /// A length in whole beats of any meter, where rounding alone makes it none.
    static func whole(_ beats: Double) -> Double {
        let near = (beats * 8).rounded() / 8
        return abs(near - beats) < 1e-6 ? near : beats
    }
}
