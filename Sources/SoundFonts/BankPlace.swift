/// The place of a SoundFont in a song file (RMID), and the offset that the song wants for its banks.
///
/// Source: SF2 RMIDI specification 1.17 (Z. Bacskó, spessasus), where a bank of SF2 or SF3 begins at bank 1 without a chunk
/// `DBNK`; and the MMA's RMID, whose bank is DLS and is not moved. Control side.
struct BankPlace {
    let bytes: Range<Int>
    /// 0...127.
    let bankOffset: Int

    /// Chunks of a song file that are looked at; one has about five.
    private static let mostChunks = 4_096

    /// Nil if it is not an RMID. Throws `noBank` if it has none, `value` if its offset makes no sense, `tooMany`.
    init?(
        path: String, size: Int, read: (_ offset: Int, _ count: Int) throws(SoundFontError) -> [UInt8]
    ) throws(SoundFontError) {
        guard size >= 12 else { return nil }
        let head = try read(0, 12)
        guard Self.name(head, 0) == "RIFF", Self.name(head, 8) == "RMID" else { return nil }
        var at = 12, count = 0, offset: Int?
        var bank: (bytes: Range<Int>, isDLS: Bool)?
        while at + 8 <= size {
            count += 1
            guard count <= Self.mostChunks else {
                throw .tooMany(path: path, what: "chunks", count: count, limit: Self.mostChunks)
            }
            let header = try read(at, min(12, size - at))
            let length = Self.long(header, 4), end = at + 8 + length
            let form = header.count == 12 ? Self.name(header, 8) : ""
            switch (Self.name(header, 0), form) {
            case ("RIFF", "sfbk") where bank == nil: bank = (at..<min(end, size), false)
            case ("RIFF", "DLS ") where bank == nil: bank = (at..<min(end, size), true)
            case ("LIST", "INFO") where offset == nil && end <= size:
                offset = try Self.offset(path, at + 12, end, &count, read)
            default: break
            }
            at = end
            if length % 2 == 1, at + 4 <= size {
                // Some writers leave the byte out that makes a length even.
                let next = Self.name(try read(at, 4), 0)
                if next != "RIFF" && next != "LIST" { at += 1 }
            }
        }
        guard let bank else { throw .noBank(path: path) }
        bytes = bank.bytes
        bankOffset = bank.isDLS ? 0 : offset ?? 1
    }

    private static func offset(
        _ path: String, _ start: Int, _ end: Int, _ count: inout Int,
        _ read: (_ offset: Int, _ count: Int) throws(SoundFontError) -> [UInt8]
    ) throws(SoundFontError) -> Int? {
        var at = start
        while at + 8 <= end, count < mostChunks {
            count += 1
            let header = try read(at, 8), length = long(header, 4)
            guard length <= end - at - 8 else { return nil }
            if name(header, 0) == "DBNK" {
                guard length == 2 else {
                    throw .value(path: path, chunk: "INFO", offset: at, field: "length of DBNK", value: length, allowed: 2...2)
                }
                let bytes = try read(at + 8, 2), value = Int(bytes[0]) | Int(bytes[1]) << 8
                guard value <= 127 else {
                    throw .value(path: path, chunk: "DBNK", offset: at, field: "bank offset", value: value, allowed: 0...127)
                }
                return value
            }
            at += 8 + length + length % 2
        }
        return nil
    }

    private static func name(_ bytes: [UInt8], _ at: Int) -> String { RIFFChunk.text(Array(bytes[at..<at + 4])) }
    private static func long(_ bytes: [UInt8], _ at: Int) -> Int {
        (0..<4).reduce(0) { $0 | Int(bytes[at + $1]) << (8 * $1) }
    }
}
