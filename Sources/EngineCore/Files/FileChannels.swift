import AudioFiles
import DSP

/// The way that the channels of a file come onto those of the unit that plays it: speaker by speaker where it is known which
/// they are for, else one by one.
struct FileChannels {
    /// Channels of the file, and of the unit.
    package let count: Int, width: Int
    /// The loudspeakers that the file was made for, and those that the unit plays on; nil where channels go one by one.
    private let layouts: (source: SpeakerLayout, target: SpeakerLayout)?

    /// - Throws: `channels` for more than 8; `speakers` if the unit is narrower and the file does not say which channel is
    ///   which.
    init(_ reader: any FrameReading, on width: Int) throws(Fault) {
        (count, self.width) = (reader.channels, width)
        guard (1...8).contains(count) else { throw .channels(path: reader.path, count: count) }
        // One and two channels are mono and stereo.
        let source = reader.layout ?? (count <= 2 ? SpeakerLayout(channels: count) : nil)
        if let source, let target = SpeakerLayout(channels: width) {
            layouts = (source, target)
        } else {
            layouts = nil
            guard count <= width else { throw .speakers(path: reader.path, count: count, width: width) }
        }
    }

    var fold: SpeakerFold {
        layouts.map { SpeakerFold(from: $0.source, to: $0.target) } ?? SpeakerFold(oneByOne: count, on: width)
    }

    /// Returns the differences from the file as a sentence, or nil if there are none.
    func remark(_ reader: any FrameReading) -> String? {
        guard let (source, target) = layouts else { return nil }
        var parts: [String] = []
        if (reader as? AudioFileReader)?.hasAssumedLayout == true {
            parts.append("does not say which loudspeaker each channel is for, and is taken for \(source.rawValue)")
        }
        if source.speakers.contains(where: { !target.speakers.contains($0) }), source != .mono {
            parts.append("is made for \(source.rawValue), and is folded down to \(target.rawValue)")
        }
        return parts.isEmpty ? nil : "\(reader.path): \(parts.joined(separator: "; it "))"
    }
}
