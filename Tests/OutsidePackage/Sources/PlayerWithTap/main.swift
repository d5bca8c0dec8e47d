import Carillon
import Hearing

// A file through an equaliser and a reverb; a tap listens between the two.
let path = CommandLine.arguments[1] + "/tone.wav"
try writeSine(800, rate: 44_100, to: path)
let engine = Engine(sampleRate: 48_000), port = SimulatedPort()
let (player, equalizer) = try engine.edit { graph in
    let player = try graph.add(player: path)                        // converts the rate, mono goes to both sides
    let equalizer = try graph.add(Equalizer.self), reverb = try graph.add(Reverb.self)
    try graph.chain(player.node, equalizer, reverb)
    try graph.setOutput(reverb)
    return (player, equalizer)
}
let tap = try engine.tap(equalizer, seconds: 5)
try engine.set(Equalizer.Parameter.gain, 6, element: 3, of: equalizer)      // band 3 is at 800 Hz
try engine.start(on: .simulated(port))
try player.play(at: engine.time(after: .milliseconds(500)))
port.advance(seconds: 2.5)
let heard = tap.read().flatMap { $0.channels[0] }
let onset = heard.firstIndex { abs($0) > 0.001 } ?? 0
expect((24_000...24_002).contains(onset), "the file began on frame \(onset), not on 24000")
let tone = heard[36_000..<60_000]
expect(abs(frequency(tone) - 800) < 0.1, "the file sounds at \(frequency(tone)) Hz, not at 800")
expect(abs(level(tone) / 0.3527 - 1) < 0.01, "the equaliser made a level of \(level(tone)), not 6 dB more than 0.1768")
expect(heard[75_000...].allSatisfy { abs($0) < 0.001 }, "the file did not end after a second")
expect(level(port.played[0][75_000..<90_000]) > 0.001, "the reverb has no tail")
print("player with tap: from frame \(onset) on, 6 dB louder, with a tail")
