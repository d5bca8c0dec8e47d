// [render]

/// The cause of a device running out of sound.
package enum XrunCause: Int32, BitwiseCopyable, Sendable, CaseIterable, CustomStringConvertible {
    /// Rendering took longer than the slice lasts.
    case renderLate
    /// The system woke the audio thread too late.
    case wokeLate
    /// Neither: the driver, or the hardware.
    case driver

    /// Judges an xrun by what was measured of the last slice, in nanoseconds:
    /// - `render`: how long it took to render.
    /// - `lateness`: how much later than expected the thread woke.
    /// - `period`: how long a slice lasts.
    /// - `inHand`: how long what the buffer holds at a wake-up in time lasts; that much may be used up.
    @_noLocks package static func judge(render: Int64, lateness: Int64, period: Int64, inHand: Int64) -> XrunCause {
        if render > period { return .renderLate }
        if render &+ lateness > max(inHand, period / 2) { return render > lateness ? .renderLate : .wokeLate }
        return .driver
    }

    package var description: String {
        switch self {
        case .renderLate: "render late"
        case .wokeLate: "woke late"
        case .driver: "driver"
        }
    }
}
