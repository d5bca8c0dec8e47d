import RemoteIO

/// Keyboards and ports of a session, and the notes that they play.
extension SessionSnapshot {
    /// A MIDI source: a port that something can be played from.
    public struct Source: Sendable, Hashable {
        /// Device and port, as a player knows it.
        public var name: String
        /// The stable identity, `usb:0499:1617 ...`.
        public var identity: String
        public var isConnected: Bool
        /// The reason why it is connected, or why not.
        public var reason: String
        /// Notes it holds now.
        public var heldNotes: Int
        /// Messages received.
        public var events: Int
    }

    /// A MIDI port that is played to, from zones or with the beat.
    public struct Output: Sendable, Hashable {
        /// The name that the patch calls it by.
        public var name: String
        /// True if it gets the beat; else it gets notes.
        public var getsBeat: Bool
        /// The port that it is connected to; nil while it is not.
        public var port: String?
        /// Where it goes, or why it goes nowhere, as a sentence.
        public var state: String
    }

    /// A note that a key holds, on a channel counted from 1 over all ports.
    public struct Note: Sendable, Hashable {
        public var channel: Int
        /// MIDI key, 60 is middle C.
        public var key: Int
    }

    /// A zone of the keyboards that are played.
    public struct Zone: Sendable, Hashable {
        public var name: String
        /// Its keys, lowest and highest: `C-1-B3`.
        public var keys: String
        /// The unit, or the MIDI port outside, that it plays; nil: whoever hears its channel.
        public var plays: String?
        /// True if the zone is heard; else a scene has switched it off.
        public var isHeard: Bool

        /// A zone as it is at one moment.
        package init(name: String, keys: String, plays: String?, isHeard: Bool) {
            (self.name, self.keys, self.plays, self.isHeard) = (name, keys, plays, isHeard)
        }
    }
}

extension SessionSnapshot.Source {
    init(_ keyboard: MIDIKeyboard) {
        self.init(
            name: keyboard.name, identity: keyboard.identity, isConnected: keyboard.isConnected, reason: keyboard.reason,
            heldNotes: keyboard.heldNotes, events: keyboard.events)
    }
}

extension SessionSnapshot.Source: Fielded {
    package static let fields: [Field<Self>] = [
        Field("name", \.name, "Device and port."),
        Field("identity", \.identity, "The identity that stays, whatever socket it is plugged into."),
        Field("isConnected", \.isConnected, "Whether it is played from."),
        Field("heldNotes", \.heldNotes, "Notes that it holds."),
    ]
}

extension SessionSnapshot.Output: Fielded {
    package static let fields: [Field<Self>] = [
        Field("name", \.name, "The name that the patch calls it by."),
        Field("getsBeat", \.getsBeat, "Whether it gets the beat; else it gets notes."),
        Field("port", \.port, "The port that it is connected to."),
    ]
}

extension SessionSnapshot.Note: Fielded {
    package static let fields: [Field<Self>] = [
        Field("channel", \.channel, "The channel, counted from 1 over all ports."),
        Field("key", \.key, "The MIDI key; 60 is middle C."),
    ]
}

extension SessionSnapshot.Zone: Fielded {
    package static let fields: [Field<Self>] = [
        Field("name", \.name, "The zone's name."),
        Field("keys", \.keys, "Its keys, lowest and highest."),
        Field("plays", \.plays, "The unit, or the MIDI port, that it plays."),
        Field("isHeard", \.isHeard, "Whether it is heard; else a scene has switched it off."),
    ]
}
