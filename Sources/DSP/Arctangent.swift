// [render]

extension DeterministicMath {
    /// Returns the angle of a direction, in turns of -0.5...0.5 from the x axis towards the y axis; 0 if both are 0.
    ///
    /// Within 4e-9 turns. Source: M. Abramowitz, I. Stegun, Handbook of Mathematical Functions (1964), 4.4.49.
    @_noLocks public static func turns(x: Double, y: Double) -> Double {
        let far = max(abs(x), abs(y)), near = min(abs(x), abs(y))
        if far == 0 { return 0 }
        let t = near / far, t2 = t * t
        var sum = 0.0028662257
        sum = -0.0161657367 + t2 * sum
        sum = 0.0429096138 + t2 * sum
        sum = -0.0752896400 + t2 * sum
        sum = 0.1065626393 + t2 * sum
        sum = -0.1420889944 + t2 * sum
        sum = 0.1999355085 + t2 * sum
        sum = -0.3333314528 + t2 * sum
        var turns = t * (1 + t2 * sum) * 0.15915494309189535    // 1 / 2 pi
        if abs(y) > abs(x) { turns = 0.25 - turns }
        if x < 0 { turns = 0.5 - turns }
        return y < 0 ? -turns : turns
    }
}
