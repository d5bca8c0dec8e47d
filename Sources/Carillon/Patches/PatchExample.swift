import Patch
import PatchFile
import UnitAPI

/// Patches to begin with: each plays a song, and is a file that explains itself.
public struct PatchExample: Sendable {
    /// The name of the example: `layer-pad`.
    public let name: String
    /// A description in one sentence.
    public let summary: String
    private let source: Source

    private enum Source {
        /// A file without its comments.
        case text(String)
        /// Made by the library.
        case made(@Sendable () throws(RenderError) -> Patch)
    }

    private init(_ name: String, _ summary: String, _ source: Source) {
        self.name = name
        self.summary = summary
        self.source = source
    }

    /// All of them, the simplest first.
    public static let all = [
        PatchExample("square-lead", "A square wave with a short echo of a hall: the least that sounds.", .text(squareLead)),
        PatchExample(
            "grand-piano", "The first channel on a grand piano in a hall, and an equaliser to tune it.", .text(grandPiano)),
        PatchExample("layer-pad", "A piano, and a soft pad of slow square waves that swells below it.", .text(layerPad)),
        PatchExample(
            "split-bass-and-piano", "A bass on the lower keys, a piano on the others; hard notes ring an octave higher too.",
            .text(splitBassAndPiano)),
        PatchExample(
            "split-two-soundfonts", "A fingered bass on the lower keys and a piano on the others: two sounds of SoundFonts.",
            .text(splitTwoSoundFonts)),
        PatchExample(
            "organ-with-pedal", "An organ on the first channel, and its pedal an octave lower on the second.",
            .text(organWithPedal)),
        PatchExample(
            "arpeggiated-lead", "The keys that are held, one after the other, up and down two octaves.",
            .text(arpeggiatedLead)),
        PatchExample(
            "one-finger-band", "One key at a time: a melody in A minor, its chords, and a bass two octaves below.",
            .text(oneFingerBand)),
        PatchExample(
            "climbing-echoes", "Each note comes back four times, softer and an octave higher.", .text(climbingEchoes)),
        PatchExample("echo-lead", "A square wave that comes back after a dotted eighth, from side to side.", .text(echoLead)),
        PatchExample(
            "dub-loop", "A lead whose echo goes round a loop, and comes back darker each time.", .text(dubLoop)),
        PatchExample("jet-pad", "A soft pad through which the comb of a flanger sweeps.", .text(jetPad)),
        PatchExample("phased-piano", "The first channel on a piano whose colour wanders: a phaser.", .text(phasedPiano)),
        PatchExample(
            "clanging-bells", "Notes that a ring modulator turns into bells, out of tune as these are.",
            .text(clangingBells)),
        PatchExample("vibrato-organ", "An organ whose pitch swings by a quarter of a semitone.", .text(vibratoOrgan)),
        PatchExample("tremolo-reeds", "Soft reeds that go from side to side: a tremolo.", .text(tremoloReeds)),
        PatchExample("swept-lead", "A lead through a filter, whose cutoff a knob sweeps.", .text(sweptLead)),
        PatchExample("fuzz-lead", "A lead through a valve that is driven too hard.", .text(fuzzLead)),
        PatchExample("pumping-pad", "A pad that ducks below each note of the bass on the second channel.", .text(pumpingPad)),
        PatchExample("gated-hall", "A drum in a large hall that is shut as soon as it is over.", .text(gatedHall)),
        PatchExample(
            "cellar-organ", "An organ in a stone cellar: a response is folded with every note, as one from a file would be.",
            .text(cellarOrgan)),
        PatchExample("ten-sliders", "A piano with more of the bass and of the treble, by ten sliders.", .text(tenSliders)),
        PatchExample(
            "wide-pad", "A chorus of soft square waves, wider than the speakers stand, with its low notes in the middle.",
            .text(widePad)),
        PatchExample(
            "night-rain", "A slow lead while it rains: pink noise without its lows, as wide as the speakers stand.",
            .text(nightRain)),
        PatchExample(
            "drones", "A reedy lead over two drones a fifth apart, which sound for as long as it is switched on.",
            .text(drones)),
        PatchExample(
            "groups-and-sends",
            "A lead and a bass in one group; a bus of echoes hears one before its fader, one behind.",
            .text(groupsAndSends)),
        PatchExample(
            "mid-side-pad", "A pad taken apart into middle and sides by a matrix, and put together with a softer middle.",
            .text(midSidePad)),
        PatchExample(
            "kitchen-radio", "A lead and a bass out of a small radio: a patch inside the patch, with one channel only.",
            .text(kitchenRadio)),
        PatchExample("analog-pad", "A warm pad of two saws, which opens as it swells.", .text(analogPad)),
        PatchExample("analog-bass", "A round bass, one note at a time, that slides where keys overlap.", .text(analogBass)),
        PatchExample(
            "around-the-head",
            "A lead that stands in front and to the left, a bass that answers from behind, and rain all around.",
            .text(aroundTheHead)),
        PatchExample(
            "around-the-room",
            "A lead in front, a bass behind and rain from every side, on the six speakers of 5.1.",
            .text(aroundTheRoom)),
        PatchExample(
            "sing-along",
            "A microphone through a gate and a compressor into a hall, and a piano to sing to; carillon live plays it.",
            .text(singAlong)),
        PatchExample(
            "cue-mix",
            "A lead and a bass for the house; on another device the player hears both, and a click that the house does not.",
            .text(cueMix)),
        PatchExample(
            "voice-without-echo",
            "A made-up microphone that hears a lead, and a bass by the walls of a room, which is taken out of it again.",
            .text(voiceWithoutEcho)),
        PatchExample("drum-kit", "A synthesized drum kit in a small room, for the tenth channel or any other.", .text(drumKit)),
        PatchExample(
            "beat-box", "A drum machine with a pattern of its own, and a bass and a lead to play along with it.",
            .text(beatBox)),
        PatchExample("four-stems", "Sixteen channels in four groups of four, each with a fader of its own.", .made(fourStems)),
        PatchExample("karaoke", "All sixteen channels without the melody on the fourth: you sing it.", .made(karaoke)),
        PatchExample("general-midi", "What plays a song when no patch is named, made visible.", .made(generalMIDI)),
    ]

    /// The example of that name.
    public static func named(_ name: String) -> PatchExample? { all.first { $0.name == name } }

    /// The patch.
    public var patch: Patch {
        get throws(PatchExampleError) {
            switch source {
            case .text(let text):
                do { return try PatchFile(text: text, path: name, units: UnitCatalog.entries).patch } catch {
                    throw .file(error)
                }
            case .made(let make):
                do { return try make() } catch { throw .song(error) }
            }
        }
    }

    /// The file, with comments made of the declarations of its units.
    public var text: String {
        get throws(PatchExampleError) {
            let patch = try patch, heading = "\(name): \(summary)\n\(Self.explanation)"
            do {
                return try PatchFile.text(of: patch, units: UnitCatalog.entries, heading: heading, isCommented: true)
            } catch { throw .file(error) }
        }
    }

    private static let explanation = """
        Lines that begin with # are comments. A parameter behind a # has its default; without the # it is set.
        """
}

/// The reason why an example is none: a fault of Carillon's own.
public enum PatchExampleError: Error, CustomStringConvertible {
    case file(PatchFileError)
    case song(RenderError)

    public var description: String {
        switch self {
        case .file(let error): error.description
        case .song(let error): error.description
        }
    }
}
