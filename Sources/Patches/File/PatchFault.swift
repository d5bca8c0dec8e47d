import Reports
import UnitAPI

/// The reason why a file is not a patch, or a patch cannot be a file.
public typealias PatchFileError = DocumentError

/// Faults of patches and presets alone.
extension DocumentError.Fault {
    /// There is no unit or patch of this name.
    static func unknownName(_ name: String, known: [String]) -> Self {
        known.isEmpty ? .refused("there is no unit \"\(name)\"; add it to units") : .unknown(name, kind: "unit", known: known)
    }

    /// There is no zone of this name in the patch.
    static func unknownZone(_ name: String, known: [String]) -> Self {
        known.isEmpty ? .refused("there is no zone \"\(name)\"; add it to zones") : .unknown(name, kind: "zone", known: known)
    }

    /// The unit has no preset of this name, and neither has the user.
    static func unknownPreset(_ name: String, unit: String, known: [String]) -> Self {
        known.isEmpty
            ? .refused(
                "there is no preset \"\(name)\" of \(unit); it has none; a file of your own is named with its folder, ./\(name).yaml"
            )
            : .unknown(name, kind: "preset of \(unit)", known: known)
    }

    static func patch(_ error: PatchError) -> Self { .refused("\(error)") }

    /// A property that is not a number that can be written.
    static var notFinite: Self { .refused("this is no number that can be written; give another") }

    static func parts(_ text: String) -> Self { .refused("\"\(text)\" is no list of parts; write it like 1-16, 26") }

    /// A number of inputs for a unit that does not allow it, or does not allow this number.
    static func inputCount(_ text: String, _ unit: UnitDescriptor) -> Self {
        let least = max(unit.inputs.count, 1), count = unit.inputs.count
        return .refused(
            unit.repeatsLastInput
                ? "\"\(text)\" is no number of inputs; write a whole number from \(least) to \(PatchFile.mostInputs)"
                : "the inputs cannot be chosen, there \(count == 1 ? "is 1" : "are \(count)"); leave the key out")
    }

    /// A connection that is not a row of names with arrows between them.
    static func connection(_ text: String) -> Self {
        .refused("\"\(text)\" is no connection; write it like organ -> reverb -> mixer[1]")
    }

    /// A bus of a unit in the middle of a row, if it would be both an input and an output.
    static func busInside(_ port: String) -> Self {
        .refused("\(port) stands in the middle, where its bus might be an input or an output; write two connections")
    }

    static func unknownBus(_ bus: String, of name: String, direction: String, known: [String]) -> Self {
        .refused(
            "\(name) has no \(direction) [\(bus)]; "
                + (known.isEmpty ? "it has none" : "it has \(known.map { "[\($0)]" }.joined(separator: ", "))")
                + NearName.question(bus, among: known))
    }

    /// Music is led to a unit that has no use for it.
    static func hearsNoMusic(_ name: String) -> Self {
        .refused("\(name) hears no notes and no controllers; lead music to an instrument or to a MIDI unit")
    }

    /// Sound is led to a unit that receives only music.
    static func hearsNoSound(_ name: String) -> Self {
        .refused("\(name) hears notes and controllers, not sound; lead sound to an effect or a mixer")
    }
}

extension DocumentError {
    /// A preset is called what none can be called.
    package init(notAName name: String, unit: String) {
        self.init(
            .refused("\"\(name)\" cannot name a preset; use small letters and digits, with dashes between words"), path: unit)
    }
}
