import CFluidSynth
import MIDI
import RealtimeCore

/// libfluidsynth driven by hand, at the same frames by the same messages: what the unit is compared with.
final class BareFluidSynth {
    private let fluid: fluid_library
    private let settings: OpaquePointer
    private let synth: OpaquePointer

    init(_ path: String, sampleRate: Double = 48_000, polyphony: Int32 = 256) {
        precondition(fluid_library_load("libfluidsynth.so.3") == nil)
        fluid = fluid_library_functions()
        settings = fluid.new_fluid_settings()!
        for level in 0..<5 { _ = fluid.fluid_set_log_function(Int32(level), nil, nil) }
        _ = fluid.fluid_settings_setnum(settings, "synth.sample-rate", sampleRate)
        _ = fluid.fluid_settings_setint(settings, "synth.polyphony", polyphony)
        _ = fluid.fluid_settings_setint(settings, "synth.reverb.active", 0)
        _ = fluid.fluid_settings_setint(settings, "synth.chorus.active", 0)
        synth = fluid.new_fluid_synth(settings)!
        precondition(fluid.fluid_synth_sfload(synth, path, 1) >= 0)
    }

    deinit {
        fluid.delete_fluid_synth(synth)
        fluid.delete_fluid_settings(settings)
    }

    /// Plays channel messages, each on the next multiple of 64 frames; one stereo pair.
    func play(_ events: [TimedMusicEvent], frames: Int) -> [[Float]] {
        var left: [Float] = []
        var right: [Float] = []
        var next = 0
        for start in stride(from: 0, to: frames, by: 64) {
            while next < events.count, events[next].time.rawValue <= Int64(start) {
                if case .message(let message) = events[next].event { send(message) }
                next += 1
            }
            var l = [Float](repeating: 0, count: 64)
            var r = [Float](repeating: 0, count: 64)
            _ = fluid.fluid_synth_write_float(synth, 64, &l, 0, 1, &r, 0, 1)
            left += l
            right += r
        }
        return [Array(left.prefix(frames)), Array(right.prefix(frames))]
    }

    /// What a controller of the first channel stands at.
    func controller(_ number: UInt8) -> UInt8 {
        var value: Int32 = -1
        _ = fluid.fluid_synth_get_cc(synth, 0, Int32(number), &value)
        return UInt8(truncatingIfNeeded: value)
    }

    func send(_ message: MIDIMessage) {
        let channel = Int32(message.channel)
        let a = Int32(message.data1)
        let b = Int32(message.data2)
        switch message.status & 0xF0 {
        case 0x80: _ = fluid.fluid_synth_noteoff(synth, channel, a)
        case 0x90: _ = fluid.fluid_synth_noteon(synth, channel, a, b)
        case 0xA0: _ = fluid.fluid_synth_key_pressure(synth, channel, a, b)
        case 0xB0: _ = fluid.fluid_synth_cc(synth, channel, a, b)
        case 0xC0: _ = fluid.fluid_synth_program_change(synth, channel, a)
        case 0xD0: _ = fluid.fluid_synth_channel_pressure(synth, channel, a)
        default: _ = fluid.fluid_synth_pitch_bend(synth, channel, b << 7 | a)
        }
    }
}
