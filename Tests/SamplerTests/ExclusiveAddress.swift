import MIDI

/// One address of the makers' manuals, and what is heard at some of its values.
struct ExclusiveAddress: Sendable {
    /// A kind of measure with its unit.
    enum Measure: Sendable {
        /// Decibels that the note is louder than without the message.
        case level
        /// -63...63, left to right.
        case pan
        /// Cents above the note without a message; or hertz.
        case pitch, hertz
        /// Hertz of the first (vibrato) or the second (modulation) oscillator.
        case rate(isSecond: Bool)
        /// Cents from the middle to the top of a vibrato.
        case vibrato
        /// Seconds until the vibrato begins.
        case vibratoDelay
        /// Cents of the filter's corner above 622 Hz; centibels of its resonance; cents from middle to top of its swing.
        case cutoff, resonance, swing
        /// By what part of its greatest level the note gets softer. Unit: percent.
        case tremolo
        /// Seconds: from 0 to the top; 96 dB of fall while held; 96 dB of fall after the key.
        case attack, decay, release
        /// 1 if the note is heard.
        case isHeard
        /// Cents of the preset that is heard: program 1 is an octave up, 2 two, bank 8 and the kit an octave.
        case program, bank, kit
        /// Decibels of two notes over one: keys 60 and 61, or key 60 twice.
        case chord, sameKey
        /// Decibels of a drum's own send to the reverb or the chorus, of what its channel sends.
        case share(bus: Int)
        /// Decibels of the channel's send by a controller.
        case send(UInt8)
        /// What a controller has now.
        case controller(UInt8)
        /// 1 if the part hears a message.
        case hears(MIDIMessage)
        /// An effect's value in its own unit, or as decibels.
        case effect(EffectParameter)
        case decibels(EffectParameter)
    }

    /// GS, XG or GM2, and the address as the table has it: `GS 40 1x 19`.
    let name: String
    let measure: Measure
    /// A value, and what the manual says of it.
    let values: [(value: Int, heard: Double)]
    /// Messages before it that make it audible.
    var before: [[UInt8]] = []
    /// Events between it and the note, and shortly after the note's beginning.
    var events: [MusicEvent] = [], gesture: [MusicEvent] = []
    /// What is played while a value of a controller's number is measured: the controller at that number.
    var gestureFollowsValue = false
    var key: UInt8 = 60
    var velocity: UInt8 = 127
    var channel: UInt8 = 0
    /// The message that writes a value.
    let message: @Sendable (Int) -> [UInt8]

    static let silence = -Double.infinity

    /// How far a measure may lie from the manual.
    var tolerance: (share: Double, least: Double) {
        switch measure {
        case .level, .sameKey, .share, .send, .decibels: (0, 0.15)
        // A drum that is cut is 30 dB down.
        case .chord: (0, 0.3)
        // The middle of a SoundFont's pan is at 64 of 128: half a step or one from the manuals' 127.
        case .pan: (0, 1.1)
        case .pitch: (0, 0.6)
        case .hertz: (0, 0.12)
        case .program, .bank, .kit: (0, 1)
        case .rate: (0.02, 0.05)
        case .vibrato: (0.03, 2)
        case .cutoff: (0.02, 15)
        case .swing: (0.05, 20)
        case .resonance: (0.02, 3)
        case .tremolo: (0, 3)
        case .attack, .decay, .release: (0.04, 0.002)
        case .vibratoDelay: (0.02, 0.005)
        case .isHeard, .controller, .hears: (0, 0)
        case .effect: (0.01, 0.002)
        }
    }
}

// MARK: Messages

extension ExclusiveAddress {
    /// Bytes of an address for the first channel, or for a drum of key 60: in GS the first part's block is 1.
    private static func bytes(_ address: String, isRoland: Bool) -> [UInt8] {
        address.split(separator: " ").map { part in
            if part == "xx" { return 60 }
            let digits = Array(part)
            if digits[0] == "x" { return UInt8(String(digits[1]), radix: 16) ?? 0 }
            if digits[1] == "x" { return (UInt8(String(digits[0]), radix: 16) ?? 0) << 4 | (isRoland ? 1 : 0) }
            return UInt8(part, radix: 16) ?? 0
        }
    }

    private static func data(_ value: Int, nibbles: Int) -> [UInt8] {
        if nibbles == 0 { return [UInt8(value)] }
        return (0..<nibbles).reversed().map { UInt8(value >> (4 * $0) & 15) }
    }

    static func roland(_ address: String, _ value: Int, nibbles: Int = 0) -> [UInt8] {
        let whole = bytes(address, isRoland: true) + data(value, nibbles: nibbles)
        let sum = whole.reduce(0) { $0 + Int($1) }
        return [0xF0, 0x41, 0x10, 0x42, 0x12] + whole + [UInt8((128 - sum % 128) % 128), 0xF7]
    }

    static func yamaha(_ address: String, _ value: Int, nibbles: Int = 0) -> [UInt8] {
        [0xF0, 0x43, 0x10, 0x4C] + bytes(address, isRoland: false) + data(value, nibbles: nibbles) + [0xF7]
    }

    static func gs(
        _ address: String, _ measure: Measure, _ values: [(Int, Double)], nibbles: Int = 0, before: [[UInt8]] = [],
        events: [MusicEvent] = [], gesture: [MusicEvent] = [], key: UInt8 = 60, velocity: UInt8 = 127, channel: UInt8 = 0
    ) -> ExclusiveAddress {
        ExclusiveAddress(
            name: "GS \(address)", measure: measure, values: values, before: before, events: events, gesture: gesture,
            key: key, velocity: velocity, channel: channel
        ) { roland(address, $0, nibbles: nibbles) }
    }

    static func xg(
        _ address: String, _ measure: Measure, _ values: [(Int, Double)], nibbles: Int = 0, before: [[UInt8]] = [],
        events: [MusicEvent] = [], gesture: [MusicEvent] = [], key: UInt8 = 60, velocity: UInt8 = 127, channel: UInt8 = 0
    ) -> ExclusiveAddress {
        ExclusiveAddress(
            name: "XG \(address)", measure: measure, values: values, before: before, events: events, gesture: gesture,
            key: key, velocity: velocity, channel: channel
        ) { yamaha(address, $0, nibbles: nibbles) }
    }

    /// `bytes` come between F0 and F7.
    static func gm2(
        _ address: String, _ measure: Measure, _ values: [(Int, Double)], events: [MusicEvent] = [],
        gesture: [MusicEvent] = [], key: UInt8 = 60, channel: UInt8 = 0, _ bytes: @escaping @Sendable (Int) -> [UInt8]
    ) -> ExclusiveAddress {
        ExclusiveAddress(
            name: "GM2 \(address)", measure: measure, values: values, events: events, gesture: gesture, key: key,
            channel: channel
        ) { [0xF0] + bytes($0) + [0xF7] }
    }

    // MARK: The controller matrix

    /// What the manuals say of the destinations, with the source at its end: GS 40 2x in this order, XG and GM2 some of them.
    ///
    /// 24 semitones; 9600 cents in 64 steps; 100 % of the level in 64; 10 Hz in 64; 600 cents in 127; 2400 cents in 127;
    /// 100 % in 127. The oscillators' own rate is 8.18 Hz.
    static let destinations: [(measure: Measure, values: [(Int, Double)])] = [
        (.pitch, [(0x28, -2_400), (0x40, 0), (0x58, 2_400)]), (.cutoff, [(0x30, -2_400), (0x40, 0), (0x50, 2_400)]),
        (.level, [(0x20, -6.02), (0x40, 0), (0x60, 3.52)]),
        (.rate(isSecond: false), [(0x30, 5.68), (0x40, 8.18), (0x50, 10.68)]),
        (.vibrato, [(0, 0), (0x20, 151.2), (0x7F, 600)]), (.swing, [(0, 0), (0x20, 604.7), (0x40, 1_209.4)]),
        (.tremolo, [(0, 0), (0x20, 25.2), (0x60, 75.6)]),
        (.rate(isSecond: true), [(0x30, 5.68), (0x40, 8.18), (0x50, 10.68)]),
        (.vibrato, [(0, 0), (0x20, 151.2), (0x7F, 600)]), (.swing, [(0, 0), (0x20, 604.7), (0x40, 1_209.4)]),
        (.tremolo, [(0, 0), (0x20, 25.2), (0x60, 75.6)]),
    ]

    /// Those of XG and GM2: pitch, filter, level, and what the oscillator does to them.
    static let fewDestinations = [0, 1, 2, 4, 5, 6]
}

extension ExclusiveAddress {
    /// Two hexadecimal digits.
    static func digits(_ number: Int) -> String {
        let text = String(number, radix: 16, uppercase: true)
        return text.count < 2 ? "0" + text : text
    }

    /// Messages to hear or not, in the order of the receive switches of both makers.
    static let heardMessages: [MIDIMessage] = [
        message(0xE0, 0, 80), message(0xD0, 9), message(0xC0, 3), message(0xB0, 2, 9), message(0xA0, 60, 9),
        message(0x90, 60, 100), message(0xB0, 101, 0), message(0xB0, 99, 1), message(0xB0, 1, 9), message(0xB0, 7, 9),
        message(0xB0, 10, 9), message(0xB0, 11, 9), message(0xB0, 64, 127), message(0xB0, 65, 127), message(0xB0, 66, 127),
        message(0xB0, 67, 127), message(0xB0, 0, 8), message(0xB0, 32, 2),
    ]

    private static func message(_ status: UInt8, _ first: UInt8, _ second: UInt8 = 0) -> MIDIMessage {
        MIDIMessage(status: status, data1: first, data2: second)
    }
}
