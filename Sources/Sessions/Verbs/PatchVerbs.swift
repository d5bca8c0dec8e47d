/// Verbs about patches, presets and recordings, and the session's end.
extension Verb {
    static let patches = [
        patchNext, patchPrevious, patchNumber, patch, savePatch,
    ]
    static let presetFiles = [savePreset, replacePreset]
    package static let patchNext = Verb("patch next", help: "Goes to the next patch of the set list.", "patch next") {
        (stage: StagePart, _) throws(LiveError) in try stage.change(to: .next)
    }
    package static let patchPrevious = Verb("patch previous", help: "Goes to the previous patch.", "patch previous") {
        (stage: StagePart, _) throws(LiveError) in try stage.change(to: .previous)
    }
    static let patchNumber = Verb(
        "patch", [.whole("NUMBER", 1...1_000_000)], help: "Goes to a patch by its place in the set list.", "patch 2"
    ) { (stage: StagePart, values) throws(LiveError) in try stage.change(to: .number(values.whole(0))) }
    static let patch = Verb("patch", [.name], help: "Goes to a patch by its name.", "patch strings") {
        (stage: StagePart, values) throws(LiveError) in try stage.change(to: .named(values.text(0)))
    }

    static let savePatch = Verb(
        "save-patch", [.file], help: "Writes the patch in its current state.", "save-patch evening.yaml",
        saves: { (stage: StagePart, values) throws(LiveError) in try stage.save(values.optionalText(0)) })
    package static let savePreset = Verb(
        "save-preset", [.unit, .name], help: "Saves the settings of a unit as a preset of yours.", "save-preset reverb my-hall",
        saves: { (mix: MixPart, values) throws(LiveError) in
            try mix.savePreset(values.text(1), of: values.text(0), replaces: false)
        })
    static let replacePreset = Verb(
        "replace-preset", [.unit, .preset], help: "Saves them in the place of a preset of yours.",
        "replace-preset reverb my-hall",
        saves: { (mix: MixPart, values) throws(LiveError) in
            try mix.savePreset(values.text(1), of: values.text(0), replaces: true)
        })
    static let saveRecording = Verb(
        "save-recording", [.file], help: "Writes what was played as a song.", "save-recording evening.mid",
        saves: { (recorder: RecorderPart, values) throws(LiveError) in try recorder.save(asked: values.optionalText(0)) })
    static func saveRecording(of music: RecordedMusic) -> Verb {
        let help =
            switch music {
            case .keys: "Writes the keys that were played as a song."
            case .notes: "Writes the notes that instruments received as a song, such as those of an arpeggiator."
            }
        return Verb(
            "save-recording \(music.rawValue)", [.file], help: help, "save-recording \(music.rawValue) evening.mid",
            saves: { (recorder: RecorderPart, values) throws(LiveError) in
                try recorder.save(asked: values.optionalText(0), music)
            })
    }

    package static let quit = Verb("quit", help: "Ends the session.", "quit", role: .end) { (whole: WholePart, _) in whole.quit()
    }
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

    /// Writes the patch as it is played into its file, or into this one, or into one with a name by the calendar: values that
    /// were moved, sounds that were chosen, controllers that were learned; a file's comments and order stay.
    public static func savePatch(path: String?) -> ControlCommand { Verb.savePatch(path) }

    /// Saves the current values of a unit as a user's preset, for `preset` in this and other sessions; `replaces`: in the place
    /// of one with the same name.
    public static func savePreset(unit: String, name: String, replaces: Bool = false) -> ControlCommand {
        replaces ? Verb.replacePreset(unit, name) : Verb.savePreset(unit, name)
    }

    /// Writes the last minutes of playing as a .mid and as a journal beside it; a path of nil chooses a name by the calendar in
    /// the current folder, music of nil is `LiveOptions.recording`.
    public static func saveRecording(path: String?, _ music: RecordedMusic? = nil) -> ControlCommand {
        (music.map(Verb.saveRecording) ?? Verb.saveRecording)(path)
    }

    /// Ends the session: notes are released, files and devices closed.
    public static let quit = Verb.quit()
}
