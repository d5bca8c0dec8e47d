import Patches
import RemoteIO
import Reports
import SongRendering

extension KeysPart {
    static let fields: [PartField<KeysPart>] = [
        PartField(\.keyTranspose, "keyTranspose", "Semitones by which keyboards are transposed.") { $0.transposition },
        PartField(\.scene, "scene", "The scene called last, or at first the one whose values stand.") {
            $0.filter.controls?.scene
        },
        PartField(\.scenes, "scenes", "The patch's scenes.") { $0.filter.controls?.scenes ?? [] },
        PartField(\.zones, "zones", "The zones of the patch.") { part in
            part.filter.zones?.shown(part.channel, sound: part.sound) ?? []
        },
        PartField(\.notes, "notes", "Notes that keys hold.") { $0.notesOfPatches },
        PartField(\.sources, "keyboards", "MIDI sources.") { $0.inlet?.keyboards ?? [] },
        PartField(\.hasSequencer) { $0.inlet != nil },
        PartField(
            showing: Field(measuring: .gauge("held_notes", "Notes that keys hold.")) {
                [Metric.Sample(Double($0.notes.count))]
            }),
        PartField(
            showing: Field(measuring: .gauge("keyboards", "Keyboards that are connected.")) {
                [Metric.Sample(Double($0.sources.count { $0.isConnected }))]
            }),
    ]
}

extension SnapshotKeys {
    /// True if there is a sequencer, through which keyboards come.
    public var hasSequencer: SnapshotKey<Bool> { SnapshotKey(true) }
    /// Every MIDI source.
    public var sources: SnapshotKey<[SessionSnapshot.Source]> { SnapshotKey([]) }
    /// Notes that keys hold.
    public var notes: SnapshotKey<[SessionSnapshot.Note]> { SnapshotKey([]) }
    /// Semitones by which keyboards are transposed.
    public var keyTranspose: SnapshotKey<Int> { SnapshotKey(0) }
    /// The patch's scenes, in order.
    public var scenes: SnapshotKey<[String]> { SnapshotKey([]) }
    /// The scene that was called last; at first the one whose values stand.
    public var scene: SnapshotKey<String?> { SnapshotKey(nil) }
    /// The zones of the patch, in order.
    public var zones: SnapshotKey<[SessionSnapshot.Zone]> { SnapshotKey([]) }
}

extension SessionSnapshot {
    /// A MIDI source: a port that something can be played from.
    public typealias Source = MIDIKeyboard

    /// A note that a key holds, on a channel counted from 1 over all ports.
    public struct Note: Sendable, Hashable {
        public var channel: Int
        /// MIDI key, 60 is middle C.
        public var key: Int
    }

    /// A zone of the keyboards that are played.
    public struct Zone: Sendable, Hashable {
        public var name: String
        /// The keys, lowest and highest: `C-1-B3`.
        public var keys: String
        /// The unit, or the external MIDI port, that it plays; nil means every unit that hears its channel.
        public var plays: String?
        /// The channel whose level and sound are those of the zone; nil for one that plays what its keyboard's channel says, or
        /// outside.
        public var channel: Int?
        /// The sound of a SoundFont that it plays; nil for another instrument.
        public var sound: SoundPreset?
        /// True if the zone is heard; else a scene has switched it off.
        public var isHeard: Bool
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

extension SessionSnapshot.Note: Fielded {
    package static let fields: [Field<Self>] = [
        Field("channel", \.channel, "The channel, counted from 1 over all ports."),
        Field("key", \.key, "The MIDI key; 60 is middle C."),
    ]
}

extension SessionSnapshot.Zone: Fielded {
    package static let fields: [Field<Self>] = [
        Field("name", \.name, "The zone's name."),
        Field("keys", \.keys, "The lowest and highest key."),
        Field("plays", \.plays, "The unit, or the MIDI port, that it plays."),
        Field("channel", \.channel, "The channel that has its level and its sound."),
        Field("sound", \.sound?.name, "The sound of a SoundFont that it plays."),
        Field("bank", \.sound?.bank, "The bank of the sound; 128 has the drum kits."),
        Field("program", \.sound?.program, "The program of the sound."),
        Field("isHeard", \.isHeard, "Whether it is heard, or switched off by a scene."),
    ]
}
