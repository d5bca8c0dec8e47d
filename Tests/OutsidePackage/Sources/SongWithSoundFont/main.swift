import Carillon
import Hearing

// A song through a SoundFont and an effect of one's own. The SoundFont has one output, on which all its channels are heard.
let notes = (0..<16).map { channel in
    SongEvent(tick: Int64(channel) * 480, .message(MIDIMessage(status: 0x90 | UInt8(channel), data1: 60, data2: 100)))
}
let song = Song(division: .ticksPerQuarter(480), tracks: [Track(name: "a note a beat", events: notes, endTick: 7_680)])
let engine = Engine(sampleRate: 48_000)
try engine.edit { graph in
    let soundFont = try graph.add(named: "soundfont", properties: ["soundfonts": .text("embedded")])    // or a path
    let mine = try graph.add(effect: "mine") { io in
        for side in 0..<2 { for i in 0..<io.frames { io.output(0, side)[i] = 0.5 * io.input(0, side)[i] } }
        return .sounding
    }
    for channel in 0..<16 { try graph.route(part: channel, to: soundFont) }
    try graph.chain(soundFont, mine)
    try graph.setOutput(mine)
}
try engine.play(song: song)    // or the path of a MIDI file
try engine.start(on: .offline)
var heard: [Int] = []
for channel in 1...16 where try level(engine.render(frames: 24_000)[0]) > 0.0002 { heard.append(channel) }
expect(heard == Array(1...16), "only channels \(heard) are heard")
print("song with a SoundFont: channels \(heard)")
