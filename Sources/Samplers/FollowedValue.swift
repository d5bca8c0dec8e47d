// [render]

/// A number that goes straight to its goal in some milliseconds, a step a period of 64 frames.
struct FollowedValue: BitwiseCopyable {
    private(set) var value: Float = 0
    private var goal: Float = 0, step: Float = 0
    private var isSet = false

    @_noLocks init() {}

    /// One period on the way to `goal`; there at once the first time, and where there is no time.
    @_noLocks mutating func follow(_ goal: Float, milliseconds: Float, _ periodsPerSecond: Float) -> Float {
        let periods = milliseconds * 0.001 * periodsPerSecond
        if !isSet || periods < 1 {
            (value, self.goal, isSet) = (goal, goal, true)
            return goal
        }
        if goal != self.goal {
            self.goal = goal
            step = (goal - value) / periods
        }
        let way = goal - value
        value = abs(way) <= abs(step) ? goal : value + step
        return value
    }
}
