import Carillon
import Hearing

// A singer over a record: the voice is equalised, applause comes from a second player, and the voice itself calls it.
let folder = CommandLine.arguments[1]
try writeSine(220, rate: 48_000, to: folder + "/record.wav")
try writeSine(1_760, rate: 48_000, to: folder + "/applause.wav")
let engine = Engine(sampleRate: 48_000), port = SimulatedPort()
port.captures = { frame, _ in (48_000..<72_000).contains(frame) ? sine(SampleTime(Int64(frame)), 660) : 0 }
let (record, applause, voice) = try engine.edit { graph in
    let voice = try graph.add(Equalizer.self), mixer = try graph.add(MultichannelMixer.self, inputs: 3)
    let record = try graph.add(player: folder + "/record.wav"), applause = try graph.add(player: folder + "/applause.wav")
    try graph.chain(graph.add(DeviceInput.self), voice, mixer[0])
    try graph.connect(record.node, to: mixer[1])
    try graph.connect(applause.node, to: mixer[2])
    try graph.setOutput(mixer)
    return (record, applause, voice)
}
let tap = try engine.tap(voice)
try engine.start(on: .simulated(port))
try record.play(at: engine.time(after: .milliseconds(100)), passes: .times(3))
var cue: SampleTime?
for _ in 0..<150 {
    port.advance(seconds: 0.02)
    for block in tap.read() where cue == nil && block.peaks[0] > 0.1 {
        cue = block.time + 12_000                              // a quarter of a second after the voice begins
        try applause.play(at: cue, frames: 24_000)
    }
}
let first = (cue?.rawValue ?? 0) - 12_000
expect((47_500..<49_000).contains(first), "the voice was heard on frame \(first)")
func step(_ from: Int) -> Float { largestStep(Array(port.played[0][from..<from + 4_800])) }
let answered = step(Int(first) + 30_000), before = step(20_000)
expect(answered > 4 * before, "nothing answers the voice: \(before) before, \(answered) then")
expect(frequency(port.played[0][12_000..<43_200]).rounded() == 220, "the record is not heard before the voice")
print("karaoke: the voice on frame \(first), applause a quarter of a second later")
