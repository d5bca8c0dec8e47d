import Carillon
import Foundation
import Hearing

// What a user of AVAudioEngine, AudioKit or JUCE types first: numbers, durations and names as they are at hand.
func firstLines(in folder: String) throws {
    let engine = Engine(sampleRate: 48_000), path = folder + "/first-lines.wav", key = 69, pulses = 3
    // A file of the engine's rate, and its address.
    let writer = try AudioFileWriter(path: path, format: AudioFileFormat(.wav), channels: 1, sampleRate: engine.sampleRate)
    try (0..<48_000).map { 0.5 * sin(Float($0) * 0.05) }.withUnsafeBufferPointer {
        try writer.write([$0.baseAddress!], frames: $0.count)
    }
    try writer.finish()
    let reader = try AudioFileReader(url: URL(fileURLWithPath: path))
    expect(reader.frames == 48_000, "the file has \(reader.frames) frames")
    // A player in a chain, a preset and choices by name, a list of SoundFonts, the rate in a render callback.
    let (player, reverb, synth) = try engine.edit { graph in
        let player = try graph.add(player: path)
        let reverb = try graph.add(Reverb.self, startValues: ["preset": "room", "mix": 30])
        let synth = try graph.add(named: "soundfont", properties: ["soundfonts": ["embedded"]])
        let sine = try graph.add(source: "sine") { io in
            let step = 440 / io.sampleRate, start = Double(io.sampleTime.rawValue)
            for side in 0..<2 {
                for i in 0..<io.frames { io.output(0, side)[i] = 0.1 * Float(sin(2 * .pi * (start + Double(i)) * step)) }
            }
            return .sounding
        }
        let mixer = try graph.add(MultichannelMixer.self, inputs: 3)
        try graph.chain(player, reverb, mixer)
        try graph.connect(synth, to: mixer[1])
        try graph.connect(sine, to: mixer[2])
        try graph.setOutput(mixer)
        return (player, reverb, synth)
    }
    // The default device is `engine.start()`; here there is none.
    if folder.isEmpty { try engine.start() }
    try engine.start(on: .offline)
    engine[reverb].mix = 40
    let mix = try engine.value("reverb.mix")
    expect(mix == 40, "the mix is \(mix) %")
    try engine.ramp(Reverb.Parameter.mix, to: 10, of: reverb, over: .seconds(2))
    try engine.send(.noteOn(key), to: synth, after: .seconds(1))
    try player.play(at: SampleTime(pulses * 4_800))
    let sound = try engine.render(for: .seconds(2))
    expect(engine.now - 5 == SampleTime(95_995), "now is \(engine.now)")
    expect(abs(frequency(sound[0][0..<14_000]) - 440) < 2, "no 440 Hz")
    expect(level(sound[0][60_000..<90_000]) > level(sound[0][0..<14_000]), "the note is not heard")
    try engine.stop()
    // Simulated time by durations.
    let port = SimulatedPort()
    try engine.start(on: .simulated(port))
    port.advance(.seconds(2))
    expect(port.played[0].count >= 95_000, "\(port.played[0].count) frames")
    print("first lines: \(sound[0].count) frames")
}

try firstLines(in: CommandLine.arguments[1])
