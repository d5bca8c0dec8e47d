import CSpeexDSP
import UnitAPI

/// All calls of libspeexdsp: nothing else knows it. It is loaded when the first canceller is made, and never linked.
enum SpeexDSPCalls {
    typealias Canceller = UnsafeMutableRawPointer
    typealias Cleaner = UnsafeMutableRawPointer

    enum Setting { case suppression, gainControl, noise, echo, echoInSpeech }

    static let libraryName = "libspeexdsp.so.1"
    /// The reason why the library could not be loaded, at the first try; nil when it was.
    private static let refusal: String? = load(libraryName)

    static func load(_ name: String) -> String? { speex_dsp_load(name).map { String(cString: $0) } }

    /// A canceller of echoes of up to `tail` frames. - Throws: `notInstalled`, `refused`.
    static func makeCanceller(
        block: Int, tail: Int, speakers: Int, sampleRate: Int
    ) throws(VoiceProcessingError) -> Canceller {
        if let refusal { throw .notInstalled(reason: refusal) }
        let made = speex_dsp_make_canceller(Int32(block), Int32(tail), Int32(speakers), Int32(sampleRate))
        guard let made else { throw .refused(sampleRate: sampleRate) }
        return made
    }

    /// A cleaner of voices. - Throws: `notInstalled`, `refused`.
    static func makeCleaner(block: Int, sampleRate: Int) throws(VoiceProcessingError) -> Cleaner {
        if let refusal { throw .notInstalled(reason: refusal) }
        guard let made = speex_dsp_make_cleaner(Int32(block), Int32(sampleRate)) else { throw .refused(sampleRate: sampleRate) }
        return made
    }

    static func close(canceller: Canceller) { speex_dsp_close_canceller(canceller) }
    static func close(cleaner: Cleaner) { speex_dsp_close_cleaner(cleaner) }

    // [render]

    @_noLocks static func cancel(
        _ canceller: Canceller, _ microphone: UnsafePointer<Int16>, _ playback: UnsafePointer<Int16>,
        _ out: UnsafeMutablePointer<Int16>
    ) {
        speex_dsp_cancel(canceller, microphone, playback, out)
    }

    @_noLocks static func startAgain(_ canceller: Canceller) { speex_dsp_reset_canceller(canceller) }
    /// A block, in place; what comes out is a block late.
    @_noLocks static func clean(_ cleaner: Cleaner, _ samples: UnsafeMutablePointer<Int16>) {
        speex_dsp_clean(cleaner, samples)
    }

    @_noLocks static func set(_ cleaner: Cleaner, _ setting: Setting, _ value: Int) {
        let what =
            switch setting {
            case .suppression: SPEEX_DSP_SUPPRESSION
            case .gainControl: SPEEX_DSP_GAIN_CONTROL
            case .noise: SPEEX_DSP_NOISE
            case .echo: SPEEX_DSP_ECHO
            case .echoInSpeech: SPEEX_DSP_ECHO_IN_SPEECH
            }
        speex_dsp_set(cleaner, Int32(truncatingIfNeeded: what), Int32(truncatingIfNeeded: value))
    }

    /// The loudness that gain control aims at, in the library's measure, full scale is 1 and the most.
    @_noLocks static func setTarget(_ cleaner: Cleaner, _ level: Float) { speex_dsp_set_target(cleaner, level) }

    /// Sets the echo `canceller` whose residual echo the cleaner suppresses; nil means none.
    @_noLocks static func attach(_ cleaner: Cleaner, to canceller: Canceller?) { speex_dsp_attach(cleaner, canceller) }

    /// The gain of gain control at the moment, whole decibels.
    @_noLocks static func gain(_ cleaner: Cleaner) -> Float { Float(speex_dsp_gain(cleaner)) }
}

/// The reason why there is no voice processing.
package enum VoiceProcessingError: Error, Sendable, Equatable, CustomStringConvertible {
    /// libspeexdsp is not installed; `reason` comes from the system.
    case notInstalled(reason: String)
    /// The library does not work at this rate, in hertz.
    case refused(sampleRate: Int)

    /// The kind of refusal it is.
    package var fault: UnitError.ResourceFault {
        if case .notInstalled = self { .notInstalled } else { .library }
    }

    package var description: String {
        switch self {
        case .notInstalled(let reason):
            "libspeexdsp.so.1 cannot be loaded (\(reason)); install it: apt-get install libspeexdsp1"
        case .refused(let sampleRate): "libspeexdsp takes no voice at \(sampleRate) Hz; choose 8000 to 96000 Hz"
        }
    }
}
