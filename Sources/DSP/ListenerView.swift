// [render]

/// Where a listener is and which way the head is turned; places in the room become places before the ears.
///
/// Coordinates are metres: x to the right, y up, z towards the back, as in OpenAL and Web Audio. A head that is not turned
/// looks along -z.
public struct ListenerView: BitwiseCopyable {
    /// A place as seen from the listener: metres to the right, up and ahead.
    public struct Place: BitwiseCopyable {
        public let right: Double, up: Double, ahead: Double

        @_noLocks public init(right: Double, up: Double, ahead: Double) {
            (self.right, self.up, self.ahead) = (right, up, ahead)
        }

        /// Metres from the listener.
        public var distance: Double {
            @_noLocks get { DeterministicMath.squareRoot(right * right + up * up + ahead * ahead) }
        }
    }

    private let x: Double, y: Double, z: Double
    /// Unit vectors of the head.
    private let right: (Double, Double, Double), up: (Double, Double, Double), ahead: (Double, Double, Double)

    /// Creates a listener at a place. Angles in degrees: `yaw` turns the head to the right, `pitch` lifts the nose, then `roll`
    /// lowers the right ear.
    @_noLocks public init(x: Double, y: Double, z: Double, yaw: Double, pitch: Double, roll: Double) {
        (self.x, self.y, self.z) = (x, y, z)
        let sy = DeterministicMath.sine(turns: yaw / 360), cy = DeterministicMath.cosine(turns: yaw / 360)
        let sp = DeterministicMath.sine(turns: pitch / 360), cp = DeterministicMath.cosine(turns: pitch / 360)
        let sr = DeterministicMath.sine(turns: roll / 360), cr = DeterministicMath.cosine(turns: roll / 360)
        // Turned: ahead (sy, 0, -cy), right (cy, 0, sy), up (0, 1, 0); then lifted: ahead and up change.
        ahead = (sy * cp, sp, -cy * cp)
        let lifted = (-sy * sp, cp, cy * sp)
        right = (cy * cr - lifted.0 * sr, -lifted.1 * sr, sy * cr - lifted.2 * sr)
        up = (lifted.0 * cr + cy * sr, lifted.1 * cr, lifted.2 * cr + sy * sr)
    }

    /// Returns the place of x, y, z.
    @_noLocks public func place(x: Double, y: Double, z: Double) -> Place {
        let dx = x - self.x, dy = y - self.y, dz = z - self.z
        return Place(
            right: dx * right.0 + dy * right.1 + dz * right.2, up: dx * up.0 + dy * up.1 + dz * up.2,
            ahead: dx * ahead.0 + dy * ahead.1 + dz * ahead.2)
    }
}
