import Carillon
import MIDI

/// `--program`: a channel, and the program that it plays throughout.
struct ProgramOption: Sendable, Hashable {
    /// port * 16 + channel.
    let part: Int
    let preset: PresetRequest

    init(_ text: String) throws {
        let sides = text.split(separator: "=", omittingEmptySubsequences: false)
        guard sides.count == 2, let channel = Self.number(sides[0], 1...256) else {
            throw SettingError("give a channel from 1 to 256 and its program, like 1=40 or 2=8:5")
        }
        part = channel - 1
        let isDrums = PartMode.initial(part).isDrums, kits = PresetRequest(kit: 0).bank
        let numbers = sides[1].split(separator: ":", omittingEmptySubsequences: false)
        guard (1...2).contains(numbers.count), let program = Self.number(numbers[numbers.count - 1], 0...127),
            let bank = numbers.count == 1 ? isDrums ? kits : 0 : Self.number(numbers[0], 0...kits)
        else {
            throw SettingError(
                "give a program from 0 to 127, or a bank from 0 to \(kits) before it, like 40 or 8:5 (carillon inspect counts alike)"
            )
        }
        preset = bank == kits ? PresetRequest(kit: UInt8(program)) : PresetRequest(bank: UInt8(bank), program: UInt8(program))
    }

    private static func number(_ text: Substring, _ range: ClosedRange<Int>) -> Int? {
        guard let number = Int(text), range.contains(number) else { return nil }
        return number
    }
}

extension [ProgramOption] {
    func check() throws {
        var seen: Set<Int> = []
        for option in self where !seen.insert(option.part).inserted {
            throw SettingError("--program: channel \(option.part + 1) has two programs; leave one of them out")
        }
    }
}
