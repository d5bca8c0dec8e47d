import Carillon
import CarillonTestKit
import Hearing

// An instrument of one's own: the laws, notes on their frames, parameters as a person and a keyboard move them.
let broken = try checkUnit(UnitUnderTest(Whistle.self))
expect(broken.isEmpty, broken.map(\.description).joined(separator: "\n"))
let engine = Engine(sampleRate: 48_000)
let whistle = try engine.edit { graph in
    let whistle = try graph.add(Whistle.self, startValues: ["release": 0.01])
    try graph.setOutput(whistle)
    return whistle
}
try engine.start(on: .offline)
try engine.send(.noteOn(69), to: whistle, at: SampleTime(4_800))
try engine.set("whistle.transpose=7 semitones", at: SampleTime(48_000))
try engine.send(.noteOff(69), to: whistle, at: SampleTime(96_000))
let sound = try engine.render(frames: 144_000)[0]
expect(onsets(sound) == [4_800], "it begins on \(onsets(sound))")
let heard = [frequency(sound[9_600..<43_200]), frequency(sound[52_800..<91_200])]
expect(abs(heard[0] - 440) < 0.5 && abs(heard[1] - 659.255) < 0.5, "heard \(heard) Hz, not 440 and 659")
expect(sound[97_000...].allSatisfy { $0 == 0 }, "the note does not end")
try engine.send(.message(MIDIMessage(status: 0xB0, data1: 7, data2: 127)), to: whistle)
try engine.send(.message(MIDIMessage(status: 0xB0, data1: 80, data2: 127)), to: whistle)
_ = try engine.render(frames: 4_800)
let moved = try [engine.text("whistle.volume"), engine.text("whistle.vibrato"), engine.text("whistle.tone")]
expect(moved == ["1", "on", "pure"], "the controllers made it \(moved)")
print("own instrument: no law broken, \(heard.map { $0.rounded() }) Hz, volume \(moved[0]), vibrato \(moved[1])")
