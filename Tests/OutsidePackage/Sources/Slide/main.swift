import Carillon
import Hearing

// 440 Hz on the left, 660 Hz on the right, three seconds: on a sound card with .device("default").
let engine = Engine(sampleRate: 48_000), port = SimulatedPort()
func square(_ t: SampleTime, _ hertz: Int64) -> Float { t.rawValue * hertz * 2 / 48_000 % 2 == 0 ? 0.2 : -0.2 }
try engine.edit { graph in try graph.setOutput(graph.add(source: "slide") { io in
    for i in 0..<io.frames {
        io.output(0, 0)[i] = square(io.sampleTime + i, 440)
        io.output(0, 1)[i] = square(io.sampleTime + i, 660)
    }
    return .sounding
}) }
try engine.start(on: .simulated(port))
port.advance(seconds: 3)
expect(port.played.map { frequency($0).rounded() } == [440, 660], "not the slide's two tones")
print("slide: \(port.played.map { frequency($0).rounded() }) Hz")
