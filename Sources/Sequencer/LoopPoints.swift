import MIDI
import RealtimeCore

/// The range that a song itself asks to be played again and again, by one of the customs of game music.
///
/// | custom | begins | ends |
/// |---|---|---|
/// | markers | `loopStart` | `loopEnd` |
/// | EMIDI (Apogee Sound System) | controller 118, value 0 | controller 119 |
/// | XMIDI (Miles Sound System) | controller 116, value 0 | controller 117 |
/// | HMI | controller 110 | controller 111, later |
/// | RPG Maker | controller 111, and none of the others | the song's end |
/// | ZUN (Touhou) | controller 2, once in the song | controller 4, once, later; none of the others |
///
/// Value 0 means without end; loops that count, and loops of one track, are not followed. A single marker goes
/// with the song's own beginning or end; so does a beginning. Of several the first beginning counts, and the last end after
/// it. A loop that begins less than a beat before the song's end means that the song plays once, as RPG Maker's games have it.
/// Controllers 2 and 4 are breath and foot elsewhere: they count only if the song sends each of them once in all. No
/// standard says any of this; sources are the makers' own documents.
package struct LoopPoints: Hashable, Sendable {
    /// The custom that was followed, in order of preference.
    package enum Custom: String, Sendable, CaseIterable {
        case markers, emidi, xmidi, hmi
        case rpgMaker = "rpg-maker"
        case zun
    }

    /// The custom that the song follows.
    package let custom: Custom
    /// The range that is repeated. Unit: frames of the timeline.
    package let frames: Range<Int64>
    /// True if the loop point at the end says that nothing is repeated.
    package let playsOnce: Bool

    /// The loop of a song; nil if it asks for none. Layers over the song are not asked.
    package init?(_ timeline: Timeline) {
        guard let points = timeline.loopPoints else { return nil }
        self = points
    }

    /// The loop of a song's own events; times of events and markers, and the beat at the end, have the same unit, which may be
    /// any.
    init?(events: [TimedMusicEvent], markers: [SongMarker], length: Int64, beat: Int64) {
        let places = Places(events, markers)
        for custom in Custom.allCases {
            guard let (begins, ends) = places.of(custom) else { continue }
            let start = begins.min() ?? 0
            let end = min(ends.filter { $0 > start }.max() ?? length, length)
            if start < end {
                self.custom = custom
                frames = start..<end
                playsOnce = end == length && length - start < beat
                return
            }
            if ends.isEmpty, start == length {
                (self.custom, frames, playsOnce) = (custom, length..<length, true)
                return
            }
        }
        return nil
    }

    private struct Places {
        private var markers: (begins: [Int64], ends: [Int64]) = ([], [])
        /// The frames at which each controller is sent, 110...119: all of them, and those of value 0.
        private var any = [[Int64]](repeating: [], count: 10), endless = [[Int64]](repeating: [], count: 10)
        private var breath: [Int64] = [], foot: [Int64] = []

        init(_ events: [TimedMusicEvent], _ marks: [SongMarker]) {
            for marker in marks {
                switch marker.text.lowercased().filter({ !" _-".contains($0) }) {
                case "loopstart": markers.begins.append(marker.time.rawValue)
                case "loopend": markers.ends.append(marker.time.rawValue)
                default: break
                }
            }
            for event in events {
                guard case .message(let message) = event.event, message.kind == .controlChange else { continue }
                switch message.data1 {
                case 2: breath.append(event.time.rawValue)
                case 4: foot.append(event.time.rawValue)
                case 110...119: break
                default: continue
                }
                guard message.data1 >= 110 else { continue }
                any[Int(message.data1) - 110].append(event.time.rawValue)
                if message.data2 == 0 { endless[Int(message.data1) - 110].append(event.time.rawValue) }
            }
        }

        /// The beginnings and ends by a custom; nil if it is not followed.
        func of(_ custom: Custom) -> (begins: [Int64], ends: [Int64])? {
            let begins: [Int64], ends: [Int64]
            switch custom {
            case .markers: return markers.begins.isEmpty && markers.ends.isEmpty ? nil : markers
            case .emidi: (begins, ends) = (endless[8], any[9])
            case .xmidi: (begins, ends) = (endless[6], any[7])
            case .hmi: (begins, ends) = ((any[1].max() ?? 0) > (any[0].min() ?? .max) ? any[0] : [], any[1])
            case .zun: (begins, ends) = breath.count == 1 && foot.count == 1 && breath[0] < foot[0] ? (breath, foot) : ([], [])
            case .rpgMaker: (begins, ends) = (any.enumerated().allSatisfy { $0 == 1 || $1.isEmpty } ? any[1] : [], [])
            }
            return begins.isEmpty ? nil : (begins, ends)
        }
    }
}
