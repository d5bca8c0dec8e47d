/// A file with sounds in it, for mutation: what kind, and its bytes.
struct FontSeed {
    /// The ending of its name, which says how it is damaged and how it is read.
    enum Kind: String { case sf2, dls, sfz, rmi }

    let kind: Kind
    let bytes: [UInt8]

    /// The audio files that the texts of SFZ files name, with their bytes.
    static let samples: [(name: String, bytes: [UInt8])] = [
        ("mono.wav", wave(channels: 1, loop: true)), ("stereo.wav", wave(channels: 2, loop: false)),
    ]

    /// One of each kind of file and more, SF3 where there is one.
    static func all(compressed: [UInt8]?) -> [FontSeed] {
        var seeds = [SoundFontSeed.sf2, SoundFontSeed.fine].map { FontSeed(kind: .sf2, bytes: $0) }
        seeds += [SoundFontSeed.dls, secondLevel].map { FontSeed(kind: .dls, bytes: $0) }
        if let compressed { seeds.append(FontSeed(kind: .sf2, bytes: compressed)) }
        seeds += texts.map { FontSeed(kind: .sfz, bytes: Array($0.utf8)) }
        return seeds + songs.map { FontSeed(kind: .rmi, bytes: $0) }
    }

    /// Songs that bring a SoundFont: SF2 with a bank offset, and DLS.
    static let songs: [[UInt8]] = {
        let offset = list("INFO", chunk("INAM", ascii("Seed")) + chunk("DBNK", [1, 0]))
        return [offset + SoundFontSeed.sf2, SoundFontSeed.dls].map { bank in
            chunk("RIFF", ascii("RMID") + chunk("data", Corpus.exercise) + bank)
        }
    }()

    /// DLS Level 2: regions with articulation, a wave of 8 bits and two channels.
    private static let secondLevel: [UInt8] = {
        var font = TinyDLS(instruments: [(0, 0), (0, 5), (0x8000_0000, 0)])
        font.regionTuning = (60, 10, -6, (100, 200), 1)
        font.regionConnections = [
            (0, 0, 0x206, 0, -4_000), (0, 0, 0x209, 0, -3_000), (0, 0, 0x20A, 0, 500), (1, 0x81, 3, 0, 50),
            (0, 0, 0x500, 0, 6_000),
        ]
        font.instrumentConnections = [(2, 0, 1, 1, -960), (0x8A, 0, 4, 0, 200)]
        (font.bits, font.channels) = (8, 2)
        return font.bytes
    }()

    private static let texts = [
        """
        // Groups, controllers, envelopes
        <control> default_path= note_offset=0 set_cc7=100
        #define $LOW 36
        <global> ampeg_release=0.4 volume=-3
        <group> lokey=$LOW hikey=60 loop_mode=loop_continuous loop_start=100 loop_end=899
        <region> sample=mono.wav pitch_keycenter=69 tune=-20 pan=-30 lovel=0 hivel=63
        <region> sample=stereo.wav key=60 ampeg_attack=0.02 ampeg_decay=0.2 ampeg_sustain=50 fil_type=lpf_2p cutoff=1200
        <group> lokey=c4 hikey=g9 group=1 off_by=1
        <region> sample=mono.wav pitch_keycenter=a4 offset=10 end=990 cutoff_cc1=2400 resonance=6 fileg_depth=1200
        """,
        """
        <region>sample=stereo.wav
        <region>sample=mono.wav trigger=release
        <region>sample=*sine lokey=100
        <region> sample=none.wav amp_veltrack=0
        <region> sample=mono.wav pitchlfo_freq=6 pitchlfo_depth=30 lfo01_freq=2 loop_mode=one_shot transpose=12
        """,
        """
        <group>
        seq_length=2
        <region> seq_position=1 sample=mono.wav
        <region> seq_position=2 sample=mono.wav tune=1200
        <master> amp_velcurve_64=1 bend_up=1200 <region> sample=mono.wav xfin_lovel=0 xfin_hivel=90
        #include "stereo.wav"
        """,
    ]

    /// A triangle of 100 frames a period.
    private static func wave(channels: Int, loop: Bool) -> [UInt8] {
        var frames: [UInt8] = []
        for frame in 0..<1_000 {
            for channel in 0..<channels { frames += little((abs(frame % 100 - 50) - 25) * 400 / (channel + 1), 2) }
        }
        var format = little(1, 2) + little(channels, 2) + little(44_100, 4)
        format += little(88_200 * channels, 4) + little(2 * channels, 2) + little(16, 2)
        let numbers = [0, 0, 22_727, 69, 0, 0, 0, 1, 0, 0, 0, 100, 899, 0, 0]
        var body = ascii("WAVE") + chunk("fmt ", format)
        if loop { body += chunk("smpl", numbers.flatMap { little($0, 4) }) }
        return chunk("RIFF", body + chunk("data", frames))
    }

    private static func ascii(_ text: String) -> [UInt8] { Array(text.utf8) }
    private static func little(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    private static func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
        ascii(name) + little(body.count, 4) + body + (body.count % 2 == 0 ? [] : [0])
    }
    private static func list(_ name: String, _ body: [UInt8]) -> [UInt8] { chunk("LIST", ascii(name) + body) }
}
