/// The whole forms of options of TiMidity and fluidsynth, if a letter alone does not show what is meant.
enum ForeignForm {
    /// Options followed by letters, as far as the letters matter; the longest match counts.
    static let meanings: [String: String] = [
        "-Ow": "TiMidity's -Ow -o FILE is carillon render -o FILE.wav",
        "-Or": "TiMidity's -Or -o - is carillon render -o - --format raw",
        "-Ou": "TiMidity's -Ou -o FILE is carillon render -o FILE.au",
        "-Oa": "TiMidity's -Oa -o FILE is carillon render -o FILE.aiff",
        "-Ov": "TiMidity's -Ov -o FILE is carillon render -o FILE.ogg",
        "-OF": "TiMidity's -OF -o FILE is carillon render -o FILE.flac",
        "-OS": "there is no Speex here, TiMidity's -OS; for speech and music carillon render -o FILE.opus",
        "-Os": "TiMidity's -Os, ALSA, is how carillon play sounds; --device NAME chooses a card",
        "-Oj": "TiMidity's -Oj is carillon play --device jack", "-Od": noServer, "-OO": noServer, "-Oe": noServer,
        "-On": noServer,
        "-Ol": "TiMidity's -Ol is carillon inspect SONG, without every event",
        "-Om": "TiMidity's -Om, a MIDI file from a MOD, has no counterpart: MOD files are not read",
        "-OM": "TiMidity's -OM, a MIDI file from a MOD, has no counterpart: MOD files are not read",
        "-Os8": "there are no 8 bits here; --bits is 16, 24 or 32f", "-Ou8": "there are no 8 bits here; --bits is 16, 24 or 32f",
        "-Os16": "fluidsynth's -O s16 is --bits 16", "-Os24": "fluidsynth's -O s24 is --bits 24",
        "-Os32": "fluidsynth's -O s32 has no counterpart; --bits is 16, 24 or 32f",
        "-Ofloat": "fluidsynth's -O float is --bits 32f",
        "-Odouble": "fluidsynth's -O double has no counterpart; --bits 32f is as precise as the sound",
        "-EFreverb":
            "TiMidity's -EFreverb=d is --set reverb.level=-120dB, with -EFchorus=d too --dry; its other reverbs are --set reverb.decay=TIME",
        "-EFchorus":
            "TiMidity's -EFchorus=d is --set chorus.level=-120dB, with -EFreverb=d too --dry; -EFchorus=n,LEVEL is chorus.level",
        "-EFdelay": "TiMidity's -EFdelay is a patch with the unit delay: carillon patch new",
        "-EFns": "TiMidity's -EFns, noise shaping, has no counterpart: 16 bits have dither",
        "-EFresamp": "TiMidity's -EFresamp is --set soundfont.interpolation=7th-order",
        "-EFvlpf": "TiMidity's -EFvlpf has no counterpart: the filter is that of the SoundFont standard",
        "-EF": "TiMidity's -EF effects are units here; carillon units lists them, --set reverb.level=-6dB sets one",
        "-Eb": sound, "-EB": sound, "-Ei": sound, "-EI": sound,
        "-iA": "TiMidity's -iA is carillon live; in the background carillon serve runs an installation",
        "-idl": "TiMidity's -idl is carillon play --loop",
        "-idr": "TiMidity's -idr is carillon play $(shuf -e *.mid), or order: shuffle of carillon serve",
        "-ids": "TiMidity's -ids is not needed: carillon play takes songs of a folder in natural order, song-2 before song-10",
        "-id": screen, "-in": screen,
    ]

    /// Letters followed by a number, if they mean something else when a word follows.
    static let numbers = [
        "-s": "TiMidity's -s RATE is --rate RATE", "-c": "fluidsynth's -c COUNT is --periods COUNT",
        "-T": "TiMidity's -T PERCENT is --tempo 120%",
        "-K": "TiMidity's -K SEMITONES is --transpose SEMITONES; fluidsynth's -K CHANNELS is --ports of carillon live",
        "-q": "TiMidity's -q is --period and --periods",
    ]

    /// Letters followed by a word, if they mean something else when a number follows.
    static let words = [
        "-c": "TiMidity's -c FILE is --soundfont FILE: SF2, SF3, DLS or SFZ; configurations of GUS patches are not read",
        "-T": "fluidsynth's -T TYPE is --format NAME",
        "-i": "TiMidity's screens are one here, that of carillon play; its -iA is carillon live",
    ]

    private static let noServer =
        "there is no OSS, libao, esound or NAS here, TiMidity's -Od, -OO, -Oe and -On; carillon play sounds through ALSA, --device jack or --device pipewire"
    private static let sound =
        "TiMidity's -E sounds of channels are chosen by hand in carillon live, by carillon ctl program 1 0 40, or by a zone of a patch"
    private static let screen = "TiMidity's screens -id and -in are that of carillon play"
}
