import Patch
import UnitAPI

/// Zones of a patch in a file, both ways.
struct ZoneReader {
    let reader: PatchReader

    private static let keys = [
        "keyboard", "channels", "keys", "softest", "hardest", "transpose", "velocity", "pressure", "ignored-controllers",
        "programs", "unit", "output", "channel", "bank", "program",
    ]

    /// The zone of an entry.
    func zone(_ entry: FileNode.Entry, key: String) throws(PatchFileError) -> Zone {
        var zone = Zone(entry.name)
        for entry in try reader.mapping(entry.value, key: key, of: "a mapping with keys, unit, ...") {
            let node = entry.value, place = "\(key).\(entry.name)"
            switch entry.name {
            case "keyboard": zone.keyboard = try reader.text(node, key: place, of: "a keyboard's name")
            case "channels": zone.channels = try reader.channels(node, place)
            case "keys":
                guard let keys = KeySpan(try reader.text(node, key: place, of: "a range of keys")) else {
                    throw reader.error(.wrongKind(expected: "a range of keys like C2-B3 or 36-59"), place, node)
                }
                zone.keys = keys
            case "softest": zone.softest = UInt8(try reader.number(node, 1...127, place))
            case "hardest": zone.hardest = UInt8(try reader.number(node, 1...127, place))
            case "transpose": zone.transpose = try reader.number(node, -127...127, place)
            case "velocity": zone.velocity = try curve(node, place)
            case "pressure": zone.pressure = try curve(node, place)
            case "ignored-controllers":
                var items = [node]
                if case .list(let list) = node.content { items = list }
                for item in items { zone.ignoredControllers.insert(try reader.number(item, 0...127, place)) }
            case "programs": zone.passesPrograms = try reader.flag(node, key: place)
            case "unit": zone.unit = try reader.text(node, key: place, of: "a unit's name")
            case "output": zone.output = try reader.text(node, key: place, of: "a part of the name of a MIDI port")
            case "channel": zone.channel = try reader.number(node, 1...16, place)
            case "bank": zone.bank = try reader.number(node, 0...128, place)
            case "program": zone.program = try reader.number(node, 0...127, place)
            default: throw reader.error(.unknownKey(entry.name, known: Self.keys), key, entry.key)
            }
        }
        return zone
    }

    private func curve(_ node: FileNode, _ key: String) throws(PatchFileError) -> TouchCurve {
        var curve = TouchCurve.straight
        for entry in try reader.mapping(node, key: key, of: "a mapping with curve, low and high") {
            let place = "\(key).\(entry.name)"
            switch entry.name {
            case "curve":
                let text = try reader.text(entry.value, key: place, of: "a number from 0 to 10")
                guard let number = Float(text), (0...10).contains(number) else {
                    throw reader.error(.wrongKind(expected: "a number from 0 to 10"), place, entry.value)
                }
                curve.exponent = number
            case "low": curve.low = UInt8(try reader.number(entry.value, 1...127, place))
            case "high": curve.high = UInt8(try reader.number(entry.value, 1...127, place))
            default: throw reader.error(.unknownKey(entry.name, known: ["curve", "low", "high"]), key, entry.key)
            }
        }
        return curve
    }

    /// Returns what a zone says in a file; what is as it always is is left out.
    static func entries(_ zone: Zone) -> [FileTree.Entry] {
        let plain = Zone("")
        var entries: [FileTree.Entry] = []
        func add(_ key: String, _ value: FileTree?) { if let value { entries.append(.init(key: key, value: value)) } }
        func number(_ value: Int?) -> FileTree? { value.map { .literal("\($0)") } }
        func curve(_ curve: TouchCurve) -> FileTree? {
            if curve == .straight { return nil }
            var entries: [FileTree.Entry] = []
            if curve.exponent != 1 { entries.append(.init(key: "curve", value: .literal("\(curve.exponent)"))) }
            if curve.low != 1 { entries.append(.init(key: "low", value: .literal("\(curve.low)"))) }
            if curve.high != 127 { entries.append(.init(key: "high", value: .literal("\(curve.high)"))) }
            return .mapping(entries)
        }
        add("keyboard", zone.keyboard.map(FileTree.text))
        add("channels", zone.channels.isEmpty ? nil : .setting(zone.channels.description))
        add("keys", zone.keys == plain.keys ? nil : .text(zone.keys.description))
        add("softest", zone.softest == plain.softest ? nil : number(Int(zone.softest)))
        add("hardest", zone.hardest == plain.hardest ? nil : number(Int(zone.hardest)))
        add("transpose", zone.transpose == 0 ? nil : number(zone.transpose))
        add("velocity", curve(zone.velocity))
        add("pressure", curve(zone.pressure))
        let ignored = zone.ignoredControllers.sorted()
        add("ignored-controllers", ignored.isEmpty ? nil : .row(ignored.compactMap(number)))
        add("programs", zone.passesPrograms ? nil : .text("off"))
        add("unit", zone.unit.map(FileTree.text))
        add("output", zone.output.map(FileTree.text))
        add("channel", number(zone.channel))
        add("bank", number(zone.bank))
        add("program", number(zone.program))
        return entries
    }
}
