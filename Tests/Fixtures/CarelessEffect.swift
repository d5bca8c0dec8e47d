// An effect with memory outside the package, compiled by CompilerGuardTests against the built modules. Its hooks carry no
// annotation: the one of `render` has to find what they do wrong, through the loop that UnitAPI lends it.
import DSP
import RealtimeCore
import UnitAPI

struct CarelessEffect: EffectWithMemory, ~Copyable {
    static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .effect, subtype: "care", manufacturer: "Test"), name: "careless",
        summary: "Listens for a while.", inputs: [.init("main", channels: 3), .init("key", channels: 1)],
        outputs: [.init("main", channels: 3)])
    typealias Parameter = NoParameter

    var runs = EffectRuns()
    var memory: Int { @_noLocks get { 64 } }
    private let line: DelayLine
    private var loudest: [Float] = []

    init(_ setup: UnitSetup) { line = DelayLine(longest: 64) }

    // [render]

    @_noLocks mutating func render(_ io: borrowing RenderIO) -> RenderStatus { renderRuns(io) }

    mutating func tune(_ io: borrowing RenderIO, at i: Int) {
        #if TUNES
            loudest.append(io.input(0, 0)[i])
        #endif
    }

    mutating func process(_ io: borrowing RenderIO, _ run: EffectRun) {
        for channel in 0..<3 {
            let input = io.input(0, channel), output = io.output(0, channel)
            for k in run.start..<run.start + run.count { output[k] = input[k] }
        }
        #if PROCESSES
            print(run.position)
        #endif
    }

    mutating func clear() {
        line.clear()
        #if CLEARS
            loudest = []
        #endif
    }

    @_noLocks mutating func reset() {
        line.clear()
        runs = EffectRuns()
    }
}
