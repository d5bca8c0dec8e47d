import CRealtime
import DSP
import MIDI
import RealtimeCore
import UnitAPI

/// A polyphonic synthesizer with one pulse wave per note: the sound of early game consoles, without their aliases.
///
/// Every channel of every port is a part of its own, with its own pedals, bend, tuning and mode, unless it plays the single
/// notes of an MPE zone. Programs and banks change nothing: there is one sound. A pulse wave has no drums, and keys of a drum
/// kit would come out as random pitches, so drum parts (channel 10 at the start, others by GS and XG messages) are silent
/// unless `drums` is on. Notes start and end on their exact frame; changes of pitch and pulse width are heard 32 to 48 frames
/// after they came, because the wave's edges are computed that far ahead.
///
/// The wave is a plain pulse plus band-limited residuals at its edges; see `PulseOscillator` for method and source.
public struct SquareWave: AudioUnit, ~Copyable {
    public static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .instrument, subtype: "sqwv", manufacturer: .carillon),
        name: "square-wave", summary: "A polyphonic pulse-wave synthesizer without aliasing.",
        outputs: [.init("main", channels: 2)], acceptsMusic: true, eventGranularity: 1, tail: 10.1,
        readouts: ["voices"], factoryPresets: factoryPresets)

    /// The parameters of the square wave.
    public enum Parameter: Int, UnitParameter {
        case pulseWidth, attack, decay, sustain, release, gain, vibratoRate, vibratoDepth, velocityCurve, portamentoTime
        case tune, polyphony, drums

        public var spec: ParameterSpec {
            switch self {
            case .pulseWidth:
                .percent(
                    "pulse-width", 5...95, 50,
                    "The part of each period in which the wave is high: 50 is a hollow square, the ends are nasal.")
            case .attack: .time("attack", 0.0005...10, 0.002, "How long a note takes to reach its full level.")
            case .decay: .time("decay", 0.001...10, 0.6, "How long a note takes to fall from full level to the sustain level.")
            case .sustain: .percent("sustain", 0...100, 70, "The level at which a held note stays, of its full level.")
            case .release: .time("release", 0.001...10, 0.15, "How long a note takes to fall silent after its key went up.")
            case .gain: .decibels("gain", -60...12, -12, "Level of the whole instrument.")
            case .vibratoRate:
                .frequency("vibrato-rate", 0.1...20, 5.5, "How fast the vibrato of modulation wheel and pressure swings.")
            case .vibratoDepth:
                .cents(
                    "vibrato-depth", 0...200, 50,
                    "How far the vibrato swings to either side with the wheel or the pressure at its end.")
            case .velocityCurve:
                .number(
                    "velocity-curve", 0...4, 2,
                    "The power of the velocity that makes the level: 0 plays all alike, 2 follows General MIDI 2.")
            case .portamentoTime: .time("portamento-time", 0.01...10, 2, "How long a glide takes with controller 5 at its end.")
            case .tune: .cents("tune", -1200...1200, 0, "Tuning of the whole instrument.")
            case .polyphony:
                ParameterSpec(
                    "polyphony", 1...64, default: 64, unit: .voices, applies: .atStart,
                    help: "How many notes may sound at once; a further one replaces the quietest.")
            case .drums:
                .toggle(
                    "drums", default: false, applies: .atStart,
                    help: "Whether drum parts sound, each drum as the pitch of its key.")
            }
        }
    }

    private let sampleRate: Double
    /// Seconds from frame to frame.
    private let period: Double
    private let rows: UnsafePointer<Float>
    private var owned = OwnedMemory()
    /// One stretch of `PulseOscillator.workspaceCount` floats per voice.
    private let workspaces: UnsafeMutablePointer<Float>
    private var keyboard: Keyboard
    private let voices: UnsafeMutablePointer<SquareWaveVoice>
    private var settings: SquareWaveSettings
    /// The part of its way that a volume covers per point of the grid.
    private let smoothing: Float

    public init(_ setup: UnitSetup) throws(UnitError) {
        sampleRate = setup.sampleRate
        period = 1 / sampleRate
        rows = BandLimitedStep.rows
        keyboard = Keyboard(
            polyphony: setup.value(of: Parameter.polyphony), sampleRate: sampleRate,
            isPlayingDrums: setup.value(of: Parameter.drums) >= 0.5)
        settings = SquareWaveSettings(interval: Double(PlayedNote.interval) / sampleRate)
        smoothing = PlayedNote.smoothing(sampleRate: sampleRate)
        voices = owned.make(PlayedNotes.capacity, of: SquareWaveVoice())
        let floats = PlayedNotes.capacity * PulseOscillator.workspaceCount
        workspaces = owned.make(floats, of: 0)
    }

    // [render]

    @_noLocks public mutating func handle(_ event: MusicEvent) { keyboard.handle(event) }

    @_noLocks public mutating func reset() { keyboard.reset() }

    /// Drops the quieter half of the released notes.
    @_noLocks public mutating func shed(_ level: Int) {
        if level > 0 { keyboard.notes.shed() }
    }

    @_noLocks public mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        io.publish(0, Float(Int32(truncatingIfNeeded: keyboard.notes.usedCount)))
        if keyboard.notes.usedCount == 0 { return .silent }
        let left = io.output(0, 0).base, right = io.output(0, 1).base
        rt_zero(left, io.frames)
        rt_zero(right, io.frames)
        settings.read(io, at: 0)
        var unseen = keyboard.notes.usedCount
        var index = 0
        while unseen > 0 && index < PlayedNotes.capacity {
            if keyboard.notes.voices[index].isUsed {
                unseen &-= 1
                if !renderVoice(index, io, left, right) { keyboard.notes.end(index) }
            }
            index &+= 1
        }
        return .sounding
    }

    /// Adds one voice; false when it has come to its end.
    @_noLocks private mutating func renderVoice(
        _ index: Int, _ io: borrowing RenderIO, _ left: UnsafeMutablePointer<Float>,
        _ right: UnsafeMutablePointer<Float>
    ) -> Bool {
        let note = keyboard.notes.voices + index, voice = voices + index
        let workspace = workspaces + index &* PulseOscillator.workspaceCount
        var done = 0
        while done < io.frames {
            if note.pointee.isDue { step(note, voice, workspace, io, at: done) }
            let played = note.pointee.played
            let frames = min(PlayedNote.interval &- played, io.frames &- done)
            let wave = voice.pointee.oscillator.render(frames, workspace, rows)
            if !note.pointee.mix(wave, frames, left + done, right + done) { return false }
            done &+= frames
        }
        return true
    }

    /// A point of the voice's grid: pitch, width and amplitude for the next frames, from what holds at `frame`.
    @_noLocks private mutating func step(
        _ note: UnsafeMutablePointer<PlayedNote>, _ voice: UnsafeMutablePointer<SquareWaveVoice>,
        _ workspace: UnsafeMutablePointer<Float>, _ io: borrowing RenderIO, at frame: Int
    ) {
        let isNew = note.pointee.isNew
        if isNew { voice.pointee = SquareWaveVoice() }
        if settings.isMoving { settings.read(io, at: frame) }
        setPitch(note, voice)
        voice.pointee.oscillator.setWidth(settings.pulseWidth)
        if isNew {
            voice.pointee.oscillator.start(workspace, rows)
            note.pointee.strike(curve: settings.velocityCurve)
        }
        note.pointee.follow(
            keyboard.parts.level(note.pointee.part), settings.times, smoothing: smoothing, isFirst: isNew)
        let amplitude = note.pointee.envelope.next * note.pointee.strike * settings.gain
        note.pointee.aim(left: amplitude, right: amplitude)
    }

    @_noLocks private func setPitch(
        _ note: UnsafeMutablePointer<PlayedNote>, _ voice: UnsafeMutablePointer<SquareWaveVoice>
    ) {
        let part = note.pointee.part, key = note.pointee.key
        let played = Float(Int32(truncatingIfNeeded: note.pointee.played))
        var cents = Double(key) * 100 + keyboard.parts.cents(part, key) + settings.tune
        cents += note.pointee.slide(settings.portamentoTime, finger: 0, sampleRate: sampleRate)

        voice.pointee.vibratoPhase += settings.vibratoRate * Float(period) * played
        if voice.pointee.vibratoPhase >= 1 { voice.pointee.vibratoPhase -= 1 }
        let depth = settings.vibratoDepth * keyboard.parts.vibrato(part, note.pointee.pressure)
        if depth > 0 { cents += Double(depth * DeterministicMath.quickSine(turns: voice.pointee.vibratoPhase)) }

        if cents == voice.pointee.pitch { return }
        voice.pointee.pitch = cents
        voice.pointee.oscillator.setFrequency(
            440 * period * DeterministicMath.quickExp2((cents - 6900) * (1.0 / 1200)))
    }
}

/// Here, because a debug build sees through a parameter's raw value in the file that declares it only.
extension SquareWaveSettings {
    private typealias Parameter = SquareWave.Parameter

    @_noLocks mutating func read(_ io: borrowing RenderIO, at frame: Int) {
        isMoving = false
        pulseWidth = value(io[Parameter.pulseWidth], frame) * 0.01
        times.update(
            attack: value(io[Parameter.attack], frame), decay: value(io[Parameter.decay], frame),
            sustain: value(io[Parameter.sustain], frame) * 0.01, release: value(io[Parameter.release], frame))
        let decibels = value(io[Parameter.gain], frame)
        if decibels != self.decibels {
            self.decibels = decibels
            gain = Decibels.amplitude(decibels)
        }
        vibratoRate = value(io[Parameter.vibratoRate], frame)
        vibratoDepth = value(io[Parameter.vibratoDepth], frame)
        velocityCurve = Double(value(io[Parameter.velocityCurve], frame))
        portamentoTime = value(io[Parameter.portamentoTime], frame)
        tune = Double(value(io[Parameter.tune], frame))
    }

    @_noLocks private mutating func value(_ ramp: ParameterRamp, _ frame: Int) -> Float {
        if !ramp.isSteady { isMoving = true }
        return ramp[frame]
    }
}
