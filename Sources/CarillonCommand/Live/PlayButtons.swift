import ArgumentParser
import Carillon
import Control
import Installations
import Patches

/// The buttons of a keyboard that steer `carillon play`: `controller-41=toggle`, `key-C2=next`, `program-3=seek bar 1`.
struct PlayButtons {
    /// Takes the keyboards' events; none of them is played.
    let filter: CueFilter
    private let buttons: [Cue]

    /// `buttons` as `read` has them.
    init?(_ buttons: [Cue]) {
        if buttons.isEmpty { return nil }
        // Each by its place: two buttons may do the same.
        self.buttons = buttons.enumerated().map { place, button in
            var button = button
            button.name = "\(place)"
            return button
        }
        filter = CueFilter(self.buttons)
    }

    func due() -> [ControlCommand] {
        filter.take().flatMap { call -> [ControlCommand] in
            guard case .ask(let name) = call, case .commands(let commands)? = buttons.first(where: { $0.name == name })?.content
            else { return [] }
            return commands
        }
    }

    static func read(_ text: String) throws -> Cue {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let trigger = trigger(parts[0]) else {
            throw ValidationError("\"\(text)\": give a button and a request, like controller-41=toggle or key-C2=next")
        }
        do throws(Fault) {
            var cue = Cue(parts[0], .commands([try ControlGrammar.installation.command(parts[1])]))
            cue.triggers = [trigger]
            return cue
        } catch { throw ValidationError("\"\(parts[1])\": \(error)") }
    }

    private static func trigger(_ text: String) -> Cue.Trigger? {
        let words = text.split(separator: "-", maxSplits: 1).map(String.init)
        guard words.count == 2 else { return nil }
        switch words[0] {
        case "key": return KeySpan(words[1]).flatMap { $0.keys.count == 1 ? .key($0.keys.lowerBound) : nil }
        case "controller": return Int(words[1]).flatMap { (0...119).contains($0) ? .controller(UInt8($0)) : nil }
        case "program": return Int(words[1]).flatMap { (0...127).contains($0) ? .program(UInt8($0)) : nil }
        default: return nil
        }
    }
}
