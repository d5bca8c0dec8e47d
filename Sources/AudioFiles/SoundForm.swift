/// How a file holds its sound: more kinds than `AudioFileFormat` offers for rendered sound.
package struct SoundForm: Hashable, Sendable {
    /// The form of its samples. FLAC has those of the integers that it gives back.
    package enum Coding: CaseIterable, Sendable {
        case int8, uint8, int16, int24, int32, float32, float64
        case muLaw, aLaw, ima4, alac16, alac20, alac24, alac32, vorbis, opus, mp3
        /// Another one that libsndfile decodes.
        case other
    }

    package var container: AudioFileFormat.Container
    package var coding: Coding
    package var isBigEndian: Bool

    package init(_ container: AudioFileFormat.Container, _ coding: Coding, isBigEndian: Bool = false) {
        (self.container, self.coding, self.isBigEndian) = (container, coding, isBigEndian)
    }

    /// Whether the installed libsndfile writes it.
    package func isOffered(channels: Int, sampleRate: Int) -> Bool {
        switch coding {
        // Its encoder writes stereo that cannot be compressed wrongly beyond 16 bits, and at 32 bits everything that cannot.
        case .alac32: return false
        case .alac20, .alac24: if channels != 1 { return false }
        case .alac16: if channels > 8 { return false }
        default: break
        }
        if isUnknownIMA4 { return (1...IMA4Packets.maximumChannels).contains(channels) && sampleRate > 0 }
        return (1...container.maximumChannels).contains(channels) && (1...container.maximumSampleRate).contains(sampleRate)
            && container.sampleRates?.contains(sampleRate) ?? true
            && SndFileCalls.canWrite(self, channels: channels, sampleRate: sampleRate)
    }

    /// False for what is written by packets alone.
    package var takesFrames: Bool { !isUnknownIMA4 }

    /// IMA4 in CAF, whose packets libsndfile takes for others.
    var isUnknownIMA4: Bool { container == .caf && coding == .ima4 }
}
