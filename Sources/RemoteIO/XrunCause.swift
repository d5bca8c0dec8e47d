// [render]

/// Why a device ran out of sound.
public enum XrunCause: Int32, BitwiseCopyable, Sendable, CaseIterable, CustomStringConvertible {
    /// Rendering took longer than the slice lasts.
    case renderLate
    /// The system woke the audio thread too late.
    case wokeLate
    /// Neither: the driver, or the hardware.
    case driver

    /// Judges an xrun by what was measured of the last slice, in nanoseconds.
    ///
    /// - Parameters:
    ///   - render: how long it took to render.
    ///   - lateness: how much later than expected the thread woke.
    ///   - period: how long a slice lasts.
    ///   - buffer: how long a full buffer lasts.
    @_noLocks public static func judge(render: Int64, lateness: Int64, period: Int64, buffer: Int64) -> XrunCause {
        if render > period { return .renderLate }
        // At a wake-up in time the buffer holds all but one slice; that much may be used up.
        if render &+ lateness > max(buffer &- period, period / 2) { return render > lateness ? .renderLate : .wokeLate }
        return .driver
    }

    public var description: String {
        switch self {
        case .renderLate: "render late"
        case .wokeLate: "woke late"
        case .driver: "driver"
        }
    }
}
