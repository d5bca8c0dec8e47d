import Patches

/// The keyboards that a patch distinguishes, by the input port that each of them has: a part of a name, an identity, or `any`
/// for the first port if something names no keyboard.
struct KeyboardInputs: Hashable, Sendable {
    /// Their names, in the order of the ports.
    let keyboards: [String]
    var areNamed: Bool { keyboards.contains { $0 != "any" } }

    init(keyboards: [String]) { self.keyboards = keyboards }

    /// Those that any of the patches, the buttons and the programs of a list distinguish.
    init(_ patches: [Patch], buttons: [Button], programs: SetList.Programs?) throws(PatchError) {
        var keyboards: [String] = []
        for patch in patches.isEmpty ? [Patch()] : patches { keyboards += try KeyboardInputs(patch).keyboards }
        keyboards += buttons.compactMap(\.keyboard) + [programs?.keyboard].compactMap(\.self)
        var known: Set<String> = []
        self.keyboards = keyboards.filter { known.insert($0).inserted }
    }

    /// `given` have input ports already; nil means the patch says which are needed. - Throws: an error for a zone, controller
    /// or scene whose keyboard is not among those given.
    init(_ patch: Patch, given: [String]? = nil) throws(PatchError) {
        var keyboards = given ?? (patch.zones.isEmpty || patch.zones.contains { $0.keyboard == nil } ? ["any"] : [])
        func add(_ keyboard: String?, _ fault: (String) -> PatchError) throws(PatchError) {
            guard let keyboard, !keyboards.contains(keyboard) else { return }
            if given != nil { throw fault("the keyboard \(keyboard) was not connected at the start; start again") }
            keyboards.append(keyboard)
        }
        for zone in patch.zones { try add(zone.keyboard) { .zone(zone.name, reason: $0) } }
        for map in patch.controllers { try add(map.keyboard) { .controller(map.name, reason: $0) } }
        for scene in patch.scenes { try add(scene.keyboard) { .scene(scene.name, reason: $0) } }
        self.keyboards = keyboards
    }

    /// The keyboard that has an input port of its own; nil for a port of others.
    func keyboard(of input: Int) -> String? {
        keyboards.indices.contains(input) && keyboards[input] != "any" ? keyboards[input] : nil
    }

    /// The input port of a keyboard; nil for none, which means all.
    func input(of keyboard: String?) -> UInt8? {
        keyboard.flatMap { keyboards.firstIndex(of: $0) }.flatMap { UInt8(exactly: $0) }
    }
}
