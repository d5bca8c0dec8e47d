import Patches
import UnitAPI

/// Patches to begin with: each plays a song, and is a file that explains itself.
package struct PatchExample: Sendable {
    /// The name of the example: `layer-pad`.
    package let name: String
    /// A description in one sentence.
    package let summary: String
    /// The file in `Examples`, without the comments of its units.
    private let source: String

    /// Creates an example of a file whose first line is `# NAME: SUMMARY`.
    private init(_ bytes: [UInt8]) {
        source = String(decoding: bytes, as: UTF8.self)
        let words = source.prefix { $0 != "\n" }.dropFirst(2).split(separator: ": ", maxSplits: 1)
        (name, summary) = (String(words[0]), String(words[1]))
    }

    /// All of them, the simplest first: the files of the folder `Examples`, which are inside the program.
    package static let all = [
        PackageResources.square_lead_yaml,
        PackageResources.grand_piano_yaml,
        PackageResources.layer_pad_yaml,
        PackageResources.split_bass_and_piano_yaml,
        PackageResources.split_two_soundfonts_yaml,
        PackageResources.organ_with_pedal_yaml,
        PackageResources.arpeggiated_lead_yaml,
        PackageResources.one_finger_band_yaml,
        PackageResources.climbing_echoes_yaml,
        PackageResources.echo_lead_yaml,
        PackageResources.dub_loop_yaml,
        PackageResources.jet_pad_yaml,
        PackageResources.phased_piano_yaml,
        PackageResources.clanging_bells_yaml,
        PackageResources.vibrato_organ_yaml,
        PackageResources.tremolo_reeds_yaml,
        PackageResources.swept_lead_yaml,
        PackageResources.fuzz_lead_yaml,
        PackageResources.pumping_pad_yaml,
        PackageResources.gated_hall_yaml,
        PackageResources.cellar_organ_yaml,
        PackageResources.ten_sliders_yaml,
        PackageResources.wide_pad_yaml,
        PackageResources.night_rain_yaml,
        PackageResources.drones_yaml,
        PackageResources.groups_and_sends_yaml,
        PackageResources.mid_side_pad_yaml,
        PackageResources.kitchen_radio_yaml,
        PackageResources.analog_pad_yaml,
        PackageResources.analog_bass_yaml,
        PackageResources.around_the_head_yaml,
        PackageResources.around_the_room_yaml,
        PackageResources.sing_along_yaml,
        PackageResources.cue_mix_yaml,
        PackageResources.voice_without_echo_yaml,
        PackageResources.drum_kit_yaml,
        PackageResources.beat_box_yaml,
        PackageResources.four_stems_yaml,
        PackageResources.karaoke_yaml,
        PackageResources.general_midi_yaml,
    ].map(PatchExample.init)

    /// The example of that name.
    package static func named(_ name: String) -> PatchExample? { all.first { $0.name == name } }

    /// The patch.
    package var patch: Patch {
        get throws(PatchFileError) { try PatchFile(text: source, path: name, units: UnitCatalog.entries).patch }
    }

    /// The file, with comments made of the declarations of its units.
    package var text: String {
        get throws(PatchFileError) {
            let heading = "\(name): \(summary)\n\(Self.explanation)"
            return try PatchFile.text(of: patch, units: UnitCatalog.entries, heading: heading, isCommented: true)
        }
    }

    private static let explanation = """
        Lines that begin with # are comments. A parameter behind a # has its default; without the # it is set.
        """
}
