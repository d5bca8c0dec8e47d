import Carillon
import Hearing

// A keyboard through a filter: a fifth higher, and what is held when the filter goes still ends.
let engine = Engine(sampleRate: 48_000), port = SimulatedPort()
try engine.edit { graph in
    let square = try graph.add(SquareWave.self, startValues: ["release": 0.01])
    try graph.route(part: 0, to: square)
    try graph.setOutput(square)
}
engine.midi.filter = TransposeFilter(semitones: 7)
try engine.start(on: .simulated(port))
try engine.midi.send(.noteOn(69))
port.advance(seconds: 1)
engine.midi.filter = nil
try engine.midi.send(.noteOff(69))
port.advance(seconds: 1)
try engine.midi.send(.noteOn(69))
port.advance(seconds: 1)
let heard = [frequency(port.played[0][4_800..<43_200]), frequency(port.played[0][100_000..<143_000])]
expect(abs(heard[0] - 659.255) < 0.5 && abs(heard[1] - 440) < 0.5, "heard \(heard) Hz, not 659 and 440")
expect(port.played[0][52_000..<96_000].allSatisfy { $0 == 0 }, "a note hangs")
print("filtered keyboard: \(heard.map { $0.rounded() }) Hz, no note hangs")
