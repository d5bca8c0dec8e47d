import CRealtime
import DSP
import RealtimeCore
import UnitAPI

/// The filters before an effect that channels send to: a high-cut and a low-cut of first order.
///
/// Messages of GS and XG move them: those of the reverb, or of the effect that `place` names. Without cuts it passes all, bit
/// for bit.
package struct SendFilter: EffectWithMemory, ~Copyable {
    package static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .effect, subtype: "sflt", manufacturer: .carillon), name: "send-filter",
        summary: "Less treble or bass for the effect after it, as songs for GS and XG set it.", inputs: [.init("main")],
        outputs: [.init("main")], tail: 1, properties: [EffectLink.heldProperty, EffectLink.placeProperty])

    package enum Parameter: Int, UnitParameter {
        case highCut, lowCut

        package var spec: ParameterSpec {
            switch self {
            case .highCut:
                .frequency(
                    "high-cut", 100...20_000, 20_000, smoothing: 0.1, effect: .init(.reverbHighCut),
                    "Above this frequency the effect gets less; at 20 kHz it gets all.")
            case .lowCut:
                .frequency(
                    "low-cut", 10...10_000, 10, smoothing: 0.1, effect: .init(.reverbLowCut),
                    "Below this frequency the effect gets less; at 10 Hz it gets all.")
            }
        }
    }

    private let sampleRate: Double
    /// What rings is in the filters' levels.
    package let memory = DelayLine.run
    package var runs = EffectRuns()
    private var left = LoopFilter(), right = LoopFilter()
    /// The filters at the start of the current 64 frames, and at their end.
    private var start = LoopFilter.Coefficients(), end = LoopFilter.Coefficients()
    private var highCut: Float = -1, lowCut: Float = -1

    package init(_ setup: UnitSetup) throws(UnitError) {
        try setup.checkHeldParameters(of: Self.self)
        try setup.checkPlace(of: Self.self)
        sampleRate = setup.sampleRate
    }

    // [render]

    @_noLocks package mutating func render(_ io: borrowing RenderIO) -> RenderStatus { renderRuns(io) }

    @_noLocks package mutating func reset() {
        clear()
        runs = EffectRuns()
        (highCut, lowCut) = (-1, -1)
    }

    @_noLocks package mutating func wake(_ io: borrowing RenderIO, at i: Int) {
        tune(io, at: i)
        start = end
    }

    @_noLocks package mutating func tune(_ io: borrowing RenderIO, at i: Int) {
        start = end
        let highCut = io[Parameter.highCut][i], lowCut = io[Parameter.lowCut][i]
        if highCut == self.highCut && lowCut == self.lowCut { return }
        end = LoopFilter.Coefficients(
            highCut: Double(highCut), lowCut: Double(lowCut), open: 20_000, sampleRate: sampleRate)
        if lowCut <= 10 { end.low = 0 }
        (self.highCut, self.lowCut) = (highCut, lowCut)
    }

    @_noLocks package mutating func process(_ io: borrowing RenderIO, _ run: EffectRun) {
        let toLeft = io.output(0, 0).base + run.start, toRight = io.output(0, 1).base + run.start
        rt_copy(toLeft, io.input(0, 0).base + run.start, run.count)
        rt_copy(toRight, io.input(0, 1).base + run.start, run.count)
        if start.high == 1 && end.high == 1 && start.low == 0 && end.low == 0 {
            left = LoopFilter()
            right = LoopFilter()
            return
        }
        left.process(toLeft, run.count, from: start, to: end, phase: run.phase)
        right.process(toRight, run.count, from: start, to: end, phase: run.phase)
        if runs.isQuiet { runs.stir(run, holding: max(left.level, right.level)) }
    }

    /// Nothing rings.
    @_noLocks package mutating func clear() {
        left = LoopFilter()
        right = LoopFilter()
    }
}
