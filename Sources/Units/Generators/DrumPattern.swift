import Reports

/// One drum's strokes in a bar of sixteen steps.
struct DrumTrack: BitwiseCopyable {
    /// General MIDI's percussion key.
    var key: UInt8 = 0
    /// One bit for each step, the first the lowest: where it is struck, and where harder.
    var strokes: UInt16 = 0, accents: UInt16 = 0
}

/// A bar of drums as text: a line for each drum, a character for each of sixteen steps.
///
/// ```
/// kick:       x... ..x. x... ....
/// snare:      .... X... .... X...
/// closed-hat: x.x. x.x. x.x. x.x.
/// ```
///
/// `x` is a stroke, `X` a harder one, `.` or `-` none; spaces and bars `|` are for the eye. Lines end at their end or at a
/// semicolon. A line `accent` makes all strokes of its steps harder. Control side.
struct DrumPattern {
    struct Fault: Error, Equatable { var reason: String }

    static var steps: Int { @_noLocks get { 16 } }
    static var capacity: Int { @_noLocks get { 16 } }

    private(set) var tracks: [DrumTrack] = []

    init(_ text: String) throws(Fault) {
        var accents: UInt16 = 0
        for line in text.split(whereSeparator: { $0 == "\n" || $0 == ";" }) {
            if line.allSatisfy(\.isWhitespace) { continue }
            let halves = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            let name = halves[0].filter { !$0.isWhitespace }
            guard halves.count == 2 else {
                throw Fault(reason: "“\(name)” has no steps; write it as kick: x...x...x...x...")
            }
            var track = try Self.track(halves[1], of: name)
            if name == "accent" {
                accents |= track.strokes | track.accents
                continue
            }
            guard let key = Self.keys.first(where: { $0.name == name })?.key else {
                let names = Self.keys.map(\.name)
                throw Fault(
                    reason: "there is no drum \(name)\(NearName.question(name, among: names)); choose from accent, "
                        + names.joined(separator: ", "))
            }
            track.key = key
            tracks.append(track)
        }
        guard tracks.count <= Self.capacity else {
            throw Fault(reason: "there are \(tracks.count) drums; at most \(Self.capacity) have room")
        }
        for index in tracks.indices { tracks[index].accents |= accents & tracks[index].strokes }
    }

    private static func track(_ text: Substring, of name: String) throws(Fault) -> DrumTrack {
        var track = DrumTrack(), step = 0
        for character in text where !character.isWhitespace && character != "|" {
            guard "xX.-".contains(character) else {
                throw Fault(reason: "\(name): “\(character)” is no step; write x, X for a harder stroke, or . for none")
            }
            if step < steps {
                if character == "x" || character == "X" { track.strokes |= 1 << UInt16(step) }
                if character == "X" { track.accents |= 1 << UInt16(step) }
            }
            step += 1
        }
        guard step == steps else { throw Fault(reason: "\(name) has \(step) steps; \(steps) are wanted") }
        return track
    }

    static let keys: [(name: String, key: UInt8)] = [
        ("kick", 36), ("low-kick", 35), ("snare", 38), ("electric-snare", 40), ("rim", 37), ("clap", 39),
        ("closed-hat", 42), ("pedal-hat", 44), ("open-hat", 46), ("low-tom", 45), ("mid-tom", 47), ("high-tom", 50),
        ("floor-tom", 41), ("crash", 49), ("ride", 51), ("ride-bell", 53), ("splash", 55), ("tambourine", 54),
        ("cowbell", 56), ("high-bongo", 60), ("low-bongo", 61), ("mute-conga", 62), ("high-conga", 63), ("low-conga", 64),
        ("high-agogo", 67), ("low-agogo", 68), ("shaker", 69), ("maracas", 70), ("clave", 75), ("wood-block", 76),
        ("triangle", 81),
    ]
}
