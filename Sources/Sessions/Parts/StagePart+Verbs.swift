import Reports
import Sequencer

/// The requests for patches.
extension StagePart {
    static let verbs: [Verb] = [.patchNext, .patchNextAt, .patchNextKeysUp, .patchPrevious, .patchNumber, .patch, .savePatch]
}

extension Verb {
    package static let patchNext = Verb("patch next", help: "Goes to the next patch of the set list.", "patch next") {
        (stage: StagePart, _) throws(Fault) in try stage.change(to: .next)
    }
    static let patchNextAt = Verb(
        "patch next at", [.boundary], help: "Goes to the next patch at the next beat, bar or marker.", "patch next at bar"
    ) { (stage: StagePart, values) throws(Fault) in
        guard let boundary = TransportBoundary(rawValue: values.text(0)) else { return }
        try stage.change(to: .next, at: boundary)
    }
    static let patchNextKeysUp = Verb(
        "patch next at keys up", help: "Goes to the next patch once no key is held.", "patch next at keys up"
    ) { (stage: StagePart, _) throws(Fault) in try stage.change(to: .next, .keysUp) }
    package static let patchPrevious = Verb("patch previous", help: "Goes to the previous patch.", "patch previous") {
        (stage: StagePart, _) throws(Fault) in try stage.change(to: .previous)
    }
    static let patchNumber = Verb(
        "patch", [.whole("NUMBER", 1...1_000_000)], help: "Goes to a patch by its place in the set list.", "patch 2"
    ) { (stage: StagePart, values) throws(Fault) in try stage.change(to: .number(values.whole(0))) }
    static let patch = Verb("patch", [.name], help: "Goes to a patch by its name.", "patch strings") {
        (stage: StagePart, values) throws(Fault) in try stage.change(to: .named(values.text(0)))
    }
    static let savePatch = Verb(
        "save-patch", [.file], help: "Writes the patch in its current state.", "save-patch evening.yaml",
        saves: { (stage: StagePart, values) throws(Fault) in try stage.save(values.optionalText(0)) }
    ).changingSetup
}

extension ControlCommand {
    /// Goes to another patch of the set list, as soon as it is ready: new keys play it, sounding notes ring on.
    public static func patch(_ place: PatchPlace) -> ControlCommand {
        switch place {
        case .next: Verb.patchNext()
        case .previous: Verb.patchPrevious()
        case .number(let number): Verb.patchNumber(number)
        case .named(let name): Verb.patch(name)
        }
    }
    /// Goes to the next patch of the set list once no key is held.
    public static let nextPatchAtKeysUp = Verb.patchNextKeysUp()
    /// Goes to the next patch of the set list at the next beat, bar or marker of the song that plays or of the metronome.
    package static func nextPatch(at boundary: TransportBoundary) -> ControlCommand { Verb.patchNextAt(boundary.rawValue) }
    /// Writes the patch as it is played into its file, or into this one, or into one with a name by the calendar: values that
    /// were moved, sounds that were chosen, controllers that were learned; a file's comments and order stay.
    public static func savePatch(path: String?) -> ControlCommand { Verb.savePatch(path) }
}
