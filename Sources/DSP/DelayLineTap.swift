// [render]

extension DelayLine {
    /// The least delay of a `tap`, in frames, if the frame at `position` itself has been written; one more if not.
    @inlinable public static var nearestTap: Int { @_noLocks @inline(__always) get { 2 } }

    /// Returns the sound of `delay` frames before `position`, between the frames too: the polynomial of fifth order through the
    /// six frames around it. At whole delays it is the frame itself.
    ///
    /// Source: T. Laakso, V. Välimäki, M. Karjalainen, U. Laine, "Splitting the Unit Delay", IEEE Signal Processing
    /// Magazine 13 (1996): Lagrange interpolation of odd order, at its best in the middle of its frames. It falls by 0.1 dB
    /// at a fifth of the sample rate where it is worst, half-way between two frames.
    @_noLocks public func tap(_ delay: Double, before position: Int) -> Float {
        let whole = DeterministicMath.floor(delay), frames = Int(whole)
        // From 0 at the older of the two frames around it to 1 at the newer one.
        let x = 1 - Float(delay - whole), y = read(frames &+ 3, before: position)
        let b = x + 1, a = x + 2, d = x - 1, e = x - 2, f = x - 3
        let ab = a * b, xd = x * d, ef = e * f
        let first = b * xd * ef * y[0], second = a * xd * ef * y[1], third = ab * d * ef * y[2]
        let fourth = ab * x * ef * y[3], fifth = ab * xd * f * y[4], sixth = ab * xd * e * y[5]
        return (sixth - first) * (1.0 / 120) + (second - fifth) * (1.0 / 24) + (fourth - third) * (1.0 / 12)
    }
}
