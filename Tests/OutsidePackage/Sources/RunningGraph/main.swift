import Carillon
import Glibc
import Hearing

// A graph at work, looked at: who is there, what it costs, what it shows, and all of it as a patch.
let engine = Engine(sampleRate: 48_000)
try engine.edit { graph in
    let square = try graph.add(SquareWave.self), limiter = try graph.add(Limiter.self)
    try graph.chain(square, limiter)
    try graph.route(part: 0, to: square)
    try graph.setOutput(limiter)
}
engine.measuresLoad = true
try engine.start(on: .device("null", period: 256))      // a thread that pulls in real time, and no sound card
try engine.send(.noteOn(69))
while engine.deviceStatus.map({ $0.slices < 40 }) ?? false {
    usleep(10_000)
    try engine.maintain()
}
let snapshot = engine.snapshot
for unit in snapshot.units {
    print("\(unit.name): latency \(unit.latency), load \(unit.load ?? 0), shows \(unit.readouts)")
    expect((unit.load ?? 0) > 0 && !unit.isAtRest && unit.faults == 0, "\(unit.name) does not render")
}
expect(snapshot[unit: "square-wave"]?.readouts["voices"] == 1, "the key that is down is not one voice")
expect(snapshot.counters.unheardEvents == 0, "a note was not heard")
try engine.stop()
let copy = try Engine(patch: Patch(text: engine.patch.text()))
expect(try copy.patch.text() == engine.patch.text(), "a copy of the graph is another graph")
print("running graph: \(snapshot.units.count) units, \(snapshot.latency) frames late, the same again from its patch")
