import Carillon
import CarillonTestKit
import Hearing

// A MIDI unit of one's own: the laws, and what an instrument behind it plays.
let broken = try checkUnit(UnitUnderTest(Mirror.self))
expect(broken.isEmpty, broken.map(\.description).joined(separator: "\n"))
let engine = Engine(sampleRate: 48_000)
let mirror = try engine.edit { graph in
    let mirror = try graph.add(Mirror.self)
    let square = try graph.add(SquareWave.self)
    try graph.connect(mirror, to: square)
    try graph.setOutput(square)
    return mirror
}
try engine.start(on: .offline)
try engine.send(.noteOn(51), to: mirror, at: SampleTime(4_800))
let sound = try engine.render(frames: 48_000)[0]
expect(onsets(sound) == [4_800], "it begins on \(onsets(sound))")
let heard = frequency(sound[9_600..<43_200])
expect(abs(heard - 440) < 0.5, "heard \(heard) Hz, not 440: key 51 is mirrored to 69")
print("own MIDI unit: no law broken, \(heard.rounded()) Hz")
