/// Counts the messages of a song or a keyboard that have no effect here, by the parameter that they write.
///
/// A message that writes what a module has anyway counts for nothing: many sequencers send whole mixers at rest. Control side.
package struct UnfollowedMusic: Sendable, Hashable {
    /// A parameter, and the number of messages that write it.
    package struct Entry: Sendable, Hashable {
        /// `GS part level`.
        package let name: String
        /// The address in hexadecimal: `40 1x 19`, `NRPN 14`; empty if it has none.
        package let address: String
        /// False if it would not be audible: names, displays, inquiries, dumps, messages to other models.
        package let isSound: Bool
        package internal(set) var count = 0

        /// The name with its address: `GS part level (40 1x 19)`.
        package var title: String { address.isEmpty ? name : "\(name) (\(address))" }
    }

    /// The parameters in the order of their first messages.
    package private(set) var entries: [Entry] = []
    private var standards = [SystemReset?](repeating: nil, count: 16)
    private var selections: [Int: ParameterSelection] = [:]
    private var insertions = [InsertionEffects](repeating: InsertionEffects(), count: 16)
    /// True for a keyboard, which plays the channels that it has.
    private let isLive: Bool

    package init(isLive: Bool = false) { self.isLive = isLive }

    /// Takes a message as `SystemExclusive.events` does, and before its events.
    package mutating func take(exclusive bytes: [UInt8], port: UInt8) {
        let message = SystemExclusive.body(of: bytes)
        guard let maker = message.first else { return }
        switch maker {
        case 0x7E: if !Self.isReset(message) { count("universal inquiry or dump", "7E", isSound: false) }
        case 0x7F: takeRealTime(message)
        case 0x41:
            if let written = RolandMessage(message) { return take(written, port) }
            let isInquiry = message.count > 3 && message[2] == 0x42
            count(isInquiry ? "GS inquiry" : "message to another model of Roland", "41", isSound: false)
        case 0x43 where message.count >= 7 && message[1] & 0xF0 == 0x10 && message[2] == 0x4C:
            take(Array(message[6...]), at: [message[3], message[4], message[5]], ExclusiveParameter.yamaha, "XG", port) {
                $0 & 15
            }
        case 0x43:
            let isDump = message.count > 2 && message[2] == 0x4C
            count(isDump ? "XG dump or inquiry" : "message to another model of Yamaha", "43", isSound: false)
        default: count("message of another maker", hexadecimal(maker), isSound: false)
        }
    }

    private mutating func take(_ written: RolandMessage, _ port: UInt8) {
        if !written.isSecondInsertion {
            take(written.data, at: written.address, ExclusiveParameter.roland, "GS", port) { PartMode.channel(ofBlock: $0) }
        } else if written.data[0] > 0 {
            count("GS part of the second port to the insertion effect", "50 4x 22", isSound: true)
        }
    }

    private static func isReset(_ message: [UInt8]) -> Bool {
        guard message.count >= 4 else { return false }
        return message[2] == 0x08 || message[2] == 0x09 && (1...3).contains(message[3])
    }

    private mutating func takeRealTime(_ message: [UInt8]) {
        guard message.count >= 4 else { return }
        switch (message[2], message[3]) {
        case (0x04, 0x01...0x04), (0x08, _), (0x09, 0x01...0x03), (0x0A, 0x01): break
        case (0x04, 0x05):
            let isKnown = message.count > 8 && message[5...7].elementsEqual([1, 1, 1]) && [1, 2].contains(message[8])
            if !isKnown { count("GM2 global parameter", "04 05", isSound: true) }
        default: count("universal message for machines, light or time code", "7F", isSound: false)
        }
    }

    private mutating func take(
        _ data: [UInt8], at address: [UInt8], _ table: [ExclusiveParameter], _ standard: String, _ port: UInt8,
        _ channel: (UInt8) -> UInt8
    ) {
        var written: Set<String> = []
        for (offset, value) in data.prefix(128).enumerated() {
            guard Int(address[2]) + offset < 128 else { return }
            let place = [address[0], address[1], address[2] + UInt8(offset)]
            guard let index = ExclusiveParameter.find(place, in: table) else {
                if offset == 0 { count("\(standard) address without a parameter", "", isSound: false) }
                continue
            }
            let parameter = table[index]
            if case .insertion = parameter.meaning {
                let isLast = offset + 1 == data.count
                takeInsertion(place, value & 127, standard, parameter.address, isLast: isLast, port & 15)
            }
            let rests =
                switch parameter.resting {
                case .none: false
                case .values(let values): values.contains(value & 127)
                case .ownChannel: value == channel(place[1])
                }
            let isFollowed = parameter.isFollowed && !(isLive && parameter.isOfSongs)
            if isFollowed || rests || !written.insert(parameter.name).inserted { continue }
            count(parameter.name, parameter.address, isSound: parameter.isSound)
        }
    }

    /// A type of two bytes is known when both have come.
    private mutating func takeInsertion(
        _ place: [UInt8], _ value: UInt8, _ standard: String, _ address: String, isLast: Bool, _ port: UInt8
    ) {
        let (slot, changes) = insertions[Int(port)].take(place, value)
        let isChoice = changes.contains { $0.parameter == .type }, isHalf = [0, 0x40].contains(place[2]) && !isLast
        let joins = changes.contains {
            if case .part = $0.parameter { $0.value == 1 } else { $0.parameter == .system && $0.value == 1 }
        }
        guard joins || isChoice && !isHalf,
            let type = insertions[Int(port)].unfollowedType(slot: slot)
        else { return }
        count("\(standard) \(slot == 5 ? "variation" : "insertion effect") \(type)", address, isSound: true)
    }

    /// Takes an event that a song or a keyboard plays: the standard that it chooses, and controllers of its own.
    package mutating func take(_ event: MusicEvent) {
        switch event {
        case .reset(let standard, let port), .standard(let standard, let port):
            (standards[Int(port & 15)], insertions[Int(port & 15)]) = (standard, InsertionEffects())
        case .message(let message) where message.kind == .controlChange: control(message)
        default: break
        }
    }

    private mutating func control(_ message: MIDIMessage) {
        let standard = standards[Int(message.port & 15)]
        guard standard == .gs || standard == .xg else { return }
        switch message.data1 {
        case 98...101:
            selections[message.part, default: ParameterSelection()].choose(Controller(rawValue: message.data1), message.data2)
        case 6:
            guard let number = selections[message.part]?.nonRegistered,
                let name = Self.nonRegistered(number), name.standard == standard,
                message.data2 != name.rest
            else { return }
            let lower = number >> 7 == 1 ? " \(hexadecimal(UInt8(number & 127)))" : ""
            count(name.text, "NRPN \(hexadecimal(UInt8(number >> 7)))\(lower)", isSound: true)
        default: break
        }
    }

    /// Non-registered parameters that modules follow: by their number, those of single drums by their upper byte alone.
    static func nonRegistered(_ number: UInt16) -> (text: String, standard: SystemReset, rest: UInt8)? {
        switch (number >> 7, number & 127) {
        case (0x01, 0x24): ("XG high-pass filter", .xg, 64)
        case (0x01, 0x30): ("XG bass", .xg, 64)
        case (0x01, 0x31): ("XG treble", .xg, 64)
        case (0x1F, _): ("GS drum delay send", .gs, 0)
        default: nil
        }
    }

    private mutating func count(_ name: String, _ address: String, isSound: Bool) {
        let index = entries.firstIndex { $0.name == name } ?? entries.count
        if index == entries.count { entries.append(Entry(name: name, address: address, isSound: isSound)) }
        entries[index].count += 1
    }

    private func hexadecimal(_ byte: UInt8) -> String {
        let text = String(byte, radix: 16, uppercase: true)
        return text.count == 1 ? "0" + text : text
    }
}
