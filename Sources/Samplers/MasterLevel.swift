// [render]

/// Master volume and balance of a sampler: what is wanted, and the way there, a quarter of it a grid of 64 frames.
struct MasterLevel: BitwiseCopyable {
    /// Factors of both sides: wanted; reached when the grid began; its goal, for a change waits for the next grid.
    private var wanted = SIMD2<Float>(1, 1)
    private(set) var now = SIMD2<Float>(1, 1), goal = SIMD2<Float>(1, 1)
    private var volume: Float = 1, balance: Float = 0

    @_noLocks init() {}

    /// 0...1. While nothing sounds, what is wanted is there at once.
    @_noLocks mutating func set(volume: Float, isSilent: Bool) {
        self.volume = min(max(volume, 0), 1)
        update(isSilent)
    }

    /// -1...1.
    @_noLocks mutating func set(balance: Float, isSilent: Bool) {
        self.balance = min(max(balance, -1), 1)
        update(isSilent)
    }

    /// As after power-on.
    @_noLocks mutating func powerUp(isSilent: Bool) {
        (volume, balance) = (1, 0)
        update(isSilent)
    }

    @_noLocks private mutating func update(_ isSilent: Bool) {
        wanted = SIMD2(volume * (balance > 0 ? 1 - balance : 1), volume * (balance < 0 ? 1 + balance : 1))
        if isSilent { settle() }
    }

    @_noLocks mutating func settle() {
        now = wanted
        goal = wanted
    }

    /// A quarter of the way a grid, and the last bit at once.
    @_noLocks mutating func step(isSilent: Bool) {
        if isSilent { return settle() }
        let way = goal - now
        now = abs(way.x) + abs(way.y) < 0.001 ? goal : now + way * 0.25
        goal = wanted
    }
}
