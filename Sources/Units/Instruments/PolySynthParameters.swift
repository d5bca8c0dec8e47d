import DSP
import UnitAPI

extension PolySynth {
    /// The parameters of the polysynth.
    public enum Parameter: Int, UnitParameter {
        case mode, polyphony, glide
        case firstShape, firstOctave, firstSemitones, firstFine, firstWidth, firstLevel
        case secondShape, secondOctave, secondSemitones, secondFine, secondWidth, secondLevel
        case noiseLevel, filterType, slope, cutoff, resonance, keyFollow, filterEnvelope
        case attack, decay, sustain, release, filterAttack, filterDecay, filterSustain, filterRelease
        case lfoShape, lfoRate, lfoDelay, vibratoDepth, source, destination, amount
        case velocityCurve, portamentoTime, tune, gain

        public var spec: ParameterSpec {
            switch self {
            case .mode:
                .choice(
                    "mode", ["poly", "mono", "legato"], default: 0, applies: .atStart,
                    help: "Chords; one note, started by each key; or one, which continues if keys overlap.")
            case .polyphony:
                ParameterSpec(
                    "polyphony", 1...64, default: 32, unit: .voices, applies: .atStart,
                    help: "How many notes may sound at once; a further one replaces the quietest.")
            case .glide:
                .seconds(
                    "glide", 0...5, 0, smoothing: 0,
                    "How long a note slides from a key that is still down, in the modes mono and legato.")
            case .firstShape: Self.shape("osc-1")
            case .firstOctave: Self.octave("osc-1")
            case .firstSemitones: Self.semitones("osc-1")
            case .firstFine: Self.fine("osc-1", default: 0)
            case .firstWidth: Self.width("osc-1")
            case .firstLevel: Self.level("osc-1-level", default: 80, of: "the first oscillator")
            case .secondShape: Self.shape("osc-2")
            case .secondOctave: Self.octave("osc-2")
            case .secondSemitones: Self.semitones("osc-2")
            case .secondFine: Self.fine("osc-2", default: 7)
            case .secondWidth: Self.width("osc-2")
            case .secondLevel: Self.level("osc-2-level", default: 80, of: "the second oscillator")
            case .noiseLevel: Self.level("noise-level", default: 0, of: "white noise")
            case .filterType:
                .choice(
                    "filter", ["low-pass", "band-pass", "high-pass"], default: 0,
                    help: "What the filter lets through: what is below the cutoff, around it, or above.")
            case .slope:
                .choice("slope", ["12", "24"], default: 1, help: "How steep the filter is, in decibels an octave.")
            case .cutoff:
                .frequency(
                    "cutoff", 20...20_000, 1_200,
                    "Where the filter begins to cut, before envelope, keys and matrix move it.")
            case .resonance: .percent("resonance", 0...100, 20, "How much the filter rings at its cutoff: up to 24 dB.")
            case .keyFollow:
                .percent(
                    "key-follow", 0...100, 50,
                    "How far the cutoff goes with the keys; at 100 every key has the same colour.")
            case .filterEnvelope:
                .semitones("filter-envelope", -60...60, 24, "How far the second envelope moves the cutoff at its height.")
            case .attack: Self.attack("attack", default: 0.003, of: "level")
            case .decay: Self.decay("decay", default: 0.8, of: "level")
            case .sustain: Self.sustain("sustain", default: 70, of: "level")
            case .release: Self.release("release", default: 0.25, of: "level")
            case .filterAttack: Self.attack("filter-attack", default: 0.002, of: "second envelope")
            case .filterDecay: Self.decay("filter-decay", default: 1.2, of: "second envelope")
            case .filterSustain: Self.sustain("filter-sustain", default: 25, of: "second envelope")
            case .filterRelease: Self.release("filter-release", default: 0.4, of: "second envelope")
            case .lfoShape:
                .choice(
                    "lfo-shape", ["sine", "triangle", "rise", "fall", "square", "random"], default: 0,
                    help: "How the slow oscillator swings; it begins with each note.")
            case .lfoRate: .frequency("lfo-rate", 0.02...30, 5, "How often the slow oscillator swings.")
            case .lfoDelay:
                .seconds(
                    "lfo-delay", 0...10, 0,
                    "How long after the stroke the slow oscillator takes to come in, in the matrix.")
            case .vibratoDepth:
                .cents(
                    "vibrato-depth", 0...200, 50,
                    "How far the slow oscillator bends the pitch with modulation wheel or pressure at the end.")
            case .source:
                .choice(
                    "source", ["lfo", "envelope", "velocity", "key", "wheel", "pressure", "random"], default: 0,
                    scope: .band, bandDefaults: [0, 2, 5, 0],
                    help: "What moves something, in each of four slots; the envelope is the second one.")
            case .destination:
                .choice(
                    "destination",
                    [
                        "pitch", "osc-2-pitch", "pulse-width", "cutoff", "resonance", "level", "pan", "lfo-rate",
                    ], default: 0, scope: .band, bandDefaults: [2, 3, 3, 0], help: "What the slot moves.")
            case .amount:
                .percent(
                    "amount", -100...100, 0, scope: .band, bandDefaults: [0, 20, 20, 0],
                    "How far: at 100 by an octave of pitch, 45 % of width, 5 octaves of cutoff or 3 of rate, or all.")
            case .velocityCurve:
                .number(
                    "velocity-curve", 0...4, 1.5,
                    "The power of the velocity that makes the level: 0 plays all alike, 2 follows General MIDI 2.")
            case .portamentoTime: .time("portamento-time", 0.01...10, 2, "How long a glide takes with controller 5 at its end.")
            case .tune: .cents("tune", -1200...1200, 0, "Tuning of the whole instrument.")
            case .gain: .decibels("gain", -60...12, -12, "Level of the whole instrument.")
            }
        }

        private static func shape(_ name: String) -> ParameterSpec {
            .choice(
                "\(name)-shape", ["sine", "triangle", "saw", "square"], default: 2,
                help: "Its partials: none, soft odd ones, all of them, or odd ones; of the notes struck from now on.")
        }

        private static func octave(_ name: String) -> ParameterSpec {
            .number("\(name)-octave", -3...3, 0, smoothing: 0, "Octaves by which it is above the key, a whole number.")
        }

        private static func semitones(_ name: String) -> ParameterSpec {
            .semitones(
                "\(name)-semitones", -12...12, 0, smoothing: 0,
                "Semitones by which it is above the key, a whole number.")
        }

        private static func fine(_ name: String, default cents: Float) -> ParameterSpec {
            .cents("\(name)-fine", -100...100, cents, "Cents by which it is above that.")
        }

        private static func width(_ name: String) -> ParameterSpec {
            .percent(
                "\(name)-width", 5...95, 50,
                "The part of a period in which a square is high; other shapes have no use for it.")
        }

        private static func level(_ name: String, default percent: Float, of what: String) -> ParameterSpec {
            .percent(name, 0...100, percent, "How much of \(what) there is.")
        }

        private static func attack(_ name: String, default seconds: Float, of what: String) -> ParameterSpec {
            .time(name, 0.0005...10, seconds, "How long the \(what) takes to its height after a stroke.")
        }

        private static func decay(_ name: String, default seconds: Float, of what: String) -> ParameterSpec {
            .time(name, 0.001...10, seconds, "How long the \(what) then takes to fall to where it stays.")
        }

        private static func sustain(_ name: String, default percent: Float, of what: String) -> ParameterSpec {
            .percent(name, 0...100, percent, "Where the \(what) of a held note stays, of its height.")
        }

        private static func release(_ name: String, default seconds: Float, of what: String) -> ParameterSpec {
            .time(name, 0.001...10, seconds, "How long the \(what) takes to fall to nothing after the key went up.")
        }
    }
}

// [render]

/// Here, because a debug build sees through a parameter's raw value in the file that declares it only.
extension PolySynthSettings {
    private typealias Parameter = PolySynth.Parameter

    @_noLocks mutating func read(_ io: borrowing RenderIO, at frame: Int) {
        isMoving = false
        first.shape = Self.number(io[Parameter.firstShape])
        first.cents = Self.cents(io[Parameter.firstOctave], io[Parameter.firstSemitones]) + at(io[Parameter.firstFine], frame)
        first.width = value(io[Parameter.firstWidth], frame) * 0.01
        first.level = value(io[Parameter.firstLevel], frame) * 0.01
        second.shape = Self.number(io[Parameter.secondShape])
        second.cents =
            Self.cents(io[Parameter.secondOctave], io[Parameter.secondSemitones])
            + at(io[Parameter.secondFine], frame)
        second.width = value(io[Parameter.secondWidth], frame) * 0.01
        second.level = value(io[Parameter.secondLevel], frame) * 0.01
        noise = value(io[Parameter.noiseLevel], frame) * 0.01
        readFilter(io, at: frame)
        times.update(
            attack: value(io[Parameter.attack], frame), decay: value(io[Parameter.decay], frame),
            sustain: value(io[Parameter.sustain], frame) * 0.01, release: value(io[Parameter.release], frame))
        lfoShape = LowFrequencyOscillator.Shape(number: Self.number(io[Parameter.lfoShape]))
        lfoRate = at(io[Parameter.lfoRate], frame)
        lfoDelay = at(io[Parameter.lfoDelay], frame)
        vibratoDepth = value(io[Parameter.vibratoDepth], frame)
        for slot in 0..<4 {
            slots[slot].source = Self.number(io[Parameter.source, slot])
            slots[slot].destination = Self.number(io[Parameter.destination, slot])
            slots[slot].amount = value(io[Parameter.amount, slot], frame) * 0.01
        }
        let decibels = value(io[Parameter.gain], frame)
        if decibels != self.decibels {
            self.decibels = decibels
            gain = Decibels.amplitude(decibels)
        }
        velocityCurve = at(io[Parameter.velocityCurve], frame)
        portamentoTime = value(io[Parameter.portamentoTime], frame)
        glide = value(io[Parameter.glide], frame)
        tune = at(io[Parameter.tune], frame)
    }

    @_noLocks private mutating func readFilter(_ io: borrowing RenderIO, at frame: Int) {
        filter.type = Self.number(io[Parameter.filterType])
        filter.isSteep = io[Parameter.slope].target >= 0.5
        filter.cutoff = at(io[Parameter.cutoff], frame)
        filter.resonance = value(io[Parameter.resonance], frame) * 0.01
        filter.follow = at(io[Parameter.keyFollow], frame) * 0.01
        filter.envelope = at(io[Parameter.filterEnvelope], frame) * (1.0 / 12)
        filterTimes.update(
            attack: value(io[Parameter.filterAttack], frame), decay: value(io[Parameter.filterDecay], frame),
            sustain: value(io[Parameter.filterSustain], frame) * 0.01, release: value(io[Parameter.filterRelease], frame))
    }

    @_noLocks private mutating func value(_ ramp: ParameterRamp, _ frame: Int) -> Float {
        if !ramp.isSteady { isMoving = true }
        return ramp[frame]
    }

    @_noLocks private mutating func at(_ ramp: ParameterRamp, _ frame: Int) -> Double { Double(value(ramp, frame)) }

    @_noLocks private static func number(_ ramp: ParameterRamp) -> Int { Int(ramp.target + 0.5) }

    @_noLocks private static func cents(_ octaves: ParameterRamp, _ semitones: ParameterRamp) -> Double {
        1200 * DeterministicMath.floor(Double(octaves.target) + 0.5)
            + 100 * DeterministicMath.floor(Double(semitones.target) + 0.5)
    }
}
