/// The skeleton of a DLS file: every chunk lies inside its parent, every table agrees with what it lists.
///
/// After this check every length and every index stays inside the file. Source: DLS Level 2.2, chapter 2.
struct DLSCollection {
    let instrumentCount: Int
    let waveMemory: Int
    /// Instruments that have a place, ordered by it.
    let presets: [SoundFontFile.Preset]

    let instruments: [DLSInstrument]
    let waves: [DLSWave]
    /// The pool table: an index in `waves` for each entry.
    let cues: [Int]
    /// The key that sounds for each key of a kit, if the file has the chunk `pgal`.
    let drumKeys: [Int]?
    let faults: [SoundFontFile.Fault]

    /// Deepest nesting the format has is five lists.
    static let deepest = 8
    /// Chunks in one file; a full GM set has about ten thousand.
    static let mostChunks = 200_000
    /// Connection blocks of one articulation; there are fewer sources and destinations that can be joined.
    static let mostConnections = 256

    /// The chunks that libinstpatch takes for granted inside a list, by the list's type.
    static let required = [
        "ins ": ["insh"], "rgn ": ["rgnh", "wlnk"], "rgn2": ["rgnh", "wlnk"], "wave": ["fmt ", "data"],
    ]

    init(_ file: borrowing SoundFontBytes, _ riff: RIFFChunk) throws(SoundFontError) {
        var walk = DLSWalk()
        try walk.children(file, "DLS ", start: riff.start + 4, end: riff.end, depth: 0)
        for (count, what) in [(walk.instrumentCount, "lins"), (walk.waveCount, "wvpl"), (walk.pools, "ptbl")]
        where count == 0 {
            throw .missingChunk(path: file.path, chunk: what, offset: riff.start + 4, found: "none")
        }
        cues = try walk.linkedCues(file)
        instrumentCount = walk.instrumentCount
        waveMemory = walk.waveBytes
        waves = walk.waves
        drumKeys = walk.drumKeys
        var faults = walk.faults
        let others = walk.aliased
        instruments = walk.instruments + others.map(\.instrument)
        presets = SoundFontFile.Preset.ordered(walk.presets + others.map(\.preset), &faults)
        self.faults = faults
    }
}
