/// A stretch of one track as the canonical song image that libsmf takes: format 0, one track, full status bytes,
/// shortest lengths, End of Track.
///
/// What libsmf cannot carry (`canCarry`) ends the page and goes into the track beside it, so order needs no
/// bookkeeping.
struct ScorePage {
    /// The largest delta time of a song file: four bytes of seven bits.
    static let longestDelta: Int64 = 0x0FFF_FFFF
    /// libsmf counts a page's ticks in 32 bits.
    private static let longestPage: Int64 = 1 << 30

    private(set) var start: Int64 = 0
    private(set) var count = 0
    private var tick: Int64 = 0
    private var image: [UInt8] = []
    private let header: [UInt8]

    init(ticksPerQuarter: Int) {
        header =
            Array("MThd".utf8) + [
                0, 0, 0, 6, 0, 0, 0, 1, UInt8(ticksPerQuarter >> 8 & 0x7F),
                UInt8(ticksPerQuarter & 255),
            ] + Array("MTrk".utf8) + [0, 0, 0, 0]
        image = header
    }

    /// Returns true if libsmf takes an event of this status and payload length unharmed.
    static func canCarry(status: UInt8, payload: Int) -> Bool {
        switch status {
        case 0x80...0xEF, 0xF0: true
        case 0xFF: payload <= 127
        default: false
        }
    }

    func hasRoom(for tick: Int64) -> Bool {
        count == 0
            || (count < SMFCalls.eventsPerPage && tick - self.tick <= Self.longestDelta
                && tick - start <= Self.longestPage)
    }

    mutating func append(_ first: UInt8, _ second: UInt8, _ third: UInt8?, at tick: Int64) {
        advance(to: tick)
        image.append(first)
        image.append(second)
        if let third { image.append(third) }
    }

    mutating func appendMeta(type: UInt8, payload: ArraySlice<UInt8>, at tick: Int64) {
        advance(to: tick)
        image.append(0xFF)
        image.append(type)
        image.append(UInt8(payload.count & 0x7F))
        image.append(contentsOf: payload)
    }

    /// - Parameter payload: what follows the F0.
    mutating func appendSystemExclusive(payload: ArraySlice<UInt8>, at tick: Int64) {
        advance(to: tick)
        image.append(0xF0)
        VariableLengthQuantity.append(payload.count, to: &image)
        image.append(contentsOf: payload)
    }

    mutating func close() -> [UInt8] {
        image += [0, 0xFF, 0x2F, 0]
        let length = image.count - header.count
        for byte in 0..<4 { image[header.count - 4 + byte] = UInt8(length >> (8 * (3 - byte)) & 255) }
        let closed = image
        image.removeAll(keepingCapacity: true)
        image.append(contentsOf: header)
        count = 0
        return closed
    }

    private mutating func advance(to tick: Int64) {
        if count == 0 {
            start = tick
            self.tick = tick
        }
        VariableLengthQuantity.append(Int(tick - self.tick), to: &image)
        self.tick = tick
        count += 1
    }
}
