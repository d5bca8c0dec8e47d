import Carillon
import Glibc
import Hearing

// A graph at work, looked at: who is there, what it costs, what it shows, and all of it as a patch.
let engine = Engine(sampleRate: 48_000)
let synthesizer = try engine.edit { graph in
    let synthesizer = try graph.add(SquareWave.self), limiter = try graph.add(Limiter.self)
    try graph.chain(synthesizer, limiter)
    try graph.setOutput(limiter)
    for node in graph.nodes { node.instance.measureTime() }
    return synthesizer
}
try engine.start(on: .device("null", period: 256))      // a thread that pulls in real time, and no sound card
try engine.send(.message(MIDIMessage(status: 0x90, data1: 69, data2: 100)), to: synthesizer)
while (engine.deviceStatus?.slices ?? 0) < 40 {
    usleep(10_000)
    try engine.maintain()
}
for node in engine.graph.nodes {
    let slowest = node.instance.renderTime?.summary.maximum ?? 0
    print("\(node.name): latency \(node.instance.latency), \(slowest / 1000) us at most")
    expect(slowest > 0 && !node.instance.isAtRest, "\(node.name) has not rendered")
}
expect(try engine.readout("voices", of: synthesizer) == 1, "the key that is down is not one voice")
try engine.stop()
let copy = try Engine(patch: Patch(text: engine.patch.text()))
expect(try copy.patch.text() == engine.patch.text(), "a copy of the graph is another graph")
print("running graph: \(engine.graph.nodes.count) units, the same again from its patch")
