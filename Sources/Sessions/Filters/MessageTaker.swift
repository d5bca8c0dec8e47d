import MIDI
import Patches
import Reports

/// Names what takes a keyboard's message in a live session: the first that claims it of buttons, the programs of a set list, scenes
/// and controllers; else the zones that it plays. Pure.
package struct MessageTaker {
    private let buttons: [Session.Button]
    private let programs: SetList.Programs?
    private let patch: Patch?
    private let zones: ZoneRouter?
    private let inputs: KeyboardInputs

    /// - Parameter patch: the one that sounds; nil means a session without a patch, in which all parts hear.
    /// - Throws: the fault of the patch.
    package init(
        buttons: [Session.Button], programs: SetList.Programs? = nil, patch: Patch? = nil
    ) throws(PatchError) {
        let patch = try patch.map { (patch) throws(PatchError) in try patch.flattened() }
        let inputs = try KeyboardInputs([patch].compactMap(\.self), buttons: buttons, programs: programs)
        zones = try patch.map { (patch) throws(PatchError) in try ZoneRouter(patch, keyboards: inputs.keyboards) }
        (self.buttons, self.programs, self.patch, self.inputs) = (buttons.compactMap { $0.on(inputs) }, programs, patch, inputs)
    }

    /// Returns what takes it, in words; nil where nothing does.
    ///
    /// - Parameter port: the name of the port that it comes from.
    package func taker(of message: MIDIMessage, from port: String) -> String? {
        var message = message
        message.port = input(of: port)
        let pressed = buttons.filter { $0.hears(message) }
        let requests = pressed.map { "\($0.text) makes \"\($0.action)\"" }.joined(separator: ", ")
        if !pressed.allSatisfy(\.passes) { return requests }
        let rest =
            programs?.claims(message, input: inputs.input(of: programs?.keyboard)) == true ? "the set list" : heard(message)
        let all = [requests, rest].compactMap(\.self).filter { !$0.isEmpty }
        return all.isEmpty ? nil : all.joined(separator: ", ")
    }

    private func heard(_ message: MIDIMessage) -> String? {
        guard let patch else { return "channel \(Int(message.channel) + 1)" }
        let scenes = patch.scenes.filter { $0.hears(message, input: inputs.input(of: $0.keyboard)) }
        if !scenes.isEmpty { return "scene \(scenes.map(\.name).joined(separator: ", "))" }
        let maps = patch.controllers.filter { $0.place(of: message, input: inputs.input(of: $0.keyboard)) != nil }
        var takers = maps.map { "controller \($0.name) moves \($0.parameter)" }
        if maps.allSatisfy(\.passes) {
            let names = zones?.names(hearing: message) ?? []
            if names.contains("") { takers.append("channel \(Int(message.channel) + 1)") }
            takers += names.filter { !$0.isEmpty }.map { "zone \($0)" }
        }
        return takers.isEmpty ? nil : takers.joined(separator: ", ")
    }

    /// The input port of a keyboard with that name.
    private func input(of port: String) -> UInt8 {
        let names = inputs.keyboards
        let place = names.firstIndex { port.lowercased().contains($0.lowercased()) } ?? names.firstIndex(of: "any")
        return UInt8(clamping: place ?? names.count)
    }
}
