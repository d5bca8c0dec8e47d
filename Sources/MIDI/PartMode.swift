// [render]

/// The use of a channel's programs: as melodic presets or as drum kits.
@frozen public enum PartMode: UInt8, BitwiseCopyable, Sendable {
    case melodic, drums

    /// Returns the mode of a channel after power-on and after a reset of any standard: the tenth, 9 from 0, has drums.
    ///
    /// - Parameter part: a channel 0...15, or a part, whose lower four bits are its channel.
    @_noLocks @inlinable public static func initial(_ part: Int) -> PartMode { part & 15 == 9 ? .drums : .melodic }

    /// True if the programs are drum kits.
    @inlinable public var isDrums: Bool { @_noLocks get { if case .drums = self { true } else { false } } }

    /// The channel, 0...15, of Roland's block 0...15: block 0 is that of the drums, the others follow in order.
    static func channel(ofBlock block: UInt8) -> UInt8 {
        let block = block & 15
        return block == 0 ? 9 : block <= 9 ? block - 1 : block
    }

    /// Returns the block in which Roland's addresses have a channel, 0...15.
    public static func block(ofChannel channel: UInt8) -> UInt8 {
        (UInt8(0)..<16).first { self.channel(ofBlock: $0) == channel & 15 } ?? 0
    }
}
