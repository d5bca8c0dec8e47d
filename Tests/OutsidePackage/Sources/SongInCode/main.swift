import Carillon
import Hearing

// A song in code: three notes at 120 quarters a minute, played and written as a file.
var events = [SongEvent(tick: 0, .tempo(microsecondsPerQuarter: 500_000))]
for (beat, key) in ([69, 76, 81] as [UInt8]).enumerated() {
    let down = MIDIMessage(status: 0x90, data1: key, data2: 100), up = MIDIMessage(status: 0x80, data1: key)
    events.append(SongEvent(tick: Int64(beat) * 480, .message(down)))
    events.append(SongEvent(tick: Int64(beat) * 480 + 440, .message(up)))
}
let song = Song(division: .ticksPerQuarter(480), tracks: [Track(name: "three notes", events: events, endTick: 1440)])
let engine = Engine(sampleRate: 48_000)
try engine.edit { graph in
    let square = try graph.add(SquareWave.self)
    try graph.route(part: 0, to: square)
    try graph.setOutput(square)
}
let playback = try engine.play(song: song)
try engine.start(on: .offline)
let sound = try engine.render(frames: 72_000)[0]
let heard = (0..<3).map { frequency(sound[$0 * 24_000 + 2_400..<$0 * 24_000 + 21_600]) }
expect(zip(heard, [440, 659.255, 880]).allSatisfy { abs($0 - $1) < 0.5 }, "heard \(heard) Hz")
let path = CommandLine.arguments[1] + "/three-notes.mid"
try SongWriter.write(song, path: path)
let copy = try Timeline(SongReader.read(path: path).song, sampleRate: 48_000)
expect(copy.events == playback.timeline.events, "the file says something else than the song")
print("song in code: \(heard.map { $0.rounded() }) Hz, and the same from its file")
