/// Little-endian bytes and RIFF chunks in the making.
struct Bytes {
    private(set) var array: [UInt8] = []

    init(_ array: [UInt8] = []) { self.array = array }

    init(text: String) {
        array = Array(text.utf8) + [0]
        if array.count % 2 == 1 { array.append(0) }
    }

    init(text4: String) { array = Array(text4.utf8) }

    var count: Int { array.count }

    mutating func byte(_ value: UInt8) { array.append(value) }

    mutating func word(_ value: UInt16) {
        array.append(UInt8(truncatingIfNeeded: value))
        array.append(UInt8(truncatingIfNeeded: value >> 8))
    }

    mutating func long(_ value: Int) {
        word(UInt16(truncatingIfNeeded: value))
        word(UInt16(truncatingIfNeeded: value >> 16))
    }

    mutating func zeros(_ count: Int) { array.append(contentsOf: repeatElement(0, count: count)) }

    /// A name field: 20 bytes, at least the last one zero.
    mutating func name(_ text: String) {
        let characters = Array(text.utf8.prefix(19))
        array += characters
        zeros(20 - characters.count)
    }

    mutating func chunk(_ name: String, _ content: Bytes) {
        array += Array(name.utf8)
        long(content.count)
        array += content.array
        if content.count % 2 == 1 { array.append(0) }
    }

    mutating func list(_ name: String, _ content: Bytes) {
        var body = Bytes(text4: name)
        body.array += content.array
        chunk("LIST", body)
    }
}
