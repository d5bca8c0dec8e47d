import Carillon
import Hearing

// The six ways to host units. Simulated time here; with .device("default") instead, a sound card.
func microphone(_ frame: Int, _ channel: Int) -> Float { sine(SampleTime(Int64(frame)), 440) }

/// An engine on simulated time, with a tone at the microphone, after a second.
func hosted(_ build: (inout Graph) throws -> Void) throws -> [Float] {
    let engine = Engine(sampleRate: 48_000), port = SimulatedPort()
    port.captures = microphone
    try engine.edit(build)
    try engine.start(on: .simulated(port))
    port.advance(seconds: 1)
    try engine.stop()
    return Array(port.played[0].dropFirst(24_000))
}

// 1. Pass-through: what is captured is played.
let through = try hosted { graph in try graph.setOutput(graph.add(DeviceInput.self)) }
expect(abs(level(through) / 0.1414 - 1) < 0.01, "what is captured is not played: \(level(through))")

// 2. Input and output without a callback: units of the catalogue stand between.
let shifted = try hosted { graph in
    let input = try graph.add(DeviceInput.self)
    let modulator = try graph.add(RingModulator.self, startValues: ["frequency": 220, "mix": 100])
    try graph.chain(input, modulator)
    try graph.setOutput(modulator)
}
expect(abs(level(shifted) / 0.1 - 1) < 0.02, "440 Hz times 220 Hz has a level of \(level(shifted))")

// 3. Input and output with a callback: a closure makes the sound out of what is captured.
let halved = try hosted { graph in
    let input = try graph.add(DeviceInput.self)
    let half = try graph.add(effect: "half") { io in
        for channel in 0..<2 { for i in 0..<io.frames { io.output(0, channel)[i] = 0.5 * io.input(0, channel)[i] } }
        return .sounding
    }
    try graph.chain(input, half)
    try graph.setOutput(half)
}
expect(abs(level(halved) / 0.0707 - 1) < 0.01, "half of it has a level of \(level(halved))")

// 4. Output only, with a callback: a closure makes the sound out of nothing but the time.
let square = try hosted { graph in try graph.setOutput(graph.add(source: "square") { io in
    for channel in 0..<2 {
        for i in 0..<io.frames { io.output(0, channel)[i] = (io.sampleTime + i).rawValue / 100 % 2 == 0 ? 0.2 : -0.2 }
    }
    return .sounding
}) }
expect(frequency(square).rounded() == 240, "the callback's tone is \(frequency(square)) Hz")

// 5. Input only: a tap hears what is captured, nothing is played.
let engine = Engine(sampleRate: 48_000), port = SimulatedPort()
port.captures = microphone
let input = try engine.edit { graph in
    let input = try graph.add(DeviceInput.self)
    try graph.setOutput(graph.add(MultichannelMixer.self))
    return input
}
let tap = try engine.tap(input, seconds: 2)
try engine.start(on: .simulated(port))
port.advance(seconds: 1)
let captured = Array(tap.read().flatMap { $0.channels[0] }.dropFirst(12_000))
expect(frequency(captured).rounded() == 440, "the tap hears \(frequency(captured)) Hz")
expect(level(port.played[0]) == 0, "something is played")
try engine.stop()

// 6. Offline: the program pulls sound, as fast as it can be made.
try engine.edit { graph in try graph.setOutput(graph.add(Oscillator.self, startValues: ["frequency": 880])) }
try engine.start(on: .offline)
let pulled = try engine.render(frames: 48_000)[0]
expect(frequency(pulled).rounded() == 880, "offline it is \(frequency(pulled)) Hz")
print("hosting patterns: six of six")
