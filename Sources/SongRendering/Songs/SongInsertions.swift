import MIDI
import Sequencer

/// The insertion effects of GS and XG through which parts of songs go, and the types that they have meanwhile: the graph of other
/// songs has none of them.
struct SongInsertions: Hashable, Sendable {
    struct Slot: Hashable, Sendable {
        /// Numbers of `InsertionType.all`.
        var types: Set<Int> = []
        /// port * 16 + channel.
        var parts: Set<Int> = []
    }

    /// By port * 8 + slot; slot 6 is XG's variation while parts send to it.
    private(set) var slots: [Int: Slot] = [:]

    /// The state of the slots while the events of one frame come.
    private struct Scan {
        var types: [Int: Int] = [:], parts: [Int: Set<Int>] = [:], systems: Set<Int> = [], changed: Set<Int> = []
    }

    init() {}

    init(_ events: [TimedMusicEvent]) {
        var scan = Scan(), time: Int64 = 0
        for timed in events {
            switch timed.event {
            case .insertion(let value, let number, let slot, let port):
                if timed.time.rawValue > time { note(&scan) }
                time = timed.time.rawValue
                let key = Int(port & 15) * 8 + Int(slot & 7)
                scan.changed.insert(key)
                switch InsertionParameter(number) {
                case .system: if value > 0 { scan.systems.insert(key) } else { scan.systems.remove(key) }
                case .type: scan.types[key] = Int(value)
                case .part(let channel):
                    let part = Int(port & 15) * 16 + Int(channel)
                    if value > 0 { scan.parts[key, default: []].insert(part) } else { scan.parts[key]?.remove(part) }
                default: break
                }
            case .reset(_, let port), .standard(_, let port):
                note(&scan)
                for key in Int(port & 15) * 8..<Int(port & 15) * 8 + 8 {
                    (scan.types[key], scan.parts[key]) = (nil, nil)
                    scan.systems.remove(key)
                }
            default: break
            }
        }
        note(&scan)
    }

    /// What slots have been set to by now is heard.
    private mutating func note(_ scan: inout Scan) {
        for key in scan.changed {
            if scan.systems.contains(key) { slots[key + 1, default: Slot()].types.insert(scan.types[key] ?? 0) }
            guard let parts = scan.parts[key], !parts.isEmpty else { continue }
            slots[key, default: Slot()].parts.formUnion(parts)
            slots[key, default: Slot()].types.insert(scan.types[key] ?? 0)
        }
        scan.changed = []
    }

    mutating func formUnion(_ other: SongInsertions) {
        slots.merge(other.slots) { Slot(types: $0.types.union($1.types), parts: $0.parts.union($1.parts)) }
    }

    /// Returns the types that XG's variation has while parts send to it. Thru is no effect.
    func variation(port: Int) -> Set<Int> { slots[port * 8 + 6]?.types ?? [] }

    /// Returns the types, in order, that a slot has while parts go through it, and those of `parts` that do; nil if none does.
    func slot(_ slot: Int, port: Int, among parts: [Int]) -> (types: [Int], parts: [Int])? {
        guard let found = slots[port * 8 + slot] else { return nil }
        let own = parts.filter(found.parts.contains)
        return own.isEmpty ? nil : (found.types.sorted(), own)
    }
}
