/// The way a player turns written notes into played ones: how long they last, how far they are from their place and force.
///
/// Deterministic: the same seed gives the same performance on every machine (SplitMix64; Steele, Lea, Flood 2014).
public struct Touch: Sendable {
    /// The part of a plain note's written length that sounds. Unit: per cent; above 100 overlaps the next.
    public var gate: Int
    /// The furthest a note is early or late. Unit: ticks.
    public var timing: Int
    /// The furthest a note is softer or louder than written.
    public var force: Int
    /// The notes of a chord follow each other from the lowest up by so much. Unit: ticks.
    public var spread: Int
    public var seed: UInt64

    public init(gate: Int = 92, timing: Int = 4, force: Int = 4, spread: Int = 0, seed: UInt64 = 1) {
        self.gate = gate
        self.timing = timing
        self.force = force
        self.spread = spread
        self.seed = seed
    }

    /// The notes as played, by start, then key. No key is struck again while it is still held.
    public func perform(_ notes: [ScoreNote]) -> [ScoreNote] {
        var random = SplitMix64(state: seed)
        let written = notes.sorted { ($0.start, $0.key, $1.length) < ($1.start, $1.key, $0.length) }
        var rank = 0
        var played: [ScoreNote] = []
        var last: Int?
        for (index, note) in written.enumerated() {
            // Two voices that meet on a key are one note, the longer.
            if index > 0, written[index - 1].start == note.start, written[index - 1].key == note.key { continue }
            rank = note.start == last ? rank + 1 : 0
            last = note.start
            let start = max(note.start + random.within(timing) + rank * spread, 0)
            let held =
                switch note.articulation {
                case .plain: note.length * gate / 100
                case .staccato: min(note.length / 2, SheetMusic.quarter / 2)
                case .tenuto: note.length
                }
            let velocity = min(max(note.velocity + random.within(force), 1), 127)
            played.append(
                ScoreNote(
                    start: start, length: max(held - rank * spread, SheetMusic.quarter / 32), key: note.key,
                    velocity: velocity, articulation: note.articulation))
        }
        played.sort { ($0.start, $0.key) < ($1.start, $1.key) }
        var held = [Int?](repeating: nil, count: 128)
        for index in played.indices {
            let note = played[index]
            if let earlier = held[note.key], played[earlier].start + played[earlier].length >= note.start {
                played[earlier].length = max(note.start - played[earlier].start - 2, 1)
            }
            held[note.key] = index
        }
        return played
    }
}

/// A small generator whose sequence is part of the songs' bytes. Source: Steele, Lea, Flood, "Fast splittable
/// pseudorandom number generators", OOPSLA 2014.
struct SplitMix64 {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// -limit...limit, the middle more likely than the ends.
    mutating func within(_ limit: Int) -> Int {
        guard limit > 0 else { return 0 }
        let span = UInt64(limit + 1)
        return Int(next() % span) - Int(next() % span)
    }
}
