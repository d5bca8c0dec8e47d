import CRealtime
import DSP
import RealtimeCore
import UnitAPI

// [render]

/// The bands of an equalizer, one after the other; those of 0 dB do nothing at all.
struct EqualizerBands: ~Copyable {
    private let count: Int
    private var owned = OwnedMemory()
    private let bands: UnsafeMutablePointer<EqualizerBand>

    /// Bands that are off. Control side.
    init(_ count: Int) {
        self.count = count
        bands = owned.make(count, of: EqualizerBand())
    }

    /// The band of this number, to be aimed.
    subscript(_ band: Int) -> UnsafeMutablePointer<EqualizerBand> { @_noLocks get { bands + band } }

    /// Arrives at the settings at once.
    @_noLocks func settle() {
        for band in 0..<count { bands[band].settle() }
    }

    /// Fills the first output with what the bands leave of the first input, and keeps `runs` awake while it is audible.
    @_noLocks func process(_ io: borrowing RenderIO, _ run: EffectRun, _ runs: inout EffectRuns) {
        let left = io.output(0, 0).base + run.start, right = io.output(0, 1).base + run.start
        rt_copy(left, io.input(0, 0).base + run.start, run.count)
        rt_copy(right, io.input(0, 1).base + run.start, run.count)
        var ringing = 0.0
        for band in 0..<count where !bands[band].isNeutral {
            bands[band].process(left, right, run.count, phase: run.phase)
            ringing = max(ringing, bands[band].level)
        }
        runs.stir(run, holding: ringing, left, right)
    }

    /// Silence; the settings stay.
    @_noLocks func clear() {
        for band in 0..<count { bands[band].clear() }
    }

    /// All bands are off.
    @_noLocks func reset() {
        for band in 0..<count { bands[band] = EqualizerBand() }
    }
}

extension EffectRuns {
    /// Keeps the effect awake while its filters hold `level`, or what comes out of them is audible, for they may raise it: above
    /// -120 dB.
    @_noLocks mutating func stir(
        _ run: EffectRun, holding level: Double, _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>
    ) {
        if !isQuiet { return }
        stir(run, holding: level)
        if max(rt_peak(left, run.count), rt_peak(right, run.count)) > 1e-6 { stir() }
    }
}
