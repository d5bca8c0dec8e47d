/// A gain on frames that wait: here, because whole songs pass by it, and this module is built with the optimiser.
package enum FrameGain {
    /// Multiplies `count` samples by a factor.
    package static func scale(_ from: UnsafePointer<Float>, by gain: Float, to: UnsafeMutablePointer<Float>, count: Int) {
        for i in 0..<count { to[i] = from[i] * gain }
    }
}
