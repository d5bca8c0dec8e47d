import MIDI

/// One source to one of our input ports: what the ledger calls a source. A keyboard that is connected twice is two.
struct MIDILink: Hashable, Comparable, Sendable {
    let sender: MIDIPortAddress
    /// 0...15.
    let input: UInt8

    var source: SourceLedger.Source {
        SourceLedger.Source(rawValue: Int(sender.client) << 16 | Int(sender.port) << 8 | Int(input))
    }

    static func < (a: MIDILink, b: MIDILink) -> Bool { (a.sender, a.input) < (b.sender, b.input) }
}
