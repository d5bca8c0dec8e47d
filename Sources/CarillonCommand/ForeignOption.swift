/// The letters of fluidsynth and TiMidity and the options that replace them: the error names the option, and nothing is
/// guessed.
enum ForeignOption {
    /// A sentence without its beginning. Letters that follow `name`, with its dash, belong to it, as in `-Ow`, or are its value.
    static func answer(_ name: String) -> String? {
        if let exact = meanings[name] { return exact }
        guard name.hasPrefix("-"), !name.hasPrefix("--"), name.count > 2 else { return nil }
        for length in (3...max(name.count, 3)).reversed() {
            if let whole = ForeignForm.meanings[String(name.prefix(length))] { return whole }
        }
        let letter = String(name.prefix(2)), isNumber = name.dropFirst(2).allSatisfy { $0.isNumber || $0 == "." }
        return (isNumber ? ForeignForm.numbers[letter] : ForeignForm.words[letter]) ?? meanings[letter]
    }

    /// The meaning of each letter; both programs' if the two differ.
    private static let meanings: [String: String] = [
        "-F": "fluidsynth's -F FILE is carillon render -o FILE",
        "-O":
            "TiMidity's -Ow -o FILE is carillon render -o FILE.wav (-Ov .ogg, -OF .flac); fluidsynth's -O FORMAT is --bits 16, 24 or 32f",
        "-g": "fluidsynth's -g 0.2 is --gain 0dB, -g 0.5 is --gain 8dB, -g 1 is --gain 14dB; without it songs come to -16 LUFS",
        "-A": "TiMidity's -A PERCENT is --gain DECIBELS: twice as much is 6dB",
        "-r": "fluidsynth's -r RATE is --rate RATE",
        "-s": "TiMidity's -s RATE is --rate RATE; fluidsynth's -s is --control PATH",
        "-T": "fluidsynth's -T TYPE is --format NAME; TiMidity's -T PERCENT is --tempo 120%",
        "-D":
            "TiMidity's -D CHANNEL has no counterpart: GS and XG resets of the song say which channels are drums, and in carillon live the "
            + "drum kit that is chosen", "-K": "TiMidity's -K SEMITONES is --transpose SEMITONES",
        "-n": "fluidsynth's -n and -i need no counterpart: carillon render and play listen to no keyboard, and read no commands",
        "-i": "fluidsynth's -n and -i need no counterpart; TiMidity's -iA is carillon live",
        "-q": "fluidsynth's -q is --quiet; TiMidity's -q is --period and --periods",
        "-a": "fluidsynth's -a DRIVER is --device NAME; TiMidity's -a happens by default",
        "-m": "fluidsynth's -m DRIVER is carillon live, which connects keyboards by itself",
        "-z": "fluidsynth's -z FRAMES is --period FRAMES",
        "-c": "fluidsynth's -c COUNT is --periods COUNT; TiMidity's -c is --soundfont FILE",
        "-B": "TiMidity's -B COUNT,BITS is --periods COUNT and --period FRAMES",
        "-R": "fluidsynth's -R 0 is --set reverb.level=-120dB; with -C 0 too it is --dry",
        "-C": "fluidsynth's -C 0 is --set chorus.level=-120dB; with -R 0 too it is --dry",
        "-E":
            "TiMidity's -E switches and fluidsynth's -E byte order have no counterpart: wheel, portamento, vibrato and pressure are "
            + "always obeyed",
        "-j": "fluidsynth's -j is --device jack", "-L": "fluidsynth's -L and -G are a patch: carillon patch new",
        "-G": "fluidsynth's -L and -G are a patch: carillon patch new",
        "-Q": "TiMidity's -Q CHANNEL is --mute CHANNEL", "-p": "TiMidity's -p VOICES is --set soundfont.polyphony=VOICES",
        "-x": "TiMidity's -x 'soundfont FILE' is --soundfont FILE",
        "-f": "fluidsynth's -f FILE is a script of carillon ctl, or a patch",
        "-l": "fluidsynth's and TiMidity's lists of drivers are carillon devices",
        "-v": "fluidsynth's -v is carillon inspect SONG",
    ]
}
