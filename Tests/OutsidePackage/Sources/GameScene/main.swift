import Carillon
import Hearing

// A game: two things move around the listener, music plays all the time, and a shot is triggered on a frame.
let folder = CommandLine.arguments[1]
try writeSine(3_000, rate: 48_000, to: folder + "/shot.wav")
let engine = Engine(sampleRate: 48_000), port = SimulatedPort()
let (room, shot, mixer) = try engine.edit { graph in
    let room = try graph.add(SpatialMixer.self, inputs: 3), mixer = try graph.add(MultichannelMixer.self, inputs: 2)
    let wasp = try graph.add(Oscillator.self, startValues: ["frequency": 330, "level": -20])
    let brook = try graph.add(Noise.self, startValues: ["level": -60])
    let shot = try graph.add(player: folder + "/shot.wav")
    for (place, source) in [wasp, brook, shot.node].enumerated() { try graph.connect(source, to: room[place]) }
    try graph.connect(room, to: mixer[0])
    try graph.connect(graph.add(Oscillator.self, name: "music", startValues: ["frequency": 110, "level": -40]), to: mixer[1])
    try graph.setOutput(mixer)
    return (room, shot, mixer)
}
try engine.set(MultichannelMixer.Parameter.gain, -120, element: 1, of: mixer)      // no music yet
try engine.start(on: .simulated(port))
try engine.set(SpatialMixer.Parameter.x, -2, element: 0, of: room)
port.advance(seconds: 1)
try engine.ramp(SpatialMixer.Parameter.x, to: 2, element: 0, of: room, over: 2)     // it flies from left to right
try shot.play(at: engine.time(after: .seconds(3)), frames: 4_800)
port.advance(seconds: 4)
func side(_ channel: Int, _ from: Int) -> Float { level(port.played[channel][from..<from + 9_600]) }
expect(side(0, 36_000) > 3 * side(1, 36_000), "the wasp is not on the left: \(side(0, 36_000)), \(side(1, 36_000))")
expect(side(1, 150_000) > 3 * side(0, 150_000), "the wasp is not on the right: \(side(0, 150_000)), \(side(1, 150_000))")
expect(largestStep(Array(port.played[0][..<180_000])) < 0.02, "a step of \(largestStep(port.played[0])): a click")
print("game: a wasp flew by, \(side(0, 36_000)) on the left, then \(side(1, 150_000)) on the right")
