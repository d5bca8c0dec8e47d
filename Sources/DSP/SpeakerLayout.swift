/// The place of a loudspeaker around the listener.
///
/// The raw values are the order of Carillon's own channels, which is that of ALSA.
public enum Speaker: Int, Sendable, CaseIterable, BitwiseCopyable {
    case frontLeft, frontRight, rearLeft, rearRight, centre, lowFrequency, sideLeft, sideRight

    /// Returns the speakers that a file or a device names, as layouts have them: side speakers without rear ones are the
    /// surrounds of a smaller layout, where they are rear ones. nil is a speaker that Carillon does not know.
    public static func withSurroundsInTheRear(_ named: [Speaker?]) -> [Speaker?] {
        if named.contains(.rearLeft) { return named }
        return named.map { $0 == .sideLeft ? .rearLeft : $0 == .sideRight ? .rearRight : $0 }
    }
}

/// Loudspeakers that belong together, and the order of their channels: what Core Audio calls an `AudioChannelLayout`.
///
/// Inside Carillon channels are in the order of `Speaker`, so that quad, 5.0, 5.1 and 7.1 each begin as the smaller ones do:
/// front left and right, rear left and right, centre, low frequencies, side left and right. Files and devices have orders of
/// their own, and get and give them. Places: ITU-R BS.775 (to 5.1) and BS.2051, system I (7.1).
public enum SpeakerLayout: String, Sendable, CaseIterable {
    case mono, stereo
    case stereoWithBass = "2.1"
    case quad
    case surround50 = "5.0"
    case surround51 = "5.1"
    case surround71 = "7.1"

    /// The names, as they are typed.
    public static var names: [String] { allCases.map(\.rawValue) }

    /// The layout of that name, also as a spatial mixer calls it (`surround-5.1`); nil if none is called so.
    public init?(named name: String) {
        let name = name.lowercased()
        self.init(rawValue: name.hasPrefix("surround-") ? String(name.dropFirst(9)) : name)
    }

    /// Creates the usual layout of `channels` channels; nil for 7 and for more than 8, which no layout has.
    public init?(channels: Int) {
        guard let layout = Self.allCases.first(where: { $0.channels == channels }) else { return nil }
        self = layout
    }

    /// The speakers, in the order of Carillon's channels.
    public var speakers: [Speaker] {
        switch self {
        case .mono: [.centre]
        case .stereo: [.frontLeft, .frontRight]
        case .stereoWithBass: [.frontLeft, .frontRight, .lowFrequency]
        case .quad: [.frontLeft, .frontRight, .rearLeft, .rearRight]
        case .surround50: [.frontLeft, .frontRight, .rearLeft, .rearRight, .centre]
        case .surround51: [.frontLeft, .frontRight, .rearLeft, .rearRight, .centre, .lowFrequency]
        case .surround71: Speaker.allCases
        }
    }

    /// The number of channels.
    public var channels: Int {
        switch self {
        case .mono: 1
        case .stereo: 2
        case .stereoWithBass: 3
        case .quad: 4
        case .surround50: 5
        case .surround51: 6
        case .surround71: 8
        }
    }
}
