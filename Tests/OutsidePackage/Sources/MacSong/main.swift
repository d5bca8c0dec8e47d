import AVFoundation
import Hearing

// A Mac's program as it is. It finds piano.sf2 and song.mid beside it, and plays into the file that CARILLON_OUTPUT names.
chdir(CommandLine.arguments[1])
setenv("CARILLON_OUTPUT", "mac-song.wav", 1)
let writer = AVAudioSequencer(), track = writer.createAndAppendTrack()
for (beat, key) in [(0.5, 69), (2, 57)] as [(Double, UInt32)] {
    track.addEvent(AVMIDINoteEvent(channel: 0, key: key, velocity: 100, duration: 1), at: beat)
}
try writer.write(to: URL(fileURLWithPath: "song.mid"), smpteResolution: 480, replaceExisting: true)

let engine = AVAudioEngine(), sampler = AVAudioUnitSampler(), sequencer = AVAudioSequencer(audioEngine: engine)
engine.attach(sampler)
engine.connect(sampler, to: engine.mainMixerNode, format: nil)
try sampler.loadSoundBankInstrument(at: URL(fileURLWithPath: "piano.sf2"), program: 0, bankMSB: 0x79, bankLSB: 0)
try sequencer.load(from: URL(fileURLWithPath: "song.mid"), options: [])
try engine.start()
try sequencer.start()
Thread.sleep(forTimeInterval: sequencer.tracks[0].lengthInSeconds)

engine.stop()
let sound = try recording("mac-song.wav"), first = sound.firstIndex { abs($0) > 0.003 } ?? 0
let tones = [first, first + 36_000].map { pitch(sound[$0..<min($0 + 20_000, sound.count)], near: [440, 220]) }
expect(tones == [440, 220], "the song's tones are \(tones)")
print("mac song: \(tones) Hz")
