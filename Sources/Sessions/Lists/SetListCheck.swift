import Patches
import Reports

/// What is hardly meant so in a set list, and what is not followed: the list plays all the same.
package struct SetListCheck {
    package let list: SetList
    /// The patches of the entries that could be read, by file.
    package let patches: [String: Patch]

    /// The parts of the entries, by name.
    package let sheets: [String: EntrySheet]
    /// The patch that stays through all entries, if it could be read.
    package let always: Patch?

    package init(_ list: SetList, patches: [String: Patch], sheets: [String: EntrySheet] = [:], always: Patch? = nil) {
        (self.list, self.patches, self.sheets, self.always) = (list, patches, sheets, always)
    }

    /// The remarks, in the order of the file.
    package var remarks: [Remark] {
        let all = programs + buttons + list.entries.flatMap(scenes) + list.entries.flatMap(words) + notFollowed
        return all.enumerated().sorted { ($0.element.line, $0.offset) < ($1.element.line, $1.offset) }.map(\.element.remark)
    }

    private typealias Placed = (line: Int, remark: Remark)

    private func remark(_ kind: Remark.Kind, _ key: String, _ sentence: String, remedy: String? = nil) -> Placed {
        (list.lines[key] ?? 0, Remark(kind, list.place(key), sentence, remedy: remedy))
    }

    // MARK: - What two claim

    /// The first entry that claims a program has it.
    private var programs: [Placed] {
        var owners: [Int: String] = [:], found: [Placed] = []
        for entry in list.entries {
            guard let program = entry.program else { continue }
            let key = "entries.\(entry.name).program"
            if let owner = owners[program] {
                let sentence = "\(owner) has program \(program) already"
                found.append(remark(.notFollowed, key, sentence, remedy: "choose another number"))
            } else {
                owners[program] = entry.name
            }
            if list.programs == nil {
                found.append(
                    remark(
                        .notFollowed, key, "no program change selects it, since programs names no channel and no keyboard",
                        remedy: "add programs: {channel: 16}"))
            }
        }
        return found
    }

    /// What the controls of buttons take from programs and patches, and what their requests name that is not there.
    private var buttons: [Placed] {
        let check = buttonCheck
        return list.buttons.flatMap { button -> [Placed] in
            let key = "buttons.\(button.control)"
            guard let control = Button.Control(String(button.control.prefix { $0 != "," })) else { return [] }
            var found: [Placed] = []
            if case .program(let number) = control, list.programs != nil,
                let entry = list.entries.first(where: { $0.program == Int(number) })
            {
                found.append(remark(.notFollowed, key, "the program selects \(entry.name) too", remedy: "choose another number"))
            }
            var findings = check.findings(on: control, of: button.made)
            if case .request(let command)? = button.made?.action { findings += check.findings(on: command) }
            return found + findings.map { remark($0.kind, key, $0.sentence, remedy: $0.remedy) }
        }
    }

    private var buttonCheck: ButtonCheck {
        var check = ButtonCheck(patches: [], always: always)
        check.patches = list.entries.compactMap { entry in
            entry.patch.flatMap { patches[$0] }.map { (entry.name, $0) }
        }
        check.patchNames = list.entries.map(\.name)
        check.partNames = list.entries.flatMap { $0.parts.map(\.name) + (sheets[$0.name]?.known ?? []) }
        check.isComplete =
            list.entries.allSatisfy { $0.patch.map { patches[$0] != nil } ?? true } && (list.always == nil) == (always == nil)
        return check
    }

    // MARK: - What is not there

    private func scenes(of entry: SetList.Entry) -> [Placed] {
        guard let path = entry.patch, let patch = patches[path] else { return [] }
        let known = patch.scenes.map(\.name), key = "entries.\(entry.name)"
        let wanted = [("\(key).start", entry.start)] + entry.parts.map { ("\(key).parts", $0.scene) }
        return wanted.compactMap { key, scene in
            guard let scene, !known.contains(scene) else { return nil }
            let remedy = known.isEmpty ? "the patch has none" : NearName.choice(scene, among: known)
            return remark(.missing, key, "there is no scene \"\(scene)\" in \(path)", remedy: remedy)
        }
    }

    /// Parts that the text does not have.
    private func words(of entry: SetList.Entry) -> [Placed] {
        guard let sheet = sheets[entry.name] else { return [] }
        return sheet.missing.map { name in
            let remedy = sheet.known.isEmpty ? "add a stanza" : NearName.choice(name, among: sheet.known)
            return remark(.missing, "entries.\(entry.name).parts", "the text has no part \"\(name)\"", remedy: remedy)
        }
    }

    // MARK: - What is not followed

    private var notFollowed: [Placed] {
        var found: [Placed] = []
        if let always {
            if !always.scenes.isEmpty || !always.controllers.isEmpty {
                found.append(
                    remark(
                        .notFollowed, "always", "its scenes and controllers are not followed",
                        remedy: "let a button set its parameters"))
            }
            for zone in always.zones where zone.output != nil {
                found.append(remark(.notFollowed, "always", "its zone \(zone.name) plays no output; play it from a patch"))
            }
        }
        for entry in list.entries {
            let key = "entries.\(entry.name)"
            if entry.next == .goOn, entry.song == nil {
                found.append(
                    remark(
                        .notFollowed, "\(key).next", "it has no song at whose end the next entry would begin",
                        remedy: "add song"))
            }
            if entry.song == nil, entry.parts.contains(where: { $0.marker != nil }) {
                found.append(
                    remark(.notFollowed, "\(key).parts", "it has no song whose markers they could name", remedy: "add song"))
            }
        }
        return found
    }
}
