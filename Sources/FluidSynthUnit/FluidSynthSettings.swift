/// Every setting that the synth object reads, from one declaration: defaults differ between versions of the library.
///
/// Control side. What the instance decides (rate, polyphony, buses) comes first, what never changes after it.
struct FluidSynthSettings {
    enum Value {
        case integer(Int32)
        case number(Double)
        case text(String)
    }

    /// Frames per second, 8 000...96 000.
    var sampleRate: Double
    /// Voices, 1...4 096.
    var polyphony: Int
    /// Stereo buses, 1...16: channel c sounds on bus c modulo this.
    var buses: Int
    /// Linear amplitude.
    var gain: Double

    /// Rates that libfluidsynth can run at.
    static let sampleRates = 8_000.0...96_000.0

    var all: [(name: String, value: Value)] {
        [
            ("synth.sample-rate", .number(sampleRate)),
            ("synth.polyphony", .integer(Int32(polyphony))),
            ("synth.gain", .number(gain)),
            ("synth.audio-channels", .integer(Int32(buses))),
            ("synth.audio-groups", .integer(Int32(buses))),
            // It loads while rendering, and plays samples too long: see SampleSubset.
            ("synth.dynamic-sample-loading", .integer(0)),
            ("synth.midi-channels", .integer(16)),
            // Its effects allocate at every call, and ours take their place.
            ("synth.reverb.active", .integer(0)),
            ("synth.chorus.active", .integer(0)),
            ("synth.ladspa.active", .integer(0)),
            ("synth.effects-channels", .integer(2)),
            ("synth.effects-groups", .integer(1)),
            // One thread touches the synth, so its mutex guards nothing; a second core makes it slower.
            ("synth.threadsafe-api", .integer(0)),
            ("synth.cpu-cores", .integer(1)),
            // Pinning memory is the process's decision.
            ("synth.lock-memory", .integer(0)),
            // System Exclusive and banks are interpreted here.
            ("synth.device-id", .integer(16)),
            ("synth.midi-bank-select", .text("gs")),
            // The library's defaults, so that a bare instance sounds the same.
            ("synth.min-note-length", .integer(10)),
            ("synth.overflow.percussion", .number(4000)),
            ("synth.overflow.sustained", .number(-1000)),
            ("synth.overflow.released", .number(-2000)),
            ("synth.overflow.age", .number(1000)),
            ("synth.overflow.volume", .number(500)),
            ("synth.overflow.important", .number(5000)),
            ("synth.overflow.important-channels", .text("")),
            ("synth.verbose", .integer(0)),
        ]
    }
}
