import CEBUR128
import DSP

/// The calls of libebur128, all of them: nothing else in the package imports it.
enum LoudnessCalls {
    typealias State = UnsafeMutablePointer<ebur128_state>

    /// A new measurement; nil without memory, or for a rate or channel count outside libebur128's limits.
    static func create(
        channels: Int, sampleRate: Int, truePeak: Bool, range: Bool, boundedMemory: Bool
    ) -> State? {
        guard let channels = UInt32(exactly: channels), let rate = UInt(exactly: sampleRate) else { return nil }
        var mode = Int32(EBUR128_MODE_I.rawValue)
        if truePeak { mode |= Int32(EBUR128_MODE_TRUE_PEAK.rawValue) }
        if range { mode |= Int32(EBUR128_MODE_LRA.rawValue) }
        if boundedMemory { mode |= Int32(EBUR128_MODE_HISTOGRAM.rawValue) }
        return ebur128_init(channels, rate, mode)
    }

    /// Sets the speaker of each channel. - Returns: whether libebur128 knows them all.
    static func setChannels(_ state: State, _ speakers: [Speaker]) -> Bool {
        let hasSides = speakers.contains(.sideLeft)
        return speakers.enumerated().allSatisfy { index, speaker in
            let place: channel =
                switch speaker {
                case .frontLeft: EBUR128_LEFT
                case .frontRight: EBUR128_RIGHT
                case .centre: EBUR128_CENTER
                case .lowFrequency: EBUR128_UNUSED
                case .rearLeft: hasSides ? EBUR128_Mp135 : EBUR128_LEFT_SURROUND
                case .rearRight: hasSides ? EBUR128_Mm135 : EBUR128_RIGHT_SURROUND
                case .sideLeft: EBUR128_Mp090
                case .sideRight: EBUR128_Mm090
                }
            return ebur128_set_channel(state, UInt32(index), Int32(place.rawValue)) == Int32(EBUR128_SUCCESS.rawValue)
        }
    }

    static func destroy(_ state: State) {
        var state: State? = state
        ebur128_destroy(&state)
    }

    /// Takes interleaved frames. - Returns: false if libebur128 is out of memory.
    static func add(_ state: State, _ samples: UnsafePointer<Float>, frames: Int) -> Bool {
        ebur128_add_frames_float(state, samples, frames) == Int32(EBUR128_SUCCESS.rawValue)
    }

    /// Integrated loudness in LUFS; minus infinity if everything was below the gate.
    static func integrated(_ state: State) -> Double {
        var loudness = -Double.infinity
        _ = ebur128_loudness_global(state, &loudness)
        return loudness
    }

    /// Loudness of the last 400 ms in LUFS.
    static func momentary(_ state: State) -> Double {
        var loudness = -Double.infinity
        _ = ebur128_loudness_momentary(state, &loudness)
        return loudness
    }

    static func shortTerm(_ state: State) -> Double {
        var loudness = -Double.infinity
        _ = ebur128_loudness_shortterm(state, &loudness)
        return loudness
    }

    /// Loudness range so far in LU.
    static func range(_ state: State) -> Double {
        var range = 0.0
        _ = ebur128_loudness_range(state, &range)
        return range
    }

    /// The greatest true peak of a channel, linear, full scale 1.
    static func truePeak(_ state: State, channel: Int) -> Double {
        var peak = 0.0
        _ = ebur128_true_peak(state, UInt32(channel), &peak)
        return peak
    }
}
