import EngineCore
import Patches
import Reports
import UnitAPI

/// Likely mistakes in a button: a control that a patch or the player uses too, and a request for something that is not
/// there. Buttons at a session's start, those that are learned and those of a set list's file are checked alike.
struct ButtonCheck {
    typealias Finding = (kind: Remark.Kind, sentence: String, remedy: String?)

    /// The patches that may play, each with the name of its entry.
    var patches: [(name: String, patch: Patch)]
    /// The patch that stays through all others.
    var always: Patch?
    /// Names of patches and parts that requests may go to.
    var patchNames: [String] = []
    var partNames: [String] = []
    /// True if every patch that may play is among `patches`.
    var isComplete = true

    /// What a control takes from a patch or from the player: what a button claims is not heard by scenes, controllers and zones.
    func findings(on control: Button.Control, of button: Button?) -> [Finding] {
        if button?.passes == true { return [] }
        var found: [Finding] = patches.compactMap { name, patch in
            Self.claim(control, of: button, in: patch).map {
                (.notFollowed, "\($0) of \(name) uses it too, and no longer hears it", nil)
            }
        }
        if case .controller(let number) = control, let pedal = ControllerMap.Control.controller(Int(number)).pedal {
            found.append((.notFollowed, "instruments no longer hear this \(pedal) pedal", "add passes, or use another control"))
        }
        return found
    }

    /// Patches, scenes, parts and parameters that a request names, and that are not there.
    func findings(on command: ControlCommand) -> [Finding] {
        guard case .text(let name)? = command.values.first else { return [] }
        let known: [String]
        switch command.verb {
        case .patch: known = patchNames
        case .scene: known = patches.flatMap { $0.patch.scenes.map(\.name) }
        case .part: known = partNames
        case .set: return isComplete ? settingFault(name).map { [(.missing, "\($0)", nil)] } ?? [] : []
        default: return []
        }
        // A session looks for parts alone without regard to case.
        let isPart = command.verb == .part
        if known.contains(where: { $0 == name || isPart && $0.lowercased() == name.lowercased() }) { return [] }
        if command.verb == .scene, !isComplete { return [] }
        let remedy = known.isEmpty ? "name one that an entry has" : NearName.choice(name, among: Set(known).sorted())
        let lacking = patchNames.count > 1 ? "no entry has" : "there is no"
        return [(.missing, "\(lacking) \(patchNames.count > 1 ? "the " : "")\(command.verb.words[0]) \"\(name)\"", remedy)]
    }

    /// What of a patch uses a control.
    private static func claim(_ control: Button.Control, of button: Button?, in patch: Patch) -> String? {
        /// False where the button is on another keyboard or channel.
        func meets(_ keyboard: String?, _ channels: PartList) -> Bool {
            if let keyboard, let own = button?.keyboard, keyboard != own { return false }
            guard let channel = button?.channel, !channels.isEmpty else { return true }
            return channels.parts.contains(channel - 1)
        }
        let scene =
            switch control {
            case .key(let key): patch.scenes.first { $0.key == Int(key) }
            case .controller(let number): patch.scenes.first { $0.controller == Int(number) }
            case .program(let number): patch.scenes.first { $0.program == Int(number) }
            }
        if let scene { return "the scene \(scene.name)" }
        switch control {
        case .key(let key):
            let zone = patch.zones.first { $0.keys.keys.contains(key) && meets($0.keyboard, $0.channels) }
            return zone.map { "the zone \($0.name)" }
        case .controller(let number):
            return patch.controllers.first { $0.control == .controller(Int(number)) && meets($0.keyboard, $0.channels) }
                .map { "the controller \($0.name)" }
        case .program: return nil
        }
    }

    /// What is wrong with a setting of a unit that a patch has, or the one that stays.
    private func settingFault(_ text: String) -> ParameterError? {
        let setting: ParameterSetting
        do { setting = try ParameterSetting(text) } catch { return error }
        var fault: ParameterError?
        let units =
            patches.flatMap(\.patch.units).map { ($0.name, $0) } + (always?.units ?? []).map { ("always.\($0.name)", $0) }
        for (name, unit) in units where name == setting.unit {
            guard let specs = UnitCatalog.named(unit.component)?.parameters else { return nil }
            do throws(ParameterError) {
                _ = try setting.value(in: specs)
                return nil
            } catch { fault = error }
        }
        return fault
    }
}

extension LiveOptions {
    /// The check of buttons by what this session plays.
    var buttonCheck: ButtonCheck {
        var patches = self.patches.filter(\.hasPatch).map { (name: $0.name, patch: $0.patch) }
        if patches.isEmpty, let patch { patches = [(name: "the patch", patch: patch)] }
        var check = ButtonCheck(patches: patches, always: list.always)
        check.patchNames = self.patches.map(\.name)
        check.partNames = self.patches.flatMap { ($0.sheet?.known ?? []) + ($0.sheet?.parts.map(\.part.name) ?? []) }
        return check
    }
}
