import CALSA
import CALSARender
import CRealtime
import DSP
import Glibc
import RemoteIO

typealias PCM = OpaquePointer

/// Everything this program asks of PCM devices: the one file that calls `snd_pcm_*`.
///
/// Setting up throws; what runs on the audio thread returns the library's number, negative for an error, and takes no memory.
enum PCMCalls {
    struct Parameters {
        var rate: Int
        var periodFrames: Int
        var bufferFrames: Int
        var format: SampleFormat
        var channels: Int
        /// The loudspeaker of each channel; empty if the device does not report it.
        var speakers: [Speaker?] = []
    }

    /// Turns libasound's own messages off, for the whole process.
    static func silence() { _ = calsa_silence() }

    // MARK: - Control side

    /// Does not wait for a program that holds it.
    static func open(_ name: String, isCapture: Bool) throws(ALSAFault) -> PCM {
        var pcm: PCM?
        let stream = isCapture ? SND_PCM_STREAM_CAPTURE : SND_PCM_STREAM_PLAYBACK
        try check("snd_pcm_open", snd_pcm_open(&pcm, name, stream, SND_PCM_NONBLOCK))
        guard let pcm else { throw ALSAFault("snd_pcm_open", -ENODEV) }
        return pcm
    }

    /// Sound that it still holds is not played.
    static func close(_ pcm: PCM) {
        snd_pcm_drop(pcm)
        snd_pcm_close(pcm)
    }

    /// As near to `wanted` as the device can; the period is scaled where the rate is another.
    static func configure(_ pcm: PCM, _ wanted: Parameters, isCapture: Bool) throws(ALSAFault) -> Parameters {
        var memory: OpaquePointer?
        try check("snd_pcm_hw_params_malloc", snd_pcm_hw_params_malloc(&memory))
        guard let hardware = memory else { throw ALSAFault("snd_pcm_hw_params_malloc", -ENOMEM) }
        defer { snd_pcm_hw_params_free(hardware) }
        try check("snd_pcm_hw_params_any", snd_pcm_hw_params_any(pcm, hardware))
        // The rate is the device's own: plug-ins must not convert what is converted better here.
        try check("snd_pcm_hw_params_set_rate_resample", snd_pcm_hw_params_set_rate_resample(pcm, hardware, 0))
        try check(
            "snd_pcm_hw_params_set_access",
            snd_pcm_hw_params_set_access(pcm, hardware, SND_PCM_ACCESS_RW_INTERLEAVED))
        let formats = [wanted.format] + SampleFormat.allCases.filter { $0 != wanted.format }
        guard
            let format = formats.first(where: {
                snd_pcm_hw_params_test_format(pcm, hardware, alsaFormat($0)) == 0
            })
        else { throw ALSAFault("snd_pcm_hw_params_test_format", -EINVAL) }
        try check(
            "snd_pcm_hw_params_set_format", snd_pcm_hw_params_set_format(pcm, hardware, alsaFormat(format)))
        var channels = UInt32(clamping: max(isCapture ? wanted.channels : min(wanted.channels, mostSpeakers(pcm)), 1))
        try check(
            "snd_pcm_hw_params_set_channels_near", snd_pcm_hw_params_set_channels_near(pcm, hardware, &channels))
        var rate = UInt32(clamping: wanted.rate)
        try check("snd_pcm_hw_params_set_rate_near", snd_pcm_hw_params_set_rate_near(pcm, hardware, &rate, nil))
        let scaled =
            Int(rate) == wanted.rate
            ? wanted.periodFrames : max(1, wanted.periodFrames * Int(rate) / max(wanted.rate, 1))
        var period = snd_pcm_uframes_t(scaled)
        try check(
            "snd_pcm_hw_params_set_period_size_near",
            snd_pcm_hw_params_set_period_size_near(pcm, hardware, &period, nil))
        let periods = max(2, wanted.bufferFrames / max(wanted.periodFrames, 1))
        var buffer = period * snd_pcm_uframes_t(periods)
        try check(
            "snd_pcm_hw_params_set_buffer_size_near",
            snd_pcm_hw_params_set_buffer_size_near(pcm, hardware, &buffer))
        try check("snd_pcm_hw_params", snd_pcm_hw_params(pcm, hardware))
        snd_pcm_hw_params_get_period_size(hardware, &period, nil)
        snd_pcm_hw_params_get_buffer_size(hardware, &buffer)
        try setSoftware(pcm, period: period)
        return Parameters(
            rate: Int(rate), periodFrames: Int(period), bufferFrames: Int(buffer), format: format,
            channels: Int(channels), speakers: isCapture ? [] : speakers(pcm))
    }

    /// Channels of the widest map that a device knows; a converting plug-in would take more, and fold them in its own way.
    private static func mostSpeakers(_ pcm: PCM) -> Int {
        guard let maps = snd_pcm_query_chmaps(pcm) else { return Int.max }
        defer { snd_pcm_free_chmaps(maps) }
        var most = 0, place = 0
        while let map = maps[place] {
            most = max(most, Int(map.pointee.map.channels))
            place += 1
        }
        return most == 0 ? Int.max : most
    }

    /// Returns nil for a loudspeaker that none of our layouts has; empty if the device reports none.
    private static func speakers(_ pcm: PCM) -> [Speaker?] {
        guard let map = snd_pcm_get_chmap(pcm) else { return [] }
        defer { Glibc.free(map) }
        let count = Int(map.pointee.channels), first = MemoryLayout<snd_pcm_chmap_t>.size
        let positions = (0..<count).map { channel -> Speaker? in
            let place = UnsafeRawPointer(map).load(fromByteOffset: first + 4 * channel, as: UInt32.self)
            return speaker(place & UInt32(SND_CHMAP_POSITION_MASK))
        }
        return positions.contains { $0 != nil } ? positions : []
    }

    private static func speaker(_ place: UInt32) -> Speaker? {
        switch snd_pcm_chmap_position(place) {
        case SND_CHMAP_FL: .frontLeft
        case SND_CHMAP_FR: .frontRight
        case SND_CHMAP_FC, SND_CHMAP_MONO: .centre
        case SND_CHMAP_LFE: .lowFrequency
        case SND_CHMAP_RL: .rearLeft
        case SND_CHMAP_RR: .rearRight
        case SND_CHMAP_SL: .sideLeft
        case SND_CHMAP_SR: .sideRight
        default: nil
        }
    }

    /// Wakes up when a period is free, starts only on request, stamps with CLOCK_MONOTONIC.
    private static func setSoftware(_ pcm: PCM, period: snd_pcm_uframes_t) throws(ALSAFault) {
        var memory: OpaquePointer?
        try check("snd_pcm_sw_params_malloc", snd_pcm_sw_params_malloc(&memory))
        guard let software = memory else { throw ALSAFault("snd_pcm_sw_params_malloc", -ENOMEM) }
        defer { snd_pcm_sw_params_free(software) }
        try check("snd_pcm_sw_params_current", snd_pcm_sw_params_current(pcm, software))
        var boundary: snd_pcm_uframes_t = 0
        snd_pcm_sw_params_get_boundary(software, &boundary)
        try check(
            "snd_pcm_sw_params_set_start_threshold", snd_pcm_sw_params_set_start_threshold(pcm, software, boundary))
        let wake = snd_pcm_uframes_t(FillPolicy.wakeFrames(period: Int(period)))
        try check("snd_pcm_sw_params_set_avail_min", snd_pcm_sw_params_set_avail_min(pcm, software, wake))
        // Plug-ins may not know stamps; the clock is read here then.
        snd_pcm_sw_params_set_tstamp_mode(pcm, software, SND_PCM_TSTAMP_ENABLE)
        snd_pcm_sw_params_set_tstamp_type(pcm, software, SND_PCM_TSTAMP_TYPE_MONOTONIC)
        try check("snd_pcm_sw_params", snd_pcm_sw_params(pcm, software))
    }

    static func makeStatus() throws(ALSAFault) -> OpaquePointer {
        var memory: OpaquePointer?
        try check("snd_pcm_status_malloc", snd_pcm_status_malloc(&memory))
        guard let memory else { throw ALSAFault("snd_pcm_status_malloc", -ENOMEM) }
        return memory
    }

    static func free(status: OpaquePointer) { snd_pcm_status_free(status) }
    static func descriptorCount(_ pcm: PCM) -> Int { max(0, Int(snd_pcm_poll_descriptors_count(pcm))) }

    static func descriptors(_ pcm: PCM, _ to: UnsafeMutablePointer<pollfd>, _ count: Int) {
        _ = snd_pcm_poll_descriptors(pcm, to, UInt32(clamping: count))
    }

    /// Makes two devices start and stop together; false if they cannot.
    static func link(_ a: PCM, _ b: PCM) -> Bool { snd_pcm_link(a, b) == 0 }

    /// Returns a device's abilities, in ALSA's ranges; nil if it cannot be asked.
    static func capabilities(_ pcm: PCM) -> PCMCapabilities? {
        var memory: OpaquePointer?
        guard snd_pcm_hw_params_malloc(&memory) == 0, let hardware = memory else { return nil }
        defer { snd_pcm_hw_params_free(hardware) }
        guard snd_pcm_hw_params_any(pcm, hardware) >= 0 else { return nil }
        _ = snd_pcm_hw_params_set_rate_resample(pcm, hardware, 0)
        var low: UInt32 = 0, high: UInt32 = 0
        var least: snd_pcm_uframes_t = 0, most: snd_pcm_uframes_t = 0
        snd_pcm_hw_params_get_channels_min(hardware, &low)
        snd_pcm_hw_params_get_channels_max(hardware, &high)
        let channels = Int(low)...max(Int(low), Int(high))
        snd_pcm_hw_params_get_rate_min(hardware, &low, nil)
        snd_pcm_hw_params_get_rate_max(hardware, &high, nil)
        let rates = Int(low)...max(Int(low), Int(high))
        snd_pcm_hw_params_get_period_size_min(hardware, &least, nil)
        snd_pcm_hw_params_get_period_size_max(hardware, &most, nil)
        return PCMCapabilities(
            rates: rates, channels: channels, periodFrames: Int(least)...max(Int(least), Int(clamping: most)),
            formats: SampleFormat.allCases.filter {
                snd_pcm_hw_params_test_format(pcm, hardware, alsaFormat($0)) == 0
            },
            commonRates: PCMCapabilities.askedRates.filter {
                snd_pcm_hw_params_test_rate(pcm, hardware, UInt32($0), 0) == 0
            })
    }

    // MARK: - Audio thread

    /// Room, stamp and state in one call.
    @_noLocks static func status(_ pcm: PCM, _ memory: OpaquePointer) -> rt_pcm_status { alsa_render_status(pcm, memory) }

    /// Interleaved; does not wait. Returns how many were taken.
    @_noLocks static func write(_ pcm: PCM, _ frames: UnsafeRawPointer, _ count: Int64) -> Int64 {
        alsa_render_write(pcm, frames, count)
    }

    /// Interleaved; does not wait. Returns how many came.
    @_noLocks static func read(_ pcm: PCM, _ frames: UnsafeMutableRawPointer, _ count: Int64) -> Int64 {
        alsa_render_read(pcm, frames, count)
    }

    @_noLocks static func prepare(_ pcm: PCM) -> Int32 { alsa_render_prepare(pcm) }
    @_noLocks static func start(_ pcm: PCM) -> Int32 { alsa_render_start(pcm) }
    @_noLocks static func resume(_ pcm: PCM) -> Int32 { alsa_render_resume(pcm) }

    /// Plug-ins may mean something else by what `poll` found.
    @_noLocks static func events(_ pcm: PCM, _ descriptors: UnsafeMutablePointer<pollfd>, _ count: Int) -> Int32 {
        alsa_render_events(pcm, descriptors, UInt32(truncatingIfNeeded: count))
    }

    private static func alsaFormat(_ format: SampleFormat) -> snd_pcm_format_t {
        switch format {
        case .float32: SND_PCM_FORMAT_FLOAT_LE
        case .int32: SND_PCM_FORMAT_S32_LE
        case .int24: SND_PCM_FORMAT_S24_LE
        case .int24Packed: SND_PCM_FORMAT_S24_3LE
        case .int16: SND_PCM_FORMAT_S16_LE
        }
    }

    private static func check(_ function: String, _ result: Int32) throws(ALSAFault) {
        if result < 0 { throw ALSAFault(function, result) }
    }
}
