import Carillon
import Hearing

// Records what is captured, and shows how loud it is, before and while it does.
let path = CommandLine.arguments[1] + "/take.flac"
let engine = Engine(sampleRate: 48_000), port = SimulatedPort()
port.captures = { frame, channel in sine(SampleTime(Int64(frame)), 440) * Float(channel + 1) }
let (input, meter) = try engine.edit { graph in
    let input = try graph.add(DeviceInput.self), meter = try graph.add(PeakMeter.self)
    try graph.connect(input, to: meter)
    try graph.setOutput(graph.add(MultichannelMixer.self))     // nothing is played
    return (input, meter)
}
try engine.start(on: .simulated(port))
port.advance(seconds: 1)
let levels = try ["peak-left", "peak-right"].map { try engine.readout($0, of: meter) ?? 0 }
expect(abs(levels[0] + 13.98) < 0.1 && abs(levels[1] + 7.96) < 0.1, "the meter shows \(levels) dBFS")
let recorder = try engine.record(input, to: path)
port.advance(seconds: 1)
let pause = recorder.pause()
port.advance(seconds: 1)
recorder.resume()
port.advance(seconds: 1)
try engine.stop()
try engine.finish(recorder)
let take = try AudioFileReader(path: path)
expect(abs(Int(take.frames) - 96_000) < 6_000, "the take has \(take.frames) frames, with a second of pause left out")
print("recorder: \(levels) dBFS at the input, \(take.frames) frames in the file, paused on frame \(pause.rawValue)")
