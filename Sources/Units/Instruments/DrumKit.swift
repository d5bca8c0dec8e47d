import DSP
import RealtimeCore
import UnitAPI

// [render]

/// The drums of a kit, struck by their General MIDI keys: which stroke sounds, and which has to give way.
///
/// A new stroke on a drum ends the one before, as one membrane has one sound; drums of a group end each other: the hats, the
/// whistles, the guiros, the cuicas, the triangles. What a stroke is like is settled in its first frame.
struct DrumKit: ~Copyable {
    struct Stroke: BitwiseCopyable {
        var voice: DrumVoice
        /// True after the stroke, as long as no frame of it has been made.
        var isNew = false
        /// The part that struck it, General MIDI's key, 0...127, and the group of strokes that end each other.
        var part = 0, key: UInt8 = 0, group = 0
        /// The force of the stroke, 0...1.
        var force: Float = 0
        /// The values of the stroke's own: semitones, amplitude, and place or 128 for the kit's.
        var tune = 0.0, level: Float = 1, pan: Float = 128
        var left: Float = 0, right: Float = 0
        /// Volume of the part on either side: where it goes, and where it is on its way.
        var wantedLeft: Float = 1, wantedRight: Float = 1, nowLeft: Float = 1, nowRight: Float = 1

        @_noLocks init(voice: DrumVoice) { self.voice = voice }

        var isUsed: Bool { @_noLocks get { isNew || voice.isSounding } }
    }

    static var capacity: Int { @_noLocks @inline(__always) get { 40 } }
    /// The number of strokes that sound at once, those that fade not counted.
    private static var polyphony: Int { @_noLocks get { 32 } }

    private var owned = OwnedMemory()
    let strokes: UnsafeMutablePointer<Stroke>
    private let metals: UnsafeMutablePointer<PulseOscillator>
    private let workspaces: UnsafeMutablePointer<Float>
    private let frames: UnsafeMutablePointer<Float>
    private let sampleRate: Double
    /// Frames that a stroke takes to give way, and how much of its way a volume covers in a frame: 4 ms.
    private let fadeFrames: Int
    private let smoothing: Float
    private var amplitude = AmplitudeMemo()
    private(set) var usedCount = 0

    init(sampleRate: Double) {
        self.sampleRate = sampleRate
        fadeFrames = max(Int(0.004 * sampleRate), 1)
        smoothing = Float(1 - DeterministicMath.exp2(-1.4426950408889634 / (0.004 * sampleRate)))
        let count = Self.capacity * DrumVoice.metalCount
        metals = owned.make(count, of: PulseOscillator())
        workspaces = owned.make(Self.capacity * DrumVoice.workspaceCount, of: 0)
        frames = owned.make(2 * DrumVoice.maximumFrames, of: 0)
        strokes = owned.room(for: Self.capacity)
        for index in 0..<Self.capacity {
            let voice = DrumVoice(
                metals: metals + index * DrumVoice.metalCount, workspace: workspaces + index * DrumVoice.workspaceCount)
            (strokes + index).initialize(to: Stroke(voice: voice))
        }
    }

    /// Makes what it plays louder or softer by `gain`, in decibels.
    @_noLocks mutating func scale(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ count: Int, by gain: ParameterRamp
    ) {
        for frame in 0..<count {
            let amplitude = self.amplitude(gain[frame])
            left[frame] *= amplitude
            right[frame] *= amplitude
        }
    }

    @_noLocks mutating func reset() {
        for i in 0..<Self.capacity {
            strokes[i].isNew = false
            strokes[i].voice.stop()
        }
        usedCount = 0
    }

    /// Strikes a drum; it sounds from the next frame on. Nil if there is none on that key.
    @_noLocks mutating func strike(part: Int, key: UInt8, force: Float) -> UnsafeMutablePointer<Stroke>? {
        if key < 35 || key > 81 { return nil }
        let group = DrumSounds.group(of: key)
        var sounding = 0
        for i in 0..<Self.capacity where strokes[i].isUsed && !strokes[i].voice.isFading {
            if strokes[i].part == part && (strokes[i].key == key || (group != 0 && strokes[i].group == group)) {
                end(i)
            } else {
                sounding &+= 1
            }
        }
        if sounding >= Self.polyphony, let quietest = quietest(isFading: false) { end(quietest) }
        let index = freeIndex(), stroke = strokes + index
        if !stroke.pointee.isUsed { usedCount &+= 1 }
        let voice = stroke.pointee.voice
        stroke.pointee = Stroke(voice: voice)
        stroke.pointee.isNew = true
        stroke.pointee.part = part
        stroke.pointee.key = key
        stroke.pointee.group = group
        stroke.pointee.force = force
        return stroke
    }

    /// Releases a stroke; one that has not sounded yet is removed.
    @_noLocks private mutating func end(_ i: Int) {
        if strokes[i].isNew {
            strokes[i].isNew = false
            strokes[i].voice.stop()
            usedCount &-= 1
        } else {
            strokes[i].voice.fade(over: fadeFrames)
        }
    }

    @_noLocks mutating func silence(_ parts: Range<Int>) {
        for i in 0..<Self.capacity where strokes[i].isUsed && parts.contains(strokes[i].part) { end(i) }
    }

    @_noLocks mutating func shed() {
        var sounding = 0
        for i in 0..<Self.capacity where strokes[i].isUsed && !strokes[i].voice.isFading { sounding &+= 1 }
        for _ in 0..<(sounding / 2) {
            if let quietest = quietest(isFading: false) { end(quietest) }
        }
    }

    @_noLocks private func quietest(isFading: Bool) -> Int? {
        var found = -1
        for i in 0..<Self.capacity where strokes[i].isUsed && !strokes[i].isNew && strokes[i].voice.isFading == isFading {
            if found < 0 || loudness(i) < loudness(found) { found = i }
        }
        return found < 0 ? nil : found
    }

    @_noLocks private func loudness(_ i: Int) -> Double {
        strokes[i].voice.height * Double(max(strokes[i].left, strokes[i].right))
    }

    /// A place that is free; where a flood of strokes has left none, that of the quietest that fades, cut off.
    @_noLocks private func freeIndex() -> Int {
        for i in 0..<Self.capacity where !strokes[i].isUsed { return i }
        return quietest(isFading: true) ?? quietest(isFading: false) ?? 0
    }

    @_noLocks mutating func render(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ count: Int, at time: Int64,
        _ settings: DrumKitSettings
    ) {
        var unseen = usedCount
        var index = 0
        while unseen > 0 && index < Self.capacity {
            if strokes[index].isUsed {
                unseen &-= 1
                if strokes[index].isNew { begin(strokes + index, settings) }
                add(strokes + index, left, right, count, time)
                if !strokes[index].voice.isSounding { usedCount &-= 1 }
            }
            index &+= 1
        }
    }

    @_noLocks private func begin(_ stroke: UnsafeMutablePointer<Stroke>, _ settings: DrumKitSettings) {
        let key = stroke.pointee.key, force = stroke.pointee.force
        var recipe = DrumSounds.recipe(of: key, settings)
        let setting = settings.setting(DrumSounds.setting(of: key))
        recipe.tune(setting.tune + stroke.pointee.tune)
        recipe.stretch(setting.decay)
        // A harder stroke is brighter: it bends the membrane further, and has more of the noise.
        recipe.tone.bend = 1 + (recipe.tone.bend - 1) * (0.5 + 0.5 * Double(force))
        recipe.noise.level *= 0.7 + 0.3 * Double(force)
        recipe.level *= setting.level
        let pan = stroke.pointee.pan > 100 ? recipe.pan * settings.width : stroke.pointee.pan
        let amplitude = Float(DeterministicMath.power(Double(force), settings.velocityCurve)) * stroke.pointee.level
        stroke.pointee.left = amplitude * BalanceLaw.left(pan)
        stroke.pointee.right = amplitude * BalanceLaw.right(pan)
        stroke.pointee.nowLeft = stroke.pointee.wantedLeft
        stroke.pointee.nowRight = stroke.pointee.wantedRight
        stroke.pointee.voice.start(recipe, seed: UInt64(stroke.pointee.part) &<< 8 | UInt64(key), sampleRate: sampleRate)
        stroke.pointee.isNew = false
    }

    @_noLocks private func add(
        _ stroke: UnsafeMutablePointer<Stroke>, _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>,
        _ count: Int, _ time: Int64
    ) {
        var done = 0
        while done < count && stroke.pointee.voice.isSounding {
            let now = min(count &- done, DrumVoice.maximumFrames)
            stroke.pointee.voice.render(
                frames, now, at: time &+ Int64(done), scratch: frames + DrumVoice.maximumFrames)
            for i in 0..<now {
                let sample = frames[i]
                left[done &+ i] += sample * stroke.pointee.left * stroke.pointee.nowLeft
                right[done &+ i] += sample * stroke.pointee.right * stroke.pointee.nowRight
                stroke.pointee.nowLeft += (stroke.pointee.wantedLeft - stroke.pointee.nowLeft) * smoothing
                stroke.pointee.nowRight += (stroke.pointee.wantedRight - stroke.pointee.nowRight) * smoothing
            }
            done &+= now
        }
    }
}
