/// Reads what System Exclusive messages mean for every instrument, so that no unit ever parses bytes.
///
/// Understood, with any device id and any checksum:
///
/// - Universal: GM on, GM off, GM2 on; master volume and balance; master fine and coarse tuning; the MIDI Tuning Standard;
///   GM2's parameters of reverb and chorus.
/// - Roland GS: reset, system mode set; master tune, volume, pan and key shift; "use for rhythm part"; scale tuning; reverb and
///   chorus (`RolandEffects`), delay (`RolandDelay`), equalizer, insertion effect (`RolandInsertion`).
/// - Yamaha XG: System On, all parameters reset; master tune, volume, attenuator and transpose; part mode; scale tuning; reverb
///   and chorus (`YamahaEffects`), equalizer (`YamahaEqualizer`), insertion effects and variation (`YamahaInsertion`).
///
/// - Of both and of GM2: the parameters of parts and drums, and what controllers move.
///
/// `ExclusiveParameter` has every address with what becomes of it, `UnfollowedMusic` counts what is left alone. Control side: it
/// allocates. It remembers each port's fine and coarse tuning, because `MusicEvent.masterTuning` carries their sum, and types of
/// effects.
///
/// Sources: MIDI 1.0 Detailed Specification 4.2 (universal messages); CA-025 (master tuning); Roland SC-8850 owner's
/// manual, "Address mapping of parameters"; Yamaha XG Specifications 2.0, tables 1 and 3.
public struct SystemExclusive: Sendable {
    struct Tuning {
        var fineCents: Float = 0
        var coarseSemitones: Float = 0
        var cents: Float { fineCents + coarseSemitones * 100 }
    }

    /// XG's master volume and attenuator.
    private struct Levels {
        var volume: UInt8 = 127, attenuator: UInt8 = 0
        var fraction: Float { Float(volume) / 127 * (Float(127 - attenuator) / 127) }
    }

    /// The drum map of each channel, from 1 on; 0 for a melodic part.
    var drumMaps = [[UInt8]](repeating: initialMaps, count: 16)
    private static let initialMaps = (0..<16).map { PartMode.initial($0).isDrums ? UInt8(1) : 0 }
    /// The channel that each part hears; nil while each hears its own.
    private var heardChannels = [[UInt8]?](repeating: nil, count: 16)
    private var levels = [Levels](repeating: Levels(), count: 16)
    private var tunings = [Tuning](repeating: Tuning(), count: 16)
    private var rolandEffects = [RolandEffects](repeating: RolandEffects(), count: 16)
    private var rolandDelays = [RolandDelay](repeating: RolandDelay(), count: 16)
    private var yamahaEffects = [YamahaEffects](repeating: YamahaEffects(), count: 16)
    var insertions = [InsertionEffects](repeating: InsertionEffects(), count: 16)

    public init() {}

    /// Returns the events that one message means, F0 ... F7 or without the F7; none without a meaning for instruments. The lower
    /// four bits of `port` are passed on in the events.
    public mutating func events(from bytes: [UInt8], port: UInt8) -> [MusicEvent] {
        let port = port & 15, message = Self.body(of: bytes)
        guard message.count >= 4 else { return [] }
        switch message[0] {
        case 0x7E: return universalNonRealTime(message, port: port)
        case 0x7F: return universalRealTime(message, port: port)
        case 0x41:
            guard let written = RolandMessage(message), !written.isSecondInsertion else { return [] }
            // Parts of the module's second input are those of the next port.
            return roland(
                address: written.address, data: written.data, port: written.isOfSecondInput ? (port + 1) & 15 : port)
        case 0x43 where message.count >= 7 && message[1] & 0xF0 == 0x10 && message[2] == 0x4C:
            return yamaha(address: [message[3], message[4], message[5]], data: Array(message[6...]), port: port)
        default: return []
        }
    }

    static func body(of bytes: [UInt8]) -> [UInt8] {
        var body = bytes[...]
        // Some files write the F0 twice: once as the event's status, once in its data.
        while body.first == 0xF0 { body.removeFirst() }
        while body.last == 0xF7 { body.removeLast() }
        return Array(body)
    }

    private mutating func universalNonRealTime(_ message: [UInt8], port: UInt8) -> [MusicEvent] {
        switch (message[2], message[3]) {
        case (0x09, 0x01): reset(.generalMIDI, port: port)
        case (0x09, 0x02): reset(.generalMIDIOff, port: port)
        case (0x09, 0x03): reset(.generalMIDI2, port: port)
        case (0x08, _): tunings(message, port: port)
        default: []
        }
    }

    private mutating func universalRealTime(_ message: [UInt8], port: UInt8) -> [MusicEvent] {
        if message[2] == 0x08 { return tunings(message, port: port) }
        if message[2] == 0x09 { return destinations(message, port: port) }
        if message[2] == 0x0A { return keyControllers(message, port: port) }
        guard message.count >= 6, message[2] == 0x04 else { return [] }
        let value = Int(message[5] & 0x7F) << 7 | Int(message[4] & 0x7F)
        switch message[3] {
        case 0x01: return [.masterVolume(amplitude(Float(value) / 16_383), port: port)]
        case 0x02: return [.masterBalance(min(max(Float(value - 8_192) / 8_191, -1), 1), port: port)]
        case 0x03: return tune(port: port) { $0.fineCents = Float(value - 8_192) * 100 / 8_192 }
        case 0x04: return tune(port: port) { $0.coarseSemitones = Float(Int(message[5] & 0x7F) - 64) }
        case 0x05: return effects(message, port: port)
        default: return []
        }
    }

    private mutating func roland(address: [UInt8], data: [UInt8], port: UInt8) -> [MusicEvent] {
        write(data, at: address, ExclusiveParameter.roland, port) { all, low, value in
            switch (address[1], low) {
            case (0x01, 0x50...): all.rolandDelays[Int(port)].take(low, value)
            case (0x02, _): RolandEqualizer.take(low, value)
            default: all.rolandEffects[Int(port)].take(low, value)
            }
        }
    }

    private mutating func yamaha(address: [UInt8], data: [UInt8], port: UInt8) -> [MusicEvent] {
        write(data, at: address, ExclusiveParameter.yamaha, port) { all, low, value in
            address[1] == 0x40 ? YamahaEqualizer.take(low, value) : all.yamahaEffects[Int(port)].take(low, value)
        }
    }

    mutating func masterVolume(_ value: UInt8, isAttenuator: Bool, port: UInt8) -> [MusicEvent] {
        if isAttenuator { levels[Int(port)].attenuator = value } else { levels[Int(port)].volume = value }
        return [.masterVolume(amplitude(levels[Int(port)].fraction), port: port)]
    }

    mutating func reset(_ standard: SystemReset, port: UInt8) -> [MusicEvent] {
        tunings[Int(port)] = Tuning()
        (rolandEffects[Int(port)], yamahaEffects[Int(port)]) = (RolandEffects(), YamahaEffects())
        (rolandDelays[Int(port)], levels[Int(port)]) = (RolandDelay(), Levels())
        insertions[Int(port)] = InsertionEffects()
        (drumMaps[Int(port)], heardChannels[Int(port)]) = (Self.initialMaps, nil)
        return [.reset(standard, port: port)]
    }

    /// A part hears another channel from now on: its keys go up. 16 and more is none.
    mutating func receive(_ value: UInt8, channel: UInt8, port: UInt8) -> [MusicEvent] {
        let own = (0..<16).map { UInt8($0) }
        var channels = heardChannels[Int(port)] ?? own
        if channels[Int(channel)] == value { return [] }
        channels[Int(channel)] = value
        heardChannels[Int(port)] = channels == own ? nil : channels
        return [.message(MIDIMessage(status: 0xB0 | channel, data1: 123, data2: 0, port: port))]
    }

    /// Returns what parts hear of an event of a song: a channel's message may be for several of them, or for none.
    package func heard(_ event: MusicEvent) -> [MusicEvent] {
        guard case .message(let message) = event, let channels = heardChannels[Int(message.port & 15)] else { return [event] }
        return channels.indices.filter { channels[$0] == message.channel }.map {
            var message = message
            message.status = message.status & 0xF0 | UInt8($0)
            return .message(message)
        }
    }

    mutating func tune(port: UInt8, _ change: (inout Tuning) -> Void) -> [MusicEvent] {
        change(&tunings[Int(port)])
        return [.masterTuning(cents: tunings[Int(port)].cents, port: port)]
    }

    /// GS key shift and XG transpose: 0x28...0x58, 0x40 is none.
    mutating func transpose(_ value: UInt8, port: UInt8) -> [MusicEvent] {
        tune(port: port) { $0.coarseSemitones = Float(min(max(Int(value), 0x28), 0x58) - 0x40) }
    }

    /// Volume is a square law in amplitude, 40 log10 of the fraction in decibels (RP-018 and GM2, section 3.3.4).
    private func amplitude(_ fraction: Float) -> Float { fraction * fraction }

}
