import DSP

/// The order in which a kind of file keeps the channels of a layout.
///
/// WAVE and its kin go by the bits of `dwChannelMask` (Microsoft, "Multiple Channel Audio Data and WAVE Files"), and so do FLAC
/// (RFC 9639, 9.1.3) and files that do not say where a channel belongs; Vorbis and Opus have an order of their own (Vorbis I,
/// 4.3.9; RFC 7845, 5.1.1.2); AIFF and CAF that of Apple's layout tags. The surrounds of quad and 5.1 are rear speakers.
struct ChannelOrder {
    let speakers: [Speaker]
    let places: [Int]

    init(_ layout: SpeakerLayout, in container: AudioFileFormat.Container) {
        let order: [Speaker] =
            switch container {
            case .vorbis, .opus: layout == .surround71 ? Self.oggOfEight : Self.ogg
            case .aiff, .caf: Self.apple
            default: Self.wave
            }
        self.init(order.filter { layout.speakers.contains($0) }, of: layout)
    }

    /// The order of a file's speakers; nil if that is none of a layout's.
    init?(_ stated: [Speaker]) {
        let speakers = Speaker.withSurroundsInTheRear(stated).compactMap { $0 }
        guard
            let layout = SpeakerLayout.allCases.first(where: {
                $0.channels == speakers.count && Set($0.speakers) == Set(speakers)
            })
        else { return nil }
        self.init(speakers, of: layout)
    }

    private init(_ speakers: [Speaker], of layout: SpeakerLayout) {
        self.speakers = speakers
        places = layout.speakers.map { speaker in
            guard let place = speakers.firstIndex(of: speaker) else { preconditionFailure("an order has every speaker") }
            return place
        }
        self.layout = layout
    }

    let layout: SpeakerLayout

    private static let wave: [Speaker] = [
        .frontLeft, .frontRight, .centre, .lowFrequency, .rearLeft, .rearRight, .sideLeft, .sideRight,
    ]
    private static let ogg: [Speaker] = [.frontLeft, .centre, .frontRight, .rearLeft, .rearRight, .lowFrequency]
    private static let oggOfEight: [Speaker] = [
        .frontLeft, .centre, .frontRight, .sideLeft, .sideRight, .rearLeft, .rearRight, .lowFrequency,
    ]
    /// MPEG 5.1 A and 7.1 C: the sides come before the rear.
    private static let apple: [Speaker] = [
        .frontLeft, .frontRight, .centre, .lowFrequency, .sideLeft, .sideRight, .rearLeft, .rearRight,
    ]
}

extension AudioFileFormat.Container {
    /// The layouts that it can hold, and that its readers find again.
    public var layouts: [SpeakerLayout] {
        switch self {
        case .mp3: [.mono, .stereo]
        // Three channels are left, right and centre there.
        case .flac, .vorbis, .opus: SpeakerLayout.allCases.filter { $0 != .stereoWithBass }
        default: SpeakerLayout.allCases
        }
    }

    /// Returns true if a file names the speaker of each channel, explicitly or by its kind.
    public func tells(_ layout: SpeakerLayout) -> Bool {
        switch self {
        case .wav, .rf64, .flac, .vorbis, .opus, .mp3: true
        // libsndfile has no tag for eight.
        case .aiff, .caf: layout != .surround71
        case .w64, .au, .raw: layout.channels <= 2
        }
    }

    /// True if the file names its speakers in a map that must be set.
    var needsMap: Bool { [.wav, .rf64, .aiff, .caf].contains(self) }
}
