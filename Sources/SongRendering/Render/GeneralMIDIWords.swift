/// The names of the programs of General MIDI and of GS's kits, and the words that players have for them, in lower case.
enum GeneralMIDIWords {
    /// The words of a sound of bank 0, and of a kit.
    static func words(for preset: SoundPreset) -> String {
        if preset.isDrums { return kits[preset.program] ?? "" }
        return preset.bank == 0 && programs.indices.contains(preset.program) ? programs[preset.program] : ""
    }

    private static let kits = [
        0: "standard kit drums", 8: "room kit", 16: "power kit rock", 24: "electronic kit simmons", 25: "tr-808 808 analog kit",
        26: "dance kit tr-909 909", 32: "jazz kit", 40: "brush kit brushes", 48: "orchestra kit timpani", 56: "sfx kit effects",
    ]

    private static let programs = [
        "acoustic grand piano steinway", "bright acoustic piano yamaha", "electric grand piano cp-70 cp70 cp80",
        "honky-tonk piano honkytonk", "electric piano 1 rhodes fender suitcase stage ep e-piano",
        "electric piano 2 dx7 fm wurlitzer wurli ep e-piano", "harpsichord cembalo", "clavinet clavi d6",
        "celesta", "glockenspiel", "music box", "vibraphone vibes", "marimba", "xylophone", "tubular bells chimes",
        "dulcimer santur",
        "drawbar organ hammond b3 b-3", "percussive organ hammond b3", "rock organ leslie hammond", "church organ pipe",
        "reed organ harmonium", "accordion musette", "harmonica harp mouth blues", "tango accordion bandoneon",
        "acoustic guitar nylon classical spanish", "acoustic guitar steel western folk martin",
        "electric guitar jazz gibson hollow", "electric guitar clean strat stratocaster fender tele telecaster",
        "electric guitar muted mute funk", "overdriven guitar overdrive crunch", "distortion guitar metal les paul lead",
        "guitar harmonics",
        "acoustic bass upright double contrabass", "electric bass finger fender precision jazz", "electric bass pick",
        "fretless bass jaco", "slap bass 1", "slap bass 2", "synth bass 1 moog tb-303 303", "synth bass 2 moog",
        "violin fiddle", "viola", "cello", "contrabass double bass", "tremolo strings", "pizzicato strings", "orchestral harp",
        "timpani kettledrum",
        "string ensemble 1 strings orchestra", "string ensemble 2 slow strings", "synth strings 1 solina oberheim",
        "synth strings 2", "choir aahs voices", "voice oohs doo", "synth voice vox", "orchestra hit",
        "trumpet", "trombone", "tuba", "muted trumpet harmon", "french horn", "brass section horns",
        "synth brass 1 jump oberheim ob-x", "synth brass 2",
        "soprano sax saxophone", "alto sax saxophone", "tenor sax saxophone", "baritone sax saxophone", "oboe",
        "english horn cor anglais", "bassoon fagott", "clarinet",
        "piccolo", "flute", "recorder", "pan flute panpipes", "blown bottle", "shakuhachi", "whistle", "ocarina",
        "lead 1 square", "lead 2 sawtooth saw supersaw", "lead 3 calliope", "lead 4 chiff", "lead 5 charang", "lead 6 voice",
        "lead 7 fifths", "lead 8 bass and lead",
        "pad 1 new age fantasia", "pad 2 warm analog", "pad 3 polysynth juno", "pad 4 choir space", "pad 5 bowed glass",
        "pad 6 metallic", "pad 7 halo", "pad 8 sweep",
        "fx 1 rain ice", "fx 2 soundtrack", "fx 3 crystal", "fx 4 atmosphere", "fx 5 brightness", "fx 6 goblins",
        "fx 7 echoes", "fx 8 sci-fi star theme",
        "sitar", "banjo", "shamisen", "koto", "kalimba thumb piano mbira", "bagpipe", "fiddle", "shanai shehnai",
        "tinkle bell", "agogo", "steel drums pan", "woodblock", "taiko drum", "melodic tom", "synth drum simmons",
        "reverse cymbal",
        "guitar fret noise", "breath noise", "seashore waves", "bird tweet", "telephone ring", "helicopter", "applause",
        "gunshot",
    ]
}
