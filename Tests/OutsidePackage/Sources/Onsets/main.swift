import Carillon
import Hearing

// Three notes on frames of one's choice, offline, in slices of any length.
let times: [Int64] = [1_000, 17_777, 33_333]
@MainActor func render(slice: Int) throws -> [Float] {
    let engine = Engine(sampleRate: 48_000, maximumFrames: slice)
    let square = try engine.edit { graph in
        let square = try graph.add(SquareWave.self, startValues: ["release": 0.01])
        try graph.setOutput(square)
        return square
    }
    for (key, time) in zip([60, 64, 67] as [UInt8], times) {
        try engine.send(.noteOn(key), to: square, at: SampleTime(time))
        try engine.send(.noteOff(key), to: square, at: SampleTime(time + 4_800))
    }
    try engine.start(on: .offline)
    return try engine.render(frames: 48_000)[0]
}
let sound = try render(slice: 512)
expect(onsets(sound) == times.map { Int($0) }, "notes began on \(onsets(sound)), not on \(times)")
for slice in [1, 100, 4096] {
    expect(try render(slice: slice) == sound, "slices of \(slice) frames sound otherwise than slices of 512")
}
print("onsets: \(onsets(sound)), bit for bit the same in slices of 1, 100, 512 and 4096 frames")
