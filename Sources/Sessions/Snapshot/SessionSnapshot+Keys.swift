import RemoteIO

/// Keyboards and ports of a session, and the notes that they play.
extension SessionSnapshot {
    /// A MIDI source: a port that something can be played from.
    public typealias Source = MIDIKeyboard

    /// A MIDI port that is played to, from zones or with the beat.
    public struct Output: Sendable, Hashable {
        /// The name that the patch calls it by.
        public var name: String
        /// True if it gets the beat; else it gets notes.
        public var getsBeat: Bool
        /// The port that it is connected to; nil while it is not.
        public var port: String?
        /// A sentence on where it goes, or why it goes nowhere.
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
        /// The unit, or the external MIDI port, that it plays; nil: every unit that hears its channel.
        public var plays: String?
        /// True if the zone is heard; else a scene has switched it off.
        public var isHeard: Bool

        /// A zone as it is at one moment.
        package init(name: String, keys: String, plays: String?, isHeard: Bool) {
            (self.name, self.keys, self.plays, self.isHeard) = (name, keys, plays, isHeard)
        }
    }
}

extension MIDIKeyboard: Fielded {
    package static let fields: [Field<Self>] = [
        Field("name", \.name, "Device and port."),
        Field("identity", \.identity, "Its identity, the same in every socket that it is plugged into."),
        Field("isConnected", \.isConnected, "Whether it is connected."),
        Field("heldNotes", \.heldNotes, "Notes that it holds."),
    ]
}

extension SessionSnapshot.Output: Fielded {
    package static let fields: [Field<Self>] = [
        Field("name", \.name, "Its name in the patch."),
        Field("getsBeat", \.getsBeat, "Whether it gets the beat; otherwise it gets notes."),
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
        Field("isHeard", \.isHeard, "Whether it is heard, or switched off by a scene."),
    ]
}
