import Sequencer

/// A measure of what can be proven good in a recovered track, to choose between two readings of the same bytes.
///
/// Notes are the best evidence: bytes that are misread make notes that begin and never end, or end without having begun. If
/// notes do not decide, fewer repairs are better, then more events.
struct TrackEvidence: Comparable {
    /// Notes that begin and end, less those that do only one of the two.
    private var notes = 0
    private let repairs: Int
    private let events: Int

    init(_ track: Track, repairs: Int) {
        self.repairs = repairs
        events = track.events.count
        var sounding = [Int](repeating: 0, count: 16 * 128)
        for event in track.events {
            guard case .message(let message) = event.kind, message.status & 0xE0 == 0x80 else { continue }
            let place = Int(message.channel) * 128 + Int(message.data1)
            if message.status & 0xF0 == 0x90, message.data2 > 0 {
                sounding[place] += 1
                notes -= 1
            } else if sounding[place] > 0 {
                sounding[place] -= 1
                notes += 2
            } else {
                notes -= 1
            }
        }
    }

    static func < (a: TrackEvidence, b: TrackEvidence) -> Bool { (a.worth, a.events) < (b.worth, b.events) }

    /// A repair must give more than one note.
    private var worth: Int { notes - 4 * repairs }
}
