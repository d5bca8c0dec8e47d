import CSpeexDSP
import Reports
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
    ) throws(Fault) -> Canceller {
        if let refusal { throw .notInstalled(reason: refusal) }
        let made = speex_dsp_make_canceller(Int32(block), Int32(tail), Int32(speakers), Int32(sampleRate))
        guard let made else { throw .refused(sampleRate: sampleRate) }
        return made
    }

    /// A cleaner of voices. - Throws: `notInstalled`, `refused`.
    static func makeCleaner(block: Int, sampleRate: Int) throws(Fault) -> Cleaner {
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

/// There is no voice processing.
extension Fault {
    package static func notInstalled(reason: String) -> Fault {
        Fault(
            "libspeexdsp.so.1 cannot be loaded (\(reason))", .unavailable, remedy: "install it: apt-get install libspeexdsp1")
    }
    static func refused(sampleRate: Int) -> Fault {
        Fault("libspeexdsp takes no voice at \(sampleRate) Hz", .software, remedy: "choose 8000 to 96000 Hz")
    }
}
