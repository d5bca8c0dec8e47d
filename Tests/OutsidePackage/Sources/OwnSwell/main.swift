import Carillon
import CarillonTestKit
import Hearing

// A unit of one's own: the laws, the catalogue, a ramp.
let broken = try checkUnit(UnitUnderTest(Swell.self))
expect(broken.isEmpty, broken.map(\.description).joined(separator: "\n"))
expect(UnitCatalog.register(Swell.self), "the catalogue has a swell already")
let engine = Engine(sampleRate: 48_000)
let swell = try engine.edit { graph in
    let steady = try graph.add(source: "steady") { io in
        for i in 0..<io.frames {
            io.output(0, 0)[i] = 1
            io.output(0, 1)[i] = 1
        }
        return .sounding
    }
    let swell = try graph.add(named: "swell", startValues: ["depth": 0])
    try graph.chain(steady, swell)
    try graph.setOutput(swell)
    return swell
}
try engine.start(on: .offline)
try engine.ramp(Swell.Parameter.depth, to: 1, of: swell, at: engine.time(after: .seconds(1)), over: 1)
let sound = try engine.render(frames: 144_000)[0]
expect(sound[..<48_000].allSatisfy { $0 == 1 }, "it fades before its depth has risen")
let troughs = (0...5).map { sound[48_000 + $0 * 9_600] }       // five a second, each a fifth deeper
expect(troughs.enumerated().allSatisfy { abs($1 - (1 - 0.2 * Float($0))) < 1e-4 }, "wrong depths: \(troughs)")
print("own swell: no law broken, troughs \(troughs.map { ($0 * 10).rounded() / 10 })")
