import MIDI
import RealtimeCore
import Samplers

/// The notes of a log, found by the note-ons that were sent; each is found once.
struct LoggedNoteSearch {
    private let notes: [LoggedNote]
    /// Indices of the notes by their onset, those of one frame in their order.
    private var order: [Int32]
    private var isTaken: [Bool]

    init(_ notes: [LoggedNote]) {
        self.notes = notes
        isTaken = [Bool](repeating: false, count: notes.count)
        order = notes.indices.map { Int32(truncatingIfNeeded: $0) }
        let isInOrder = zip(notes, notes.dropFirst()).allSatisfy { $0.onset <= $1.onset }
        if !isInOrder {
            order.sort { a, b in
                let (first, second) = (notes[Int(a)].onset, notes[Int(b)].onset)
                return first != second ? first < second : a < b
            }
        }
    }

    /// Takes the first note of a frame that can be this one; its own channel before others.
    mutating func take(_ message: MIDIMessage, at time: Int64, transpose: Int) -> LoggedNote? {
        var found: Int?
        for index in order[order.partitioningIndex { notes[Int($0)].onset >= time }...].lazy.map({ Int($0) }) {
            if notes[index].onset != time { break }
            if !isTaken[index], fits(index, message, transpose) {
                if notes[index].channel == message.channel {
                    found = index
                    break
                }
                found = found ?? index
            }
        }
        guard let found else { return nil }
        isTaken[found] = true
        return notes[found]
    }

    private func fits(_ index: Int, _ message: MIDIMessage, _ transpose: Int) -> Bool {
        let key = Int(notes[index].key), written = Int(message.data1 & 127)
        return notes[index].velocity == message.data2 & 127 && (key == written || key == written + transpose)
    }
}
