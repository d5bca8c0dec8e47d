/// A message of Roland GS that writes parameters (data set 1, `F0 41 dd 42 12 ... F7`).
package struct RolandMessage {
    /// Three bytes; those of the second input's parts and drums (50, 51) as the first's (40, 41).
    let address: [UInt8]
    let data: [UInt8]
    let isOfSecondInput: Bool

    /// `message` is without F0 and F7. Returns nil for any other message.
    init?(_ message: [UInt8]) {
        guard message.count >= 8, message[0] == 0x41, message[2] == 0x42, message[3] == 0x12 else { return nil }
        isOfSecondInput = message[4] == 0x50 || message[4] == 0x51
        address = [isOfSecondInput ? message[4] - 0x10 : message[4], message[5], message[6]]
        // The last byte is the checksum, unless only one byte follows the address: then it was left out.
        data = Array(message.count > 8 ? message[7..<(message.count - 1)] : message[7...])
    }

    /// True for the switch of a part of the second input into the insertion effect, which is the first one's here.
    var isSecondInsertion: Bool {
        isOfSecondInput && address[0] == 0x40 && address[1] & 0xF0 == 0x40 && address[2] == 0x22
    }

    /// Returns the message that writes `data` at an address, F0 ... F7. `body` is both, one after the other.
    package static func bytes(_ body: [UInt8]) -> [UInt8] {
        let sum = body.reduce(0) { $0 + Int($1) } & 127
        return [0xF0, 0x41, 0x10, 0x42, 0x12] + body + [UInt8((128 - sum) & 127), 0xF7]
    }
}
