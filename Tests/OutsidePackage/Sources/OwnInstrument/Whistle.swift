import Carillon

/// A whistle: one note at a time, pure or hollow, with a switch for vibrato. It is no flute: there is no breath in it.
struct Whistle: AudioUnit, ~Copyable {
    static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .instrument, subtype: "whst", manufacturer: "Outs"),
        name: "whistle", summary: "One note at a time, pure or hollow.", outputs: [.init("main")], acceptsMusic: true,
        tail: 2)

    enum Parameter: Int, UnitParameter {
        case tone, vibrato, transpose, release, volume

        var spec: ParameterSpec {
            switch self {
            case .tone: .choice("tone", ["pure", "hollow"], default: 0, help: "What it is made of: a sine, or odd partials.")
            case .vibrato: .toggle("vibrato", default: false, controller: 80, help: "Whether the pitch swings.")
            case .transpose:
                ParameterSpec("transpose", -24...24, default: 0, unit: .semitones, smoothing: 0, help: "Moves every note.")
            case .release:
                ParameterSpec(
                    "release", 0.01...2, default: 0.1, unit: .seconds, curve: .logarithmic, smoothing: 0,
                    help: "How long a note takes to vanish.")
            case .volume: ParameterSpec("volume", 0...1, default: 0.5, unit: .ratio, controller: 7, help: "How loud it is.")
            }
        }
    }

    private let sampleRate: Double
    private var key: UInt8 = 69, isHeld = false
    /// Turns of the tone, and how far the note has risen, 0...1.
    private var phase = 0.0, height: Float = 0

    init(_ setup: UnitSetup) { sampleRate = setup.sampleRate }

    // [render]

    @_noLocks mutating func handle(_ event: MusicEvent) {
        guard case .message(let message) = event else { return }
        switch message.kind {
        case .noteOn? where message.data2 > 0: (key, isHeld) = (message.data1, true)
        case .noteOn?, .noteOff?: if message.data1 == key { isHeld = false }
        case .controlChange?: if message.data1 >= 120 { isHeld = false }       // all notes off, and its kin
        default: break
        }
    }

    @_noLocks mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        if !isHeld && height == 0 { return .silent }
        let left = io.output(0, 0), right = io.output(0, 1), volume = io[Parameter.volume]
        // What steps stays as it is for the whole call: a change begins another one.
        let isHollow = io[Parameter.tone][0] >= 0.5, swings = io[Parameter.vibrato][0] >= 0.5
        let note = Double(key) - 69 + Double(io[Parameter.transpose][0])
        let step = 440 * DeterministicMath.exp2(note / 12) / sampleRate
        let rise = Float(1 / (0.005 * sampleRate)), fall = 1 / (io[Parameter.release][0] * Float(sampleRate))
        for i in 0..<io.frames {
            height = isHeld ? min(height + rise, 1) : max(height - fall, 0)
            // The swing is a function of the sample time; the phase moves by itself, and so rests where the note does.
            let time = Double((io.sampleTime + i).rawValue) / sampleRate
            let bend = swings ? 1 + 0.01 * DeterministicMath.sine(turns: 5 * time) : 1
            phase = height == 0 ? 0 : phase + step * bend
            if phase >= 1 { phase -= 1 }
            var sound = DeterministicMath.sine(turns: phase)
            if isHollow { sound += DeterministicMath.sine(turns: 3 * phase) / 3 }
            left[i] = Float(sound) * height * volume[i] * 0.5
            right[i] = left[i]
        }
        return .sounding
    }

    @_noLocks mutating func reset() { (key, isHeld, phase, height) = (69, false, 0, 0) }
}
