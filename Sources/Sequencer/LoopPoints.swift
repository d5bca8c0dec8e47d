import MIDI
import RealtimeCore

/// The range that a song itself asks to be played again and again, by one of the customs of game and show music.
///
/// | custom | begins | ends |
/// |---|---|---|
/// | markers | `loopStart` | `loopEnd` |
/// | Extended MIDI (Miles Sound System) | controller 116 or 118 | controller 117 or 119 |
/// | HMI | controller 110 | controller 111 |
/// | RPG Maker | controller 111 | the song's end |
///
/// What begins or ends a loop and stands alone goes with the song's own beginning or end. Of several the first beginning
/// counts, and the last end after it. No standard says any of this; sources are the players' own documents.
public struct LoopPoints: Hashable, Sendable {
    /// The custom that was followed, in order of preference.
    public enum Custom: String, Sendable, CaseIterable {
        case markers, extendedMIDI = "extended-midi", hmi, rpgMaker = "rpg-maker"
    }

    /// Which of them the song follows.
    public let custom: Custom
    /// What is repeated. Unit: frames of the timeline.
    public let frames: Range<Int64>

    /// The loop of a song; nil where it asks for none.
    public init?(_ timeline: Timeline) {
        let places = Places(timeline)
        for custom in Custom.allCases {
            guard let (begins, ends) = places.of(custom) else { continue }
            let start = begins.min() ?? 0, length = timeline.summary.end.rawValue
            let end = ends.filter { $0 > start }.max() ?? length
            if start < end {
                self.custom = custom
                frames = start..<min(end, length)
                return
            }
        }
        return nil
    }

    /// Where everything stands that may be meant.
    private struct Places {
        var markers: (begins: [Int64], ends: [Int64]) = ([], [])
        /// By controller, 110...119.
        var controllers = [[Int64]](repeating: [], count: 10)

        init(_ timeline: Timeline) {
            for marker in timeline.markers {
                switch marker.text.lowercased().filter({ !" _-".contains($0) }) {
                case "loopstart": markers.begins.append(marker.time.rawValue)
                case "loopend": markers.ends.append(marker.time.rawValue)
                default: break
                }
            }
            for event in timeline.events {
                guard case .message(let message) = event.event, message.kind == .controlChange,
                    (110...119).contains(message.data1) else { continue }
                controllers[Int(message.data1) - 110].append(event.time.rawValue)
            }
        }

        /// The beginnings and ends by a custom; nil where it is not followed.
        func of(_ custom: Custom) -> (begins: [Int64], ends: [Int64])? {
            func at(_ controller: Int) -> [Int64] { controllers[controller - 110] }
            let found: (begins: [Int64], ends: [Int64])
            switch custom {
            case .markers: found = markers
            case .extendedMIDI: found = (at(116) + at(118), at(117) + at(119))
            case .hmi: found = at(110).isEmpty ? ([], []) : (at(110), at(111))
            case .rpgMaker: found = (at(111), [])
            }
            return found.begins.isEmpty && found.ends.isEmpty ? nil : found
        }
    }
}
