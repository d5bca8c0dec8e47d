import Carillon
import Hearing

// A file for 5.1 through a limiter of six channels, and what leaves it into another file, loudspeaker by loudspeaker.
let folder = CommandLine.arguments[1], tape = AudioBuffer(channels: 6, capacity: 48_000)
for channel in 0..<6 {
    for i in 0..<48_000 { tape.samples(of: channel)[i] = sine(SampleTime(Int64(i)), 440) * Float(channel + 1) }
}
let writer = try AudioFileWriter(
    path: folder + "/tape.wav", format: AudioFileFormat(path: "tape.wav", bits: .float32), channels: 6,
    layout: .surround51, sampleRate: 48_000)
try writer.write(tape.planes.map { UnsafePointer($0) }, frames: 48_000)
try writer.finish()
let engine = Engine(sampleRate: 48_000)
let (player, limiter) = try engine.edit { graph in
    let player = try graph.add(player: folder + "/tape.wav", channels: 6)       // 2, and it would be folded down
    let limiter = try graph.add(Limiter.self, properties: ["channels": .integer(6)])
    try graph.connect(player.node, to: limiter)
    try graph.setOutput(limiter)
    return (player, limiter)
}
let recorder = try engine.record(limiter, to: folder + "/copy.caf")
try player.play(at: .zero)
try engine.start(on: .offline(layout: .surround51))
let heard = try engine.render(frames: 48_000)
try engine.finish(recorder)
let copy = try AudioFileReader(path: folder + "/copy.caf")
expect(copy.layout == .surround51, "the copy is for \(String(describing: copy.layout))")
expect(try copy.readAll() == heard, "the copy is not what was heard")
// One gain for all: the loudest is held at -1 dB, and the others stand to it as they did.
let levels = heard.map { level($0[24_000..<48_000]) }
expect(levels.indices.allSatisfy { abs(levels[$0] / levels[0] - Float($0 + 1)) < 0.001 }, "the picture moved: \(levels)")
expect(abs(levels[5] - 0.8913 / Float(2).squareRoot()) < 0.01, "the limiter let \(levels[5]) pass")
print("surround tape: six channels, limited and recorded")
