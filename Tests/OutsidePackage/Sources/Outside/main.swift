import Carillon

// A song becomes a file.
let arguments = CommandLine.arguments       // Outside SONG.mid SONG.wav CHORD.wav
let renderer = try SongRenderer(SongReader.read(path: arguments[1]).song, options: RenderOptions())
let song = try AudioFileWriter(
    path: arguments[2], format: AudioFileFormat(.wav), channels: 2, sampleRate: 48_000)
_ = try renderer.render { (channels, frames) throws(AudioFileError) in try song.write(channels, frames: frames) }
try song.finish()

// A chord of square waves, two seconds, from a graph of one unit.
let engine = Engine(sampleRate: 48_000, maximumFrames: 512)
let square = try engine.edit { graph in
    let node = try graph.add(SquareWave.self)
    try graph.setOutput(node)
    return node
}
for (key, time) in [(60, 0), (64, 4_800), (67, 9_600)] as [(UInt8, Int64)] {
    let note = MIDIMessage(status: 0x90, data1: key, data2: 100)
    try engine.send(.message(note), to: square, at: SampleTime(time))
}
let output = try engine.offlineOutput(frames: 512)
let chord = try AudioFileWriter(
    path: arguments[3], format: AudioFileFormat(.wav, encoding: .float32), channels: 2, sampleRate: 48_000)
for _ in 0..<188 {
    output.pull(512)
    try chord.write(output.buffer.planes.map { UnsafePointer($0) }, frames: 512)
}
try chord.finish()
