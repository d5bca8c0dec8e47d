// [render]

/// Decides how much work to shed before a slice comes too late: level 0 for none, 1 for the quietest released voices, 2
/// for interpolation too, 3 for the reverb's quality too.
///
/// Rises by one level when the load passes 80 %, at most once in 50 ms, at once when a slice took all its time; falls by
/// one when the load has stayed below 60 % for two seconds. Pure; audio thread.
package struct LoadGovernor: BitwiseCopyable, Sendable, Equatable {
    /// Shares of the slice's time.
    static var high: Double { @_noLocks get { 0.8 } }
    static var low: Double { @_noLocks get { 0.6 } }
    /// Nanoseconds of sound between two rises, and without load before a fall.
    static var riseInterval: Int64 { @_noLocks get { 50_000_000 } }
    static var calm: Int64 { @_noLocks get { 2_000_000_000 } }
    /// The highest level.
    package static var highestLevel: Int { @_noLocks get { 3 } }

    /// The amount to shed now, 0...3.
    package private(set) var level = 0
    /// Render time over the time that the slice lasts: rises at once, falls within about 100 ms.
    package private(set) var load = 0.0
    /// The number of times that the level rose, and that it fell.
    package private(set) var rises = 0
    package private(set) var falls = 0
    private var sinceChange: Int64 = 0
    private var calmFor: Int64 = 0

    @_noLocks package init() { sinceChange = LoadGovernor.riseInterval }

    /// Takes the render time of a slice and the time that it lasts, nanoseconds, and returns the level.
    @_noLocks package mutating func update(render: Int64, budget: Int64) -> Int {
        if budget <= 0 { return level }
        let now = Double(max(render, 0)) / Double(budget)
        let decay = min(1, Double(budget) / 100_000_000)
        load = now > load ? now : load + (now - load) * decay
        sinceChange &+= min(budget, LoadGovernor.calm)
        calmFor = now < LoadGovernor.low ? calmFor &+ min(budget, LoadGovernor.calm) : 0
        let isUrgent = now >= 1
        if now > LoadGovernor.high, level < LoadGovernor.highestLevel,
            isUrgent || sinceChange >= LoadGovernor.riseInterval
        {
            level &+= 1
            rises &+= 1
            sinceChange = 0
        } else if level > 0, calmFor >= LoadGovernor.calm {
            level &-= 1
            falls &+= 1
            calmFor = 0
            sinceChange = 0
        }
        return level
    }
}
