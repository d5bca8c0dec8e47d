import AVFoundation
import Hearing

// In the manner of a Mac's signal generators: a source node makes 440 Hz, into the file that CARILLON_OUTPUT names.
let path = CommandLine.arguments[1] + "/mac-tone.wav"
setenv("CARILLON_OUTPUT", path, 1)
let engine = AVAudioEngine()
let outputFormat = engine.outputNode.inputFormat(forBus: 0), step = 2 * Float.pi * 440 / Float(outputFormat.sampleRate)
let inputFormat = AVAudioFormat(
    commonFormat: outputFormat.commonFormat, sampleRate: outputFormat.sampleRate, channels: 1,
    interleaved: outputFormat.isInterleaved)
var phase: Float = 0
let source = AVAudioSourceNode { _, _, frameCount, audioBufferList -> OSStatus in
    let buffers = UnsafeMutableAudioBufferListPointer(audioBufferList)
    for frame in 0..<Int(frameCount) {
        let value = sin(phase)
        phase += step
        if phase >= 2 * .pi { phase -= 2 * .pi }
        for buffer in buffers { UnsafeMutableBufferPointer<Float>(buffer)[frame] = value }
    }
    return noErr
}
engine.attach(source)
engine.connect(source, to: engine.mainMixerNode, format: inputFormat)
engine.connect(engine.mainMixerNode, to: engine.outputNode, format: outputFormat)
engine.mainMixerNode.outputVolume = 0.5
try engine.start()
CFRunLoopRunInMode(.defaultMode, 1, false)
engine.stop()

let tone = try recording(path), steady = tone.dropFirst(9_600)
expect(abs(frequency(steady) - 440) < 0.1, "\(frequency(steady)) Hz")
expect(abs(level(steady) - 0.3536) < 0.01, "the tone's level is \(level(steady))")
print("mac tone: \(frequency(steady)) Hz")
