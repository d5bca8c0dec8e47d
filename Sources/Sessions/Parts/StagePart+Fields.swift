import Reports

extension StagePart {
    static let fields: [PartField<StagePart>] = [
        PartField(\.patches, "patches", "The set list.") {
            $0.list.snapshot(ringing: $0.core.stage.ringing.patches(besides: []))
        },
        PartField(
            "trims", { $0.core.options.patch?.trimRemarks.map(\.description) ?? [] },
            "The trims after the patch's LV2 instruments, measured or given."),
    ]
}

extension SnapshotKeys {
    /// The set list, if there is one.
    public var patches: SnapshotKey<SessionSnapshot.PatchList?> { SnapshotKey(nil) }
}

extension SessionSnapshot {
    /// A set list: several patches, of which one sounds.
    public struct PatchList: Sendable, Hashable {
        /// The one that sounds, and its place in the list, from 1.
        public var name: String
        public var number: Int
        public var count: Int
        /// One that was requested and does not play yet.
        public var wanted: String?
        /// The one after it; nil after the last.
        public var next: String?
        /// True if the next one could sound at once.
        public var isNextReady = false
        /// Patches that are ready, and former ones that still ring.
        public var ready = 0
        public var ringing = 0
        /// Bytes of samples in memory, those of each SoundFont once.
        public var sampleBytes = 0
    }
}

extension SessionSnapshot.PatchList: Fielded {
    package static let fields: [Field<Self>] = [
        Field("name", \.name, "The patch that sounds."),
        Field("number", \.number, "The position in the set list, from 1."),
        Field("count", \.count, "Patches of the list."),
        Field("wanted", \.wanted, "The requested patch, until it plays."),
        Field("next", \.next, "The patch after this one."),
        Field("isNextReady", \.isNextReady, "Whether the next one is ready to play."),
        Field("ringing", \.ringing, "Previous patches that still ring."),
        Field("sampleBytes", \.sampleBytes, "Bytes of samples in memory."),
    ]
}
