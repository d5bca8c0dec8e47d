import DSP

/// The assignment of the sound's channels to those of a device.
struct ChannelPlacing: Equatable {
    /// The loudspeakers of the device; nil if the request names none, or no layout has these.
    private(set) var layout: SpeakerLayout?
    /// The layouts to fold from and to, if the device has other loudspeakers than the sound is made for.
    private(set) var fold: (source: SpeakerLayout, target: SpeakerLayout)?
    /// The channel, of what is folded or else of the renderer, that each channel of the device plays; -1 for silence.
    private(set) var sources: [Int]

    /// `speakers` has nil for an unknown loudspeaker. Empty: the device does not report them, and the channels are
    /// in our order, which is ALSA's.
    init(_ request: DeviceRequest, channels: Int, speakers: [Speaker?] = []) {
        if !request.playback || channels == 0 {
            sources = Array(repeating: -1, count: channels)
            return
        }
        guard let made = request.layout, request.channelMap.isEmpty else {
            sources = (0..<channels).map { channel in
                let map = request.channelMap
                let source = channel < map.count ? map[channel] : (map.isEmpty ? channel : -1)
                return source < request.channels ? source : -1
            }
            return
        }
        let stated =
            speakers.isEmpty
            ? Self.usual(channels, wanted: request.deviceLayout ?? made) : Speaker.withSurroundsInTheRear(speakers)
        let heard = Set(stated.compactMap { $0 })
        // The widest layout that is all there.
        let target =
            SpeakerLayout.allCases.last { $0 != .mono && heard.isSuperset(of: $0.speakers) }
            ?? (channels == 1 ? .mono : .stereo)
        layout = target
        if made != target { fold = (made, target) }
        sources = stated.enumerated().map { place, speaker in
            let hasIt = speaker.flatMap { target.speakers.firstIndex(of: $0) }
            // A device of two channels or more that has no left and right has them all the same.
            if heard.isDisjoint(with: target.speakers) { return place < target.channels ? place : -1 }
            return hasIt ?? -1
        }
    }

    /// Returns the loudspeakers of `channels` channels on devices that do not report them.
    private static func usual(_ channels: Int, wanted: SpeakerLayout) -> [Speaker?] {
        let layout = SpeakerLayout(channels: channels) ?? (wanted.channels < channels ? wanted : .stereo)
        return (0..<channels).map { $0 < layout.channels ? layout.speakers[$0] : nil }
    }

    static func == (a: Self, b: Self) -> Bool {
        a.layout == b.layout && a.sources == b.sources && a.fold?.source == b.fold?.source && a.fold?.target == b.fold?.target
    }
}
