/// System Exclusive messages in words, by the tables that they are followed by.
extension SystemExclusive {
    /// Returns what a message says, F0 ... F7 or without them: `GS part level on channel 3: 100`. What it is at least where no
    /// table has it: whose message.
    package static func words(of bytes: [UInt8]) -> String {
        let message = body(of: bytes)
        guard let maker = message.first else { return "an empty message" }
        switch maker {
        case 0x7E, 0x7F: return universal(message)
        case 0x41:
            guard let written = RolandMessage(message) else {
                return message.count > 3 && message[2] == 0x42 ? "GS inquiry" : "message to a model of Roland"
            }
            let port = written.isOfSecondInput ? " of the second input" : ""
            return parameters(written.data, at: written.address, ExclusiveParameter.roland, "GS") + port
        case 0x43 where message.count >= 7 && message[1] & 0xF0 == 0x10 && message[2] == 0x4C:
            return parameters(Array(message[6...]), at: Array(message[3...5]), ExclusiveParameter.yamaha, "XG")
        case 0x43: return message.count > 2 && message[2] == 0x4C ? "XG dump or inquiry" : "message to a model of Yamaha"
        case 0x7D: return "message without a maker, for tests and schools"
        default: return "message of maker " + hexadecimal(maker == 0 ? message.prefix(3) : message.prefix(1))
        }
    }

    /// Bytes in hexadecimal, with blanks between them.
    package static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined(separator: " ")
    }

    private static func universal(_ message: [UInt8]) -> String {
        guard message.count >= 3 else { return "universal message, cut off" }
        let kind = message[2], more = message.count > 3 ? message[3] : 0, address = hexadecimal([kind, more])
        if kind == 0x08 { return "tuning" }
        let name =
            message[0] == 0x7E
            ? otherMessages[address] ?? otherMessages[hexadecimal([kind])]
            : ExclusiveParameter.generalMIDI2.first { $0.address == address }?.effect ?? realTimeMessages[hexadecimal([kind])]
        let data = message.dropFirst(4)
        guard let name else { return "universal message \(address)" }
        // The values of master volume and its like have 14 bits.
        if message[0] == 0x7F, kind == 0x04, more < 0x05, data.count == 2, let low = data.first, let high = data.last {
            return "\(name): \(Int(high & 127) << 7 | Int(low & 127)) of 16383"
        }
        return name
    }

    private static let otherMessages = [
        "01": "sample dump", "02": "sample dump", "03": "sample dump request", "04": "time code set-up", "05": "sample dump",
        "06 01": "identity request", "06 02": "identity reply", "09 01": "General MIDI on", "09 02": "General MIDI off",
        "09 03": "General MIDI 2 on", "7B": "end of file", "7C": "wait", "7D": "cancel", "7E": "not acknowledged",
        "7F": "acknowledged",
    ]

    private static let realTimeMessages = [
        "01": "time code", "02": "show control", "03": "bar and meter", "05": "time code cueing", "06": "machine control",
        "07": "reply to machine control", "0C": "mobile phone control",
    ]

    /// The parameters that the data of a message write, with their values.
    private static func parameters(
        _ data: [UInt8], at address: [UInt8], _ table: [ExclusiveParameter], _ standard: String
    ) -> String {
        var written: [(name: String, values: [UInt8])] = []
        for (offset, value) in data.enumerated() where Int(address[2]) + offset < 128 {
            let place = [address[0], address[1], address[2] + UInt8(offset)]
            let name =
                ExclusiveParameter.find(place, in: table).map { table[$0].name + whose(place, standard) }
                ?? "\(standard) address without a parameter"
            if written.last?.name == name {
                written[written.count - 1].values.append(value)
            } else {
                written.append((name, [value]))
            }
        }
        return written.map { "\($0.name): " + $0.values.map { "\($0)" }.joined(separator: " ") }.joined(separator: "; ")
    }

    /// The channel or the drum's key that an address is for.
    private static func whose(_ place: [UInt8], _ standard: String) -> String {
        switch (standard, place[0]) {
        case ("GS", 0x40) where [0x10, 0x20, 0x40].contains(place[1] & 0xF0):
            " on channel \(PartMode.channel(ofBlock: place[1]) + 1)"
        case ("GS", 0x41) where place[1] & 15 > 0: " of \(KeyName.text(of: place[2] & 127))"
        case ("XG", 0x08): " on channel \(place[1] & 15 + 1)"
        case ("XG", 0x30...0x3F): " of \(KeyName.text(of: place[1] & 127))"
        default: ""
        }
    }
}
