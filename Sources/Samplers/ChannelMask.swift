// [render]

/// Channels, one bit each: of their main lines, and of their sends.
struct ChannelMask: BitwiseCopyable {
    private(set) var main: UInt16, reverb: UInt16, chorus: UInt16

    @_noLocks init(main: UInt16 = 0, reverb: UInt16 = 0, chorus: UInt16 = 0) {
        (self.main, self.reverb, self.chorus) = (main, reverb, chorus)
    }

    var isEmpty: Bool { @_noLocks get { main == 0 && reverb == 0 && chorus == 0 } }

    @_noLocks mutating func formUnion(_ others: ChannelMask) {
        main |= others.main
        reverb |= others.reverb
        chorus |= others.chorus
    }
}
