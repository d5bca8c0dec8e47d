import AVFoundation
import Hearing

// In the manner of the talk that began this project: an AUAudioUnit plays a square wave, into the file of CARILLON_OUTPUT.
let path = CommandLine.arguments[1] + "/mac-square.wav"
setenv("CARILLON_OUTPUT", path, 1)
let description = AudioComponentDescription(
    componentType: kAudioUnitType_Output, componentSubType: kAudioUnitSubType_HALOutput,
    componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0, componentFlagsMask: 0)
let audioUnit = try AUAudioUnit(componentDescription: description)
let hardwareFormat = audioUnit.outputBusses[0].format
let renderFormat = AVAudioFormat(
    standardFormatWithSampleRate: hardwareFormat.sampleRate, channels: min(2, hardwareFormat.channelCount))!
try audioUnit.inputBusses[0].setFormat(renderFormat)
var phase = 0.0
let step = 440 / renderFormat.sampleRate
audioUnit.outputProvider = { actionFlags, timestamp, frameCount, busIndex, rawBufferList -> AUAudioUnitStatus in
    let bufferList = UnsafeMutableAudioBufferListPointer(rawBufferList)
    for frame in 0..<Int(frameCount) {
        for buffer in bufferList { UnsafeMutableBufferPointer<Float>(buffer)[frame] = phase < 0.5 ? 0.25 : -0.25 }
        phase += step
        if phase >= 1 { phase -= 1 }
    }
    return noErr
}
try audioUnit.allocateRenderResources()
try audioUnit.startHardware()
sleep(1)
audioUnit.stopHardware()
audioUnit.deallocateRenderResources()

let wave = try recording(path), hertz = frequency(wave) * renderFormat.sampleRate / 48_000
expect(abs(hertz - 440) < 0.1, "\(hertz) Hz")
expect(wave.allSatisfy { abs(abs($0) - 0.25) < 1e-4 }, "the wave is not square")
expect(abs(wave.reduce(0, +)) / Float(wave.count) < 1e-3, "the wave does not lie in the middle")
print("mac square: \(hertz) Hz")
