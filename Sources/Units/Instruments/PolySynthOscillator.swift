import DSP

// [render]

/// One of the two oscillators of a voice, with its level: it rests while it is not audible.
struct PolySynthOscillator: BitwiseCopyable {
    private var wave: WaveOscillator
    private var isRunning = false
    private var step: UInt64 = 0
    private var width: Float = 0.5
    /// Level at the last point of the grid, and its change per frame.
    private var level: Float = 0, slope: Float = 0

    /// Control side.
    init(workspace: UnsafeMutablePointer<Float>) { wave = WaveOscillator(workspace: workspace) }

    /// A note begins: at once as loud as it is wanted.
    @_noLocks mutating func begin(_ sound: PolySynthSettings.Oscillator) {
        isRunning = false
        level = sound.level
        slope = 0
    }

    /// `played` frames after the last point; pitch in periods per frame. The shape is that of when it begins to sound.
    @_noLocks mutating func aim(_ sound: PolySynthSettings.Oscillator, pitch: Double, width: Float, played: Int) {
        step = UInt64(min(pitch, 0.4999) * 18_446_744_073_709_551_616)
        self.width = width
        level += slope * Float(Int32(truncatingIfNeeded: played))
        // Just below half of the sample rate it fades out.
        let wanted = sound.level * Float(min(max((0.5 - pitch) * 50, 0), 1))
        if wanted == 0 && abs(level) < 1e-7 { level = 0 }
        slope = (wanted - level) * (1 / Float(Int32(PlayedNote.interval)))
        let isHeard = level != 0 || wanted != 0
        // A quarter of a period after its zero: none of the shapes is silent there.
        if isHeard && !isRunning {
            wave.start(WaveOscillator.Shape(number: sound.shape), at: 1 &<< 62, step: step, width: width)
        }
        isRunning = isHeard
    }

    @_noLocks mutating func add(to sum: UnsafeMutablePointer<Float>, _ frames: Int, played: Int) {
        if !isRunning { return }
        for i in 0..<frames {
            sum[i] += wave.next(step, width: width) * (level + slope * Float(Int32(truncatingIfNeeded: played &+ i &+ 1)))
        }
    }
}
