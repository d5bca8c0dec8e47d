/// A preset that a song asks for, as its messages say it; what bank means depends on the standard in force.
public struct PresetUse: Hashable, Sendable {
    /// CC 0 when the program change came, 0...127.
    public var bankMSB: UInt8
    /// CC 32 when the program change came, 0...127.
    public var bankLSB: UInt8
    /// 0...127.
    public var program: UInt8
    /// Whether the channel was a drum part then: channel 9, or made one by GS or XG System Exclusive.
    public var isDrums: Bool
    /// Notes played with it; 0 for one that was asked for only.
    public var noteCount: Int

    public init(bankMSB: UInt8, bankLSB: UInt8, program: UInt8, isDrums: Bool, noteCount: Int) {
        self.bankMSB = bankMSB
        self.bankLSB = bankLSB
        self.program = program
        self.isDrums = isDrums
        self.noteCount = noteCount
    }
}
