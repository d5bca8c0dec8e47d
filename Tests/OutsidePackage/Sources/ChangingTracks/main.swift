import Carillon
import Hearing

let engine = Engine(sampleRate: 48_000)
try engine.edit { graph in
    let square = try graph.add(SquareWave.self, startValues: ["release": 0.005])
    try graph.route(part: 0, to: square)
    try graph.setOutput(square)
}
// A loop of one beat that changes while it sounds, and a melody that is muted and comes back.
var beat = Song.Arrangement.Track(name: "beat"), melody = Song.Arrangement.Track(name: "melody")
beat.add(note: 57, at: 0, length: 0.5)
beat.loop = Song.Arrangement.Loop(0..<1)
melody.add(note: 69, at: 4, length: 8)
let tracks = try SongPlayback.Tracks(Song.Arrangement(tracks: [beat, melody]), on: engine)
try tracks.play()
try engine.start(on: .offline)
var sound = try engine.render(for: .seconds(2.25))[0]    // at 120 quarter notes a minute a beat is half a second
try tracks.edit { $0.tracks[1].isMuted = true }    // its note ends here
try tracks.edit(at: SampleTime(144_000)) { arrangement in
    arrangement.tracks[0].clear(0..<1)
    arrangement.tracks[0].add(note: 81, at: 0.5, length: 0.25)
    arrangement.tempoTrack.add(Song.Arrangement.Event(0, .tempo(60)))
}
sound += try engine.render(for: .seconds(3))[0]
let turns = tracks.takeReports().map { $0.time.rawValue }
expect(abs(frequency(sound[26_000..<35_000]) - 220) < 1, "not the loop's note")
expect(
    onsets(Array(sound[144_000...])) == [24_000, 72_000], "at 60 a minute from second 3 on: \(onsets(Array(sound[144_000...])))")
expect(turns == [24_000, 48_000, 72_000, 96_000, 120_000, 144_000, 192_000, 240_000], "turns on \(turns)")
print("changing tracks: the loop turned on \(turns)")
