import MIDI

/// The keys that were struck outside and not let go: each by the key that the song has, with the one that sounds.
struct SentKeys {
    private struct Key: Hashable, Comparable {
        /// Output and channel.
        let port: UInt8, channel: UInt8
        /// The song's, not transposed.
        let key: UInt8

        static func < (a: Key, b: Key) -> Bool { (a.port, a.channel, a.key) < (b.port, b.channel, b.key) }
    }

    private var sounding: [Key: UInt8] = [:]
    /// Channels whose pedal is down.
    private var pedals: Set<Key> = []

    /// The key that sounds for one of the song's; nil where none does.
    func sounding(_ message: MIDIMessage, key: UInt8) -> UInt8? {
        sounding[Key(port: message.port, channel: message.channel, key: key)]
    }

    /// `key` is as the song has it, if the message has a key.
    mutating func take(_ message: MIDIMessage, key: UInt8) {
        let place = Key(port: message.port, channel: message.channel, key: key)
        switch message.kind {
        case .noteOn where message.data2 > 0: sounding[place] = message.data1
        case .noteOn, .noteOff: sounding[place] = nil
        case .controlChange:
            let pedal = Key(port: message.port, channel: message.channel, key: message.data1)
            switch Controller(rawValue: message.data1) {
            case .sustain, .sostenuto: if message.data2 < 64 { pedals.remove(pedal) } else { pedals.insert(pedal) }
            case .allSoundOff, .allNotesOff:
                sounding = sounding.filter { $0.key.port != message.port || $0.key.channel != message.channel }
            default: break
            }
        default: break
        }
    }

    /// Returns the messages that end everything: keys, then pedals, each with the song's key.
    func releases(pedals hasPedals: Bool = true) -> [(message: MIDIMessage, key: UInt8)] {
        let keys = sounding.sorted { $0.key < $1.key }.map { place, key in
            (MIDIMessage(status: 0x80 | place.channel, data1: key, data2: 64, port: place.port), place.key)
        }
        if !hasPedals { return keys }
        return keys
            + pedals.sorted().map { pedal in
                (MIDIMessage(status: 0xB0 | pedal.channel, data1: pedal.key, data2: 0, port: pedal.port), pedal.key)
            }
    }
}
