import CRealtime
import MIDI
import RealtimeCore
import UnitAPI

/// A matrix: each channel of four stereo inputs goes to each channel of four stereo outputs, as loud as its gain says.
///
/// What is heard is a preset, which does the same with each of the four pairs, plus the gains: a row of eight for each
/// output channel, one for each input channel, `gain[8 * output + input]`, counted from 0. A gain of 1 passes bits on, one
/// of 0 nothing. The output `all` has the eight channels once more in one bus, for devices with more than two.
///
/// Mid and side are half of sum and difference, so that nothing becomes louder and decoding gives back what was encoded.
/// Source: A. Blumlein, British patent 394 325 (1931).
public struct Matrix: AudioUnit, ~Copyable {
    public static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .mixer, subtype: "mtrx", manufacturer: .carillon), name: "matrix",
        summary: "Routes each of eight channels to each of eight others, with a gain of its own.",
        inputs: (1...4).map { .init("input-\($0)") },
        outputs: (1...4).map { .init("output-\($0)") } + [.init("all", channels: 8)], bands: 64)

    public enum Parameter: Int, UnitParameter {
        case gain, preset

        public var spec: ParameterSpec {
            switch self {
            case .gain:
                ParameterSpec(
                    "gain", -4...4, default: 0, unit: .ratio, scope: .band,
                    help: "How much of an input channel an output channel gets beside the preset: [8 * output + input].")
            case .preset:
                .choice(
                    "preset", PairMatrix.names, default: 1,
                    help: "What happens to each stereo pair; none leaves everything to the gains.")
            }
        }
    }

    private static var width: Int { @_noLocks get { 8 } }

    private var pair = PairFade()

    public init(_ setup: UnitSetup) { pair.length = max(Int(0.02 * setup.sampleRate), 1) }

    // [render]

    @_noLocks public mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        pair.follow(Int(io[Parameter.preset].target))
        var isSounding = false
        for bus in 0..<4 where mix(io, bus) { isSounding = true }
        let isMoving = !pair.isSteady
        pair.advance(io.frames)
        if !isSounding {
            io.markSilent(4)
            // The fade goes on while nothing is heard: it must not matter when a silence began.
            return isMoving ? .sounding : .silent
        }
        return .sounding
    }

    @_noLocks public mutating func reset() { pair.isFresh = true }

    /// Adds up one output pair, here and in `all`. Returns whether it sounds.
    @_noLocks private func mix(_ io: borrowing RenderIO, _ bus: Int) -> Bool {
        var isSounding = false
        for side in 0..<2 {
            for channel in 0..<Self.width where !io.isSilent(channel / 2) {
                let gain = io[Parameter.gain, (bus &* 2 &+ side) &* Self.width &+ channel]
                let cell = channel / 2 == bus ? side &* 2 &+ channel % 2 : -1
                let isSteady = gain.isSteady && (cell < 0 || pair.isSteady)
                if isSteady && gain.target + (cell < 0 ? 0 : pair[cell, 0]) == 0 { continue }
                if !isSounding {
                    for side in 0..<2 { rt_zero(io.output(bus, side).base, io.frames) }
                    isSounding = true
                }
                let from = io.input(channel / 2, channel % 2).base, to = io.output(bus, side).base
                if isSteady {
                    let sum = gain.target + (cell < 0 ? 0 : pair[cell, 0])
                    if sum == 1 { rt_add(to, from, io.frames) } else { rt_add_scaled(to, from, sum, io.frames) }
                } else {
                    for i in 0..<io.frames { to[i] += from[i] * (gain[i] + (cell < 0 ? 0 : pair[cell, i])) }
                }
            }
        }
        for side in 0..<2 {
            let whole = io.output(4, bus &* 2 &+ side).base
            if isSounding { rt_copy(whole, io.output(bus, side).base, io.frames) } else { rt_zero(whole, io.frames) }
        }
        if !isSounding { io.markSilent(bus) }
        return isSounding
    }
}
