import Carillon
import Hearing

// A keyboard through a filter of one's own: a fifth higher, and what is held when the filter changes still ends.
let engine = Engine(sampleRate: 48_000), port = SimulatedPort()
try engine.edit { graph in
    let square = try graph.add(SquareWave.self, startValues: ["release": 0.01])
    try graph.route(part: 0, to: square)
    try graph.setOutput(square)
}
var interval = 7
var sounding: [UInt8: UInt8] = [:]                      // what each key that is down has become
@MainActor func play(_ status: UInt8, _ key: UInt8) throws {
    let isDown = status == 0x90
    let played = isDown ? UInt8(Int(key) + interval) : sounding[key] ?? key
    sounding[key] = isDown ? played : nil
    try engine.send(.message(MIDIMessage(status: status, data1: played, data2: 100)))
}
try engine.start(on: .simulated(port))
try play(0x90, 69)
port.advance(seconds: 1)
interval = 0
try play(0x80, 69)
port.advance(seconds: 1)
try play(0x90, 69)
port.advance(seconds: 1)
let heard = [frequency(port.played[0][4_800..<43_200]), frequency(port.played[0][100_000..<143_000])]
expect(abs(heard[0] - 659.255) < 0.5 && abs(heard[1] - 440) < 0.5, "heard \(heard) Hz, not 659 and 440")
expect(port.played[0][52_000..<96_000].allSatisfy { $0 == 0 }, "a note hangs")
print("filtered keyboard: \(heard.map { $0.rounded() }) Hz, no note hangs")
