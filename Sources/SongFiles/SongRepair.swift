/// One thing that is wrong with a song file, where it is, and what was done about it.
public struct SongRepair: Hashable, Sendable, CustomStringConvertible {
    /// Where in the file, from 0. Unit: bytes.
    public var byteOffset: Int
    /// The fault that was found; each has one remedy, `SongFault.remedy`.
    package var fault: SongFault

    package init(byteOffset: Int, fault: SongFault) {
        self.byteOffset = byteOffset
        self.fault = fault
    }

    /// "byte 22: no End of Track: the track ends after its last event".
    public var description: String { "byte \(byteOffset): \(fault): \(fault.remedy)" }
}
