import Carillon
import Hearing

// Two records, one fading into the other, as between two songs of an evening.
let folder = CommandLine.arguments[1]
try writeSine(440, rate: 48_000, to: folder + "/first.wav")
try writeSine(1_000, rate: 48_000, to: folder + "/second.wav")
let engine = Engine(sampleRate: 48_000), port = SimulatedPort()
let (first, second) = try engine.edit { graph in
    let mixer = try graph.add(MultichannelMixer.self, inputs: 2)
    let first = try graph.add(player: folder + "/first.wav"), second = try graph.add(player: folder + "/second.wav")
    try graph.connect(first.node, to: mixer[0])
    try graph.connect(second.node, to: mixer[1])
    try graph.setOutput(mixer)
    return (first, second)
}
try engine.fade(second, to: -60, over: .zero)
try engine.start(on: .simulated(port))
try first.play(at: engine.time(after: .milliseconds(100)), passes: .endless)
port.advance(seconds: 2)
try second.play(passes: .endless)
try engine.fade(first, to: -60, over: .seconds(2))
try engine.fade(second, to: 0, over: .seconds(2))
port.advance(seconds: 4)
let sound = port.played[0]
expect(frequency(sound[48_000..<86_400]).rounded() == 440, "the first record is \(frequency(sound[48_000..<86_400])) Hz")
expect(frequency(sound[216_000..<264_000]).rounded() == 1_000, "the second is \(frequency(sound[216_000..<264_000])) Hz")
expect(largestStep(sound) < 0.07, "a step of \(largestStep(sound)): a click")
print("mix player: one record fades into the other without a click")
