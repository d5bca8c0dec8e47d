import CRubberBand
import Reports
import UnitAPI

/// All calls of librubberband: nothing else knows it. It is loaded when the first stretcher is made, and never linked.
enum RubberBandCalls {
    typealias Stretcher = UnsafeMutableRawPointer

    static let libraryName = "librubberband.so.2"
    /// The reason why the library could not be loaded, at the first try; nil when it was.
    private static let refusal: String? = load(libraryName)

    static func load(_ name: String) -> String? { rubber_band_load(name).map { String(cString: $0) } }

    /// A stretcher of `channels` channels. - Throws: `notInstalled`, `refused`.
    static func make(
        sampleRate: Int, channels: Int, ratio: Double, pitch: Double, isRealTime: Bool, keepsFormants: Bool
    ) throws(Fault) -> Stretcher {
        if let refusal { throw .notInstalled(reason: refusal) }
        var options = RUBBER_BAND_ONE_THREAD | RUBBER_BAND_TOGETHER | RUBBER_BAND_FINER
        if isRealTime { options |= RUBBER_BAND_REAL_TIME | RUBBER_BAND_CONSISTENT_PITCH }
        if keepsFormants { options |= RUBBER_BAND_FORMANTS }
        let made = rubber_band_make(UInt32(sampleRate), UInt32(channels), Int32(options), ratio, pitch)
        guard let made else { throw .refused(sampleRate: sampleRate, channels: channels) }
        return made
    }

    static func close(_ stretcher: Stretcher) { rubber_band_close(stretcher) }
    static func setLongest(_ stretcher: Stretcher, _ frames: Int) { rubber_band_set_longest(stretcher, UInt32(frames)) }
    static func pad(_ stretcher: Stretcher) -> Int { Int(rubber_band_pad(stretcher)) }

    // [render]

    @_noLocks static func startAgain(_ stretcher: Stretcher) { rubber_band_reset(stretcher) }
    @_noLocks static func setPitch(_ stretcher: Stretcher, _ pitch: Double) { rubber_band_set_pitch(stretcher, pitch) }
    @_noLocks static func keepFormants(_ stretcher: Stretcher, _ stay: Bool) { rubber_band_set_formants(stretcher, stay) }

    @_noLocks static func process(
        _ stretcher: Stretcher, _ channels: UnsafePointer<UnsafePointer<Float>>, _ frames: Int, isLast: Bool
    ) {
        rubber_band_process(stretcher, channels, UInt32(truncatingIfNeeded: frames), isLast)
    }

    @_noLocks static func available(_ stretcher: Stretcher) -> Int { max(Int(rubber_band_available(stretcher)), 0) }

    /// Gives up to `frames` frames; returns how many.
    @_noLocks static func retrieve(
        _ stretcher: Stretcher, _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, _ frames: Int
    ) -> Int {
        Int(rubber_band_retrieve(stretcher, channels, UInt32(truncatingIfNeeded: frames)))
    }
}

/// Sound that cannot be stretched or shifted.
extension Fault {
    package static func notInstalled(reason: String) -> Fault {
        Fault(
            "librubberband.so.2 cannot be loaded (\(reason))", .unavailable,
            remedy: "install it: apt-get install librubberband2")
    }
    package static func refused(sampleRate: Int, channels: Int) -> Fault {
        Fault(
            "librubberband takes no sound of \(channels) channels at \(sampleRate) Hz", .software,
            remedy: "choose 8000 to 192000 Hz")
    }
    package static func outside(what: String, asked: Double, supported: ClosedRange<Double>) -> Fault {
        Fault("\(what) \(asked) cannot be", .usage, remedy: "choose \(supported.lowerBound) to \(supported.upperBound)")
    }
    package static func channels(asked: Int) -> Fault { Fault("give \(asked) channels of one length", .usage) }
    package static let finished = Fault("the sound is finished", .usage, remedy: "make another TimeStretch for more of it")
}
