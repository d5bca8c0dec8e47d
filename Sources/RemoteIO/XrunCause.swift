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
    ///   - buffer: how long a full buffer lasts: what a late wake-up may use up, but for one slice.
    @_noLocks public static func judge(render: Int64, lateness: Int64, period: Int64, buffer: Int64) -> XrunCause {
        if render > period { return .renderLate }
        if lateness > max(buffer &- period, period / 2) { return .wokeLate }
        // Both together may have used up the buffer.
        if render &+ lateness > buffer { return render > lateness ? .renderLate : .wokeLate }
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
