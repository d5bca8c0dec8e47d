/// A meta event, checked against Standard MIDI Files 1.0 (RP-001) for its type.
struct MetaEvent {
    private(set) var fault: SongFault?
    /// The part of the event that is kept; nil if it is ignored.
    private(set) var data: ArraySlice<UInt8>?

    init(type: UInt8, data: ArraySlice<UInt8>) {
        self.data = data
        switch type {
        case 0x21: checkPort(data)
        case 0x51:
            if data.count != 3 {
                refuse(.tempoLength(data.count))
            } else if data.allSatisfy({ $0 == 0 }) {
                refuse(.tempoZero)
            }
        case 0x54: if !Self.isOffset(Array(data)) { refuse(.smpteOffset(length: data.count)) }
        case 0x58:
            let isMeter = data.count >= 4 && data[data.startIndex] > 0 && data[data.startIndex + 1] <= 7
            if isMeter { self.data = data.prefix(4) } else { refuse(.meter(length: data.count)) }
        case 0x59:
            let isKey =
                data.count >= 2 && abs(Int(Int8(bitPattern: data[data.startIndex]))) <= 7
                && data[data.startIndex + 1] <= 1
            if isKey { self.data = data.prefix(2) } else { refuse(.key(length: data.count)) }
        case 0x80...0xFF: refuse(.metaType(type))
        default: break
        }
    }

    private mutating func refuse(_ fault: SongFault) {
        self.fault = fault
        data = nil
    }

    private mutating func checkPort(_ data: ArraySlice<UInt8>) {
        guard data.count == 1, let port = data.first else { return refuse(.portLength(data.count)) }
        if port > 15 { fault = .portNumber(port) }
    }

    /// Film rate and hour in one byte, minute, second, frame, hundredths of a frame.
    private static func isOffset(_ fields: [UInt8]) -> Bool {
        guard fields.count == 5, fields[0] < 0x80 else { return false }
        let framesPerSecond: [UInt8] = [24, 25, 30, 30]
        return fields[0] & 0x1F < 24 && fields[1] < 60 && fields[2] < 60
            && fields[3] < framesPerSecond[Int(fields[0] >> 5)] && fields[4] < 100
    }
}
