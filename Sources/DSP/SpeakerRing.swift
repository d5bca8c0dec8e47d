// [render]

/// Loudspeakers around a listener, and the share of each in a sound between them.
///
/// The two nearest speakers play it, so loud that their gains, as weights of the directions to them, point to it, and that
/// the sum of their squares is 1. Source: V. Pulkki, "Virtual Sound Source Positioning Using Vector Base Amplitude
/// Panning", J. Audio Eng. Soc. 45 (1997), in two dimensions. Angles: ITU-R BS.775 (5.1) and BS.2051, system I (7.1).
///
/// Channels are in the order of ALSA, so that each layout begins as the smaller ones do: front left and right, rear left
/// and right, centre, low frequencies (always silent), side left and right.
public struct SpeakerRing: ~Copyable {
    /// The layouts' names, in the order of `init`.
    public static let layouts = ["stereo", "quad", "surround-5.1", "surround-7.1"]
    /// Channels of the widest layout.
    @inlinable public static var width: Int { @_noLocks @inline(__always) get { 8 } }

    /// Channel and degrees to the right of ahead, once around.
    private static let speakers: [[(channel: Int, angle: Double)]] = [
        [(0, -30), (1, 30)],
        [(0, -45), (1, 45), (3, 135), (2, -135)],
        [(0, -30), (4, 0), (1, 30), (3, 110), (2, -110)],
        [(0, -30), (4, 0), (1, 30), (7, 90), (3, 135), (2, -135), (6, -90)],
    ]

    private struct Speaker: BitwiseCopyable {
        var channel: Int
        var right: Double, ahead: Double
    }

    private let ring: UnsafeMutablePointer<Speaker>
    private let count: Int

    /// Creates a layout by its place in `layouts`. Control side.
    public init(layout: Int) {
        let speakers = Self.speakers[layout]
        count = speakers.count
        ring = .allocate(capacity: count)
        for (index, speaker) in speakers.enumerated() {
            (ring + index).initialize(
                to: Speaker(
                    channel: speaker.channel, right: DeterministicMath.sine(turns: speaker.angle / 360),
                    ahead: DeterministicMath.cosine(turns: speaker.angle / 360)))
        }
    }

    deinit { ring.deallocate() }

    /// Writes the gain of each of the eight channels for a sound in a direction, at any distance. Height does not count; a
    /// sound right above is everywhere. With two speakers a sound at the back is heard in front, and one beyond a speaker at
    /// that speaker.
    @_noLocks public func spread(_ place: ListenerView.Place, to gains: UnsafeMutablePointer<Double>) {
        for channel in 0..<Self.width { gains[channel] = 0 }
        let size = DeterministicMath.squareRoot(place.right * place.right + place.ahead * place.ahead)
        if size < 1e-9 {
            for index in 0..<count { gains[ring[index].channel] = 1 / DeterministicMath.squareRoot(Double(count)) }
            return
        }
        let right = place.right / size, ahead = count == 2 ? abs(place.ahead / size) : place.ahead / size
        var best = -1.0, pair = (first: 0.0, second: 0.0), found = -1
        for index in 0..<(count == 2 ? 1 : count) {
            let a = ring[index], b = ring[(index &+ 1) % count]
            let area = a.right * b.ahead - a.ahead * b.right
            let first = (right * b.ahead - ahead * b.right) / area, second = (a.right * ahead - a.ahead * right) / area
            if min(first, second) > best {
                best = min(first, second)
                pair = (first, second)
                found = index
            }
        }
        if found < 0 || best < -1e-9 {
            gains[ring[right < 0 ? 0 : 1].channel] = 1
            return
        }
        // What rounding leaves of a speaker that has no part in it is nothing.
        let first = pair.first < 1e-9 ? 0 : pair.first, second = pair.second < 1e-9 ? 0 : pair.second
        let power = DeterministicMath.squareRoot(first * first + second * second)
        gains[ring[found].channel] = first / power
        gains[ring[(found &+ 1) % count].channel] = second / power
    }
}
