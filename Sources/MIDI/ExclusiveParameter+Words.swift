/// The table of addresses as the reference shows it.
extension ExclusiveParameter {
    /// A row of the reference: the standard, the address, its name, and what it does or why it does nothing.
    package struct Row: Sendable, Hashable {
        package let standard: String, address: String, name: String
        package let isFollowed: Bool
        package let effect: String
        /// How many addresses the row stands for, whatever their part or key.
        package let count: Int
    }

    /// All rows: GS, XG, then GM2.
    package static var rows: [Row] {
        roland.map { $0.row("GS") } + yamaha.map { $0.row("XG") } + generalMIDI2
    }

    /// The reference page.
    package static var markdown: String {
        let followed = rows.filter(\.isFollowed).reduce(0) { $0 + $1.count }
        return """
            # MIDI implementation

            The System Exclusive parameters that songs and keyboards can set: \(followed) addresses are followed. An address
            counts once, whatever its part or key; x is any digit. What is not followed is a remark: <doc:Remarks>.

            Made by `carillon midi-implementation --markdown`; a test compares.

            | address | parameter | what it does |
            |---|---|---|

            """ + rows.map { "| `\($0.address)` | \($0.name) | \($0.effect) |" }.joined(separator: "\n")
    }

    private func row(_ standard: String) -> Row {
        Row(standard: standard, address: address, name: name, isFollowed: isFollowed, effect: effect, count: count)
    }

    private var effect: String {
        switch meaning {
        case .controller(let number): "controller \(number)"
        case .pan: "controller 10; 0 is another place with each note"
        case .mono: "controllers 126 and 127"
        case .program: "a program change"
        case .part(let parameter): parameter.registered.map { "registered parameter \($0)" } ?? "a setting of the part"
        case .pitchOffset: "tenths of a hertz around 80 (hexadecimal, two nibbles)"
        case .bendRange: "registered parameter 0"
        case .receives: "0: the part does not hear these messages"
        case .matrix: "the controller matrix: pitch, filter, level, oscillators"
        case .drum: "a setting of the drum's key"
        case .receiveChannel: "the channel that the part hears, in songs"
        case .mode: "a melodic or a drum part, and its drum map"
        case .scale: "a step of the octave, in cents around 64"
        case .masterTune: "master tuning, fine"
        case .masterVolume: "master volume"
        case .masterPan: "master balance"
        case .transpose: "master tuning, in semitones"
        case .reset: "a reset"
        case .effects: "the shared effect's parameter"
        case .insertion: "the insertion effect's type, parameter or part"
        case .unfollowed(let reason): "not followed: \(reason)"
        case .silent: "not audible by itself"
        }
    }

    static let generalMIDI2: [Row] = [
        ("04 01", "master volume", "master volume", 1), ("04 02", "master balance", "master balance", 1),
        ("04 03", "master fine tuning", "master tuning, fine", 1),
        ("04 04", "master coarse tuning", "master tuning, in semitones", 1),
        ("04 05", "global parameters of reverb and chorus", "the shared effect's parameter", 7),
        ("08 08-09", "scale/octave tuning", "steps of the octave", 2), ("09 01", "pressure to", "the controller matrix", 6),
        ("09 02", "key pressure to", "the controller matrix", 6), ("09 03", "a controller to", "the controller matrix", 6),
        ("0A 01", "key-based controllers", "settings of a drum's key", 10),
    ].map { Row(standard: "GM2", address: $0.0, name: "GM2 \($0.1)", isFollowed: true, effect: $0.2, count: $0.3) }
}
