import Carillon
import Corpus
import Foundation
import Hearing

// Three songs of one note, and a manifest with a job on each line.
let folder = CommandLine.arguments[1]
var manifest = ""
for key in [60, 64, 67] as [UInt8] {
    let down = MIDIMessage(status: 0x90, data1: key, data2: 100), up = MIDIMessage(status: 0x80, data1: key)
    let events = [SongEvent(tick: 0, .message(down)), SongEvent(tick: 960, .message(up))]
    let song = Song(division: .ticksPerQuarter(480), tracks: [Track(name: "note", events: events, endTick: 960)])
    try SongWriter.write(song, path: "\(folder)/\(key).mid")
    manifest += #"{"song": "\#(folder)/\#(key).mid", "label": \#(key)}"# + "\n"
}
try manifest.write(toFile: "\(folder)/jobs.jsonl", atomically: true, encoding: .utf8)

// A job: its song at the tempo that the recipe drew.
func render(_ job: BatchOrder, into folder: String) throws -> BatchResult {
    var options = RenderOptions()
    options.passage.tempo = job.fields["tempo"]?.number ?? 1
    let renderer = try SongRenderer(SongReader.read(path: job.song).song, options: options)
    let path = "\(folder)/\(job.key).wav"
    let file = try AudioFileWriter(path: path, format: AudioFileFormat(.wav), channels: 2, sampleRate: 48_000)
    let report = try renderer.render { (channels, frames) throws(AudioFileError) in try file.write(channels, frames: frames) }
    try file.finish()
    return BatchResult(path: path, duration: report.duration, facts: ["notes": .whole(report.notesPlayed)])
}

// All of them on two threads. The second time they are there, with their rows, under the hashes of their inputs.
var setup = Batch.Setup()
(setup.jobs, setup.seed, setup.options) = (2, "7", ["tempo"])
setup.recipe = #"{"tempo": {"uniform": [0.5, 2]}}"#
for done in [3, 0] {
    let batch = try Batch(manifest: "\(folder)/jobs.jsonl", folder: "\(folder)/data", setup)
    try batch.run(render)
    expect(batch.tally.done == done && batch.tally.skipped == 3 - done, "\(batch.tally)")
}
print("data set: three sounds with their rows")
