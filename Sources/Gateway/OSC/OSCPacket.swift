import CLO

/// Datagrams of OSC into messages and back: bundles by hand, messages by liblo.
enum OSCPacket {
    /// Bytes of a datagram; a line of the grammar is half as long.
    static let longest = 8192
    /// Messages of one datagram, fewer than may wait for the session; arguments of one message; bundles in bundles.
    static let mostMessages = 48, mostArguments = 32, deepest = 4

    /// The messages of a datagram, in order; time tags are not looked at. - Throws: `malformed`, for all of it if a part is.
    static func messages(_ bytes: [UInt8]) throws(OSCError) -> [OSCMessage] {
        if bytes.count > longest { throw .malformed }
        var messages: [OSCMessage] = []
        try take(bytes[...], depth: 0, into: &messages)
        return messages
    }

    static func bytes(_ message: OSCMessage) -> [UInt8] {
        guard let made = lo_message_new() else { preconditionFailure("no memory for a message") }
        defer { lo_message_free(made) }
        for argument in message.arguments {
            // It fails if there is no memory, and then the message lacks something.
            let code =
                switch argument {
                case .whole(let number): lo_message_add_int32(made, number)
                case .wide(let number): lo_message_add_int64(made, number)
                case .single(let number): lo_message_add_float(made, number)
                case .double(let number): lo_message_add_double(made, number)
                case .text(let text): lo_message_add_string(made, text)
                case .flag(true): lo_message_add_true(made)
                case .flag(false): lo_message_add_false(made)
                }
            precondition(code == 0, "no memory for a message")
        }
        var bytes = [UInt8](repeating: 0, count: lo_message_length(made, message.address))
        bytes.withUnsafeMutableBytes { _ = lo_message_serialise(made, message.address, $0.baseAddress, nil) }
        return bytes
    }

    private static let bundle = Array("#bundle\0".utf8)

    private static func take(_ bytes: ArraySlice<UInt8>, depth: Int, into messages: inout [OSCMessage]) throws(OSCError) {
        guard bytes.starts(with: bundle) else {
            if messages.count >= mostMessages { throw .malformed }
            return messages.append(try message(bytes))
        }
        // The word, followed by eight bytes of time.
        guard depth < deepest, bytes.count >= 16 else { throw .malformed }
        var rest = bytes.dropFirst(16)
        while !rest.isEmpty {
            guard rest.count >= 4 else { throw .malformed }
            let size = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(4)
            // The size gives the beginning of the next one; a size of 0 or not of four bytes is an error.
            guard size > 0, size % 4 == 0, size <= rest.count else { throw .malformed }
            try take(rest.prefix(size), depth: depth + 1, into: &messages)
            rest = rest.dropFirst(size)
        }
    }

    /// Tags that liblo is shown: it looks beyond the end for the length of a blob that is cut off, and writes a line to
    /// standard error for each tag that it does not know.
    private static let tags = Set("ifdhsSTF".utf8)

    private static func message(_ bytes: ArraySlice<UInt8>) throws(OSCError) -> OSCMessage {
        var bytes = Array(bytes)
        guard bytes.first == UInt8(ascii: "/"), bytes.count % 4 == 0, let end = bytes.firstIndex(of: 0) else {
            throw .malformed
        }
        let head = (end / 4 + 1) * 4
        // Old senders leave out the tags if there are none.
        if head == bytes.count { bytes += [UInt8(ascii: ","), 0, 0, 0] }
        let written = bytes[(head + 1)...].prefix { $0 != 0 }
        guard bytes[head] == UInt8(ascii: ","), written.count <= mostArguments, written.allSatisfy(tags.contains) else {
            throw .malformed
        }
        let count = bytes.count
        let read = bytes.withUnsafeMutableBytes { lo_message_deserialise($0.baseAddress, count, nil) }
        guard let read, let address = String(validating: bytes[..<end], as: UTF8.self) else { throw .malformed }
        defer { lo_message_free(read) }
        var arguments: [OSCMessage.Argument] = []
        let values = lo_message_get_argv(read)
        for (index, tag) in written.enumerated() { arguments.append(try argument(tag, values?[index])) }
        return OSCMessage(address: address, arguments: arguments)
    }

    /// A value at the place where liblo has put it, at a multiple of four: numbers of eight bytes may be unaligned.
    private static func argument(_ tag: UInt8, _ place: UnsafeMutablePointer<lo_arg>?) throws(OSCError) -> OSCMessage.Argument {
        if tag == UInt8(ascii: "T") || tag == UInt8(ascii: "F") { return .flag(tag == UInt8(ascii: "T")) }
        guard let place else { throw .malformed }
        let raw = UnsafeRawPointer(place)
        switch tag {
        case UInt8(ascii: "i"): return .whole(raw.loadUnaligned(as: Int32.self))
        case UInt8(ascii: "h"): return .wide(raw.loadUnaligned(as: Int64.self))
        case UInt8(ascii: "f"): return .single(raw.loadUnaligned(as: Float.self))
        case UInt8(ascii: "d"): return .double(raw.loadUnaligned(as: Double.self))
        default:
            // liblo has seen that it ends.
            guard let text = String(validatingCString: raw.assumingMemoryBound(to: CChar.self)) else { throw .malformed }
            return .text(text)
        }
    }
}
