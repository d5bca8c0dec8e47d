import DSP
import RealtimeCore
import UnitAPI

/// A loop: what is led to it may lead back to where it came from, and so comes around again and again.
///
/// It is the one unit through which sound may run in a circle, because its output is its input of 64 frames earlier (1.3 ms
/// at 48 kHz), for any block size and number of threads. The other units in the circle make the sound of the loop: a delay
/// its time, a filter its colour. `gain` sets how much comes back; below 0 dB a loop of nothing else dies away. A loop that
/// gains all the same stays below full scale, since samples above half of it are bent (`SoftLimit`, which names the source).
/// A loop cannot be bypassed: turn its gain down, or remove a connection.
///
/// Its tail is what it holds itself: how long the loop rings depends on what is in it. Source: J. O. Smith, "Introduction to
/// Digital Filters", 2007: a loop can be computed when there is a delay in it.
public struct Feedback: AudioUnit, ~Copyable {
    public static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .effect, subtype: "fdbk", manufacturer: .carillon), name: "feedback",
        summary: "Routes sound back to where it came from: the only way in which connections may form a loop.",
        inputs: [.init("main")], outputs: [.init("main")], tail: 0.01, gap: 0.01, closesLoop: true)

    public enum Parameter: Int, UnitParameter {
        case gain

        public var spec: ParameterSpec {
            switch self {
            case .gain: .decibels("gain", -60...0, -6, "How much of the sound comes back.")
            }
        }
    }

    private var loudness = AmplitudeMemo()

    public init(_ setup: UnitSetup) {}

    // [render]

    @_noLocks public mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        if io.isSilent() { return .silent }
        let gain = io[Parameter.gain]
        let left = io.input(0, 0).base, right = io.input(0, 1).base
        let outLeft = io.output(0, 0).base, outRight = io.output(0, 1).base
        for i in 0..<io.frames {
            let amplitude = loudness(gain[i])
            outLeft[i] = SoftLimit.bend(left[i] * amplitude)
            outRight[i] = SoftLimit.bend(right[i] * amplitude)
        }
        return .sounding
    }

    @_noLocks public mutating func reset() { loudness = AmplitudeMemo() }
}
