import Carillon
import Hearing

// Units by description, a render callback, and an effect that comes and goes while they sound.
let engine = Engine(sampleRate: 48_000), port = SimulatedPort()
let (callback, mixer) = try engine.edit { graph in
    let callback = try graph.add(source: "callback") { io in
        for channel in 0..<2 {
            for i in 0..<io.frames { io.output(0, channel)[i] = sine(io.sampleTime + i, 440) }
        }
        return .sounding
    }
    let mixer = try graph.add(matching: ComponentDescription(type: .mixer, subtype: "mcmx"), inputs: 2)
    try graph.connect(callback, to: mixer[1])
    try graph.setOutput(mixer)
    return (callback, mixer)
}
try engine.start(on: .simulated(port))
for _ in 0..<10 {
    port.advance(seconds: 0.1)
    let effect = try engine.edit { graph in
        let effect = try graph.add(matching: ComponentDescription(subtype: "nbeq"), startValues: ["level": -60])
        try graph.insert(effect, between: callback, and: mixer)
        return effect
    }
    port.advance(seconds: 0.1)
    try engine.edit { graph in try graph.removeClosingGap(effect) }
}
let levels = (0..<20).map { level(port.played[0][$0 * 4800 + 3600..<$0 * 4800 + 4800]) }
expect(levels.enumerated().allSatisfy { ($1 > 0.14) == ($0 % 2 == 0) }, "the effect did not come and go: \(levels)")
expect(largestStep(port.played[0]) < 0.0125, "a step of \(largestStep(port.played[0])): a click")
print("graph: ten inserts and removals, largest step \(largestStep(port.played[0]))")
