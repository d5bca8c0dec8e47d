import CRealtime
import DSP
import MIDI
import RealtimeCore
import UnitAPI

/// A polyphonic synthesizer of the analog kind: two oscillators and noise, a filter, two envelopes, a slow oscillator.
///
/// Every note has all of them for itself: oscillators without aliases (`WaveOscillator`), noise, a state variable filter
/// (`StateVariableFilter`), an envelope for the level and another for the filter (`ADSREnvelope`), a slow oscillator that
/// begins with the note, and a matrix of four slots in which something moves something else. Keys, pedals, tuning, MPE and
/// voice stealing are those of the square wave; sound controllers 71 and 74 move resonance and cutoff. It has no drums: drum
/// parts are silent. Notes start and end on their exact frame; changes of pitch are heard 32 to 48 frames after they came.
/// Source of the layout: R. Moog, "Voltage-Controlled Electronic Music Modules", J. Audio Eng. Soc. 13 (1965).
public struct PolySynth: AudioUnit, ~Copyable {
    public static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .instrument, subtype: "poly", manufacturer: .carillon), name: "polysynth",
        summary: "A polyphonic synthesizer with two oscillators, a filter and a modulation matrix.",
        outputs: [.init("main")], bands: 4, acceptsMusic: true, tail: 10.1, readouts: ["voices"],
        factoryPresets: factoryPresets)

    private let sampleRate: Double
    private var owned = OwnedMemory()
    /// Two oscillators' for each voice, and the frames that a voice makes at a time.
    private let workspaces: UnsafeMutablePointer<Float>, frames: UnsafeMutablePointer<Float>
    private var keyboard: Keyboard
    private let voices: UnsafeMutablePointer<PolySynthVoice>
    private var settings: PolySynthSettings
    /// The part of its way that a volume covers per point of the grid.
    private let smoothing: Float

    public init(_ setup: UnitSetup) throws(UnitError) {
        sampleRate = setup.sampleRate
        let mode = setup.value(of: Parameter.mode)
        keyboard = Keyboard(
            polyphony: setup.value(of: Parameter.polyphony), sampleRate: sampleRate, isPlayingDrums: false,
            manner: mode < 0.5 ? .polyphonic : mode < 1.5 ? .single : .legato)
        settings = PolySynthSettings(interval: Double(PlayedNote.interval) / sampleRate)
        smoothing = PlayedNote.smoothing(sampleRate: sampleRate)
        let each = 2 * WaveOscillator.workspaceCount
        workspaces = owned.make(PlayedNotes.capacity * each, of: 0)
        frames = owned.make(PlayedNote.interval, of: 0)
        voices = owned.room(for: PlayedNotes.capacity)
        for index in 0..<PlayedNotes.capacity {
            (voices + index).initialize(to: PolySynthVoice(workspace: workspaces + index * each))
        }
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
        rt_zero(io.output(0, 0).base, io.frames)
        rt_zero(io.output(0, 1).base, io.frames)
        settings.read(io, at: 0)
        var unseen = keyboard.notes.usedCount
        var index = 0
        while unseen > 0 && index < PlayedNotes.capacity {
            if keyboard.notes.voices[index].isUsed {
                unseen &-= 1
                if !renderVoice(index, io) { keyboard.notes.end(index) }
            }
            index &+= 1
        }
        return .sounding
    }

    /// Adds one voice; false when it has come to its end.
    @_noLocks private mutating func renderVoice(_ index: Int, _ io: borrowing RenderIO) -> Bool {
        let note = keyboard.notes.voices + index, voice = voices + index
        let left = io.output(0, 0).base, right = io.output(0, 1).base
        var done = 0
        while done < io.frames {
            let time = (io.sampleTime + done).rawValue
            if note.pointee.isDue { step(note, voice, io, at: done) }
            let played = note.pointee.played
            let count = min(PlayedNote.interval &- played, io.frames &- done)
            voice.pointee.render(frames, count, played: played, at: time)
            if !note.pointee.mix(frames, count, left + done, right + done) { return false }
            done &+= count
        }
        return true
    }

    /// A point of the voice's grid: all that moves, for the next frames, from what holds at `frame`.
    @_noLocks private mutating func step(
        _ note: UnsafeMutablePointer<PlayedNote>, _ voice: UnsafeMutablePointer<PolySynthVoice>, _ io: borrowing RenderIO,
        at frame: Int
    ) {
        let isFirst = note.pointee.isNew, part = note.pointee.part, played = note.pointee.played
        let share = Double(note.pointee.fraction)
        if settings.isMoving { settings.read(io, at: frame) }
        if isFirst {
            voice.pointee.begin(note.pointee, settings, at: (io.sampleTime + frame).rawValue)
            note.pointee.strike(curve: settings.velocityCurve)
        }
        voice.pointee.move(
            note.pointee, settings, wheel: keyboard.parts.wheel(part),
            pressure: keyboard.parts.pressure(part, note.pointee.pressure),
            seconds: Double(Int32(truncatingIfNeeded: played)) / sampleRate, isFirst: isFirst)
        let cents = pitch(note, voice)
        let cutoff = keyboard.parts.offset(.cutoff, part), resonance = keyboard.parts.offset(.resonance, part)
        voice.pointee.aim(
            settings, cents: cents, brightness: (cutoff, resonance), played: played, share: share, isFirst: isFirst,
            sampleRate: sampleRate)
        note.pointee.follow(keyboard.parts.level(part), settings.times, smoothing: smoothing, isFirst: isFirst)
        let modulation = voice.pointee.modulation, pan = min(max(modulation.pan, -1), 1) * 100
        // Two oscillators at their height are one of full scale.
        let strength = 0.5 * settings.gain * min(max(1 + modulation.level, 0), 2)
        let amplitude = note.pointee.envelope.next * note.pointee.strike * strength
        note.pointee.aim(left: amplitude * BalanceLaw.left(pan), right: amplitude * BalanceLaw.right(pan))
    }

    /// Cents above MIDI key 0, by key, bend, tuning, glide and vibrato.
    @_noLocks private func pitch(
        _ note: UnsafeMutablePointer<PlayedNote>, _ voice: UnsafeMutablePointer<PolySynthVoice>
    ) -> Double {
        let part = note.pointee.part, key = note.pointee.key
        let depth = settings.vibratoDepth * keyboard.parts.vibrato(part, note.pointee.pressure)
        return Double(key) * 100 + keyboard.parts.cents(part, key) + settings.tune
            + note.pointee.slide(settings.portamentoTime, finger: settings.glide, sampleRate: sampleRate)
            + voice.pointee.vibrato(depth, settings.lfoShape)
    }
}
