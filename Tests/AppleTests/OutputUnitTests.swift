import AVFoundation
import EngineCore
import Synchronization
import Testing
import Units

@testable import AudioFiles
@testable import CoreAudio

/// Output units on what the environment names: one test after the other.
@Suite(.serialized) struct OutputUnitTests {
    @Test func fileOutputHoldsWhatACallbackMade() throws {
        let folder = try SoundFolder(), path = folder.path + "/out.wav"
        setenv("CARILLON_OUTPUT", path, 1)
        defer { unsetenv("CARILLON_OUTPUT") }
        let output = try RenderedUnit(kAudioUnitType_Output, kAudioUnitSubType_DefaultOutput),
            source = SineSource(pcm(32, float, planar: true))
        output.listen(SineSource.proc, source.pointer)
        #expect(AudioOutputUnitStart(output.unit) == kAudioUnitErr_Uninitialized)
        #expect(AudioUnitInitialize(output.unit) == noErr)
        #expect(AudioOutputUnitStart(output.unit) == noErr)
        #expect(output.get(kAudioOutputUnitProperty_IsRunning, 0, 0, UInt32(0)).1 == 1)
        usleep(200_000)
        #expect(AudioOutputUnitStop(output.unit) == noErr)
        #expect(AudioUnitUninitialize(output.unit) == noErr)
        let sound = try folder.read("out.wav")[0]
        #expect(sound.count > 4_410)
        #expect(sound.indices.allSatisfy { abs(Double(sound[$0]) - SineSource.value($0, 44_100)) < 1.6e-5 })
    }

    /// A player without a graph: what it plays is whole in the file once it is disposed of.
    @Test func aPlayerWithoutAGraphHasTheOutput() throws {
        let folder = try SoundFolder(), path = folder.path + "/out.wav", music = try Music(notes: [(0, 69)], length: 1)
        setenv("CARILLON_OUTPUT", path, 1)
        defer { unsetenv("CARILLON_OUTPUT") }
        var made: MusicPlayer?
        NewMusicPlayer(&made)
        let player = try #require(made)
        #expect(MusicPlayerSetSequence(player, music.sequence) == noErr && MusicPlayerStart(player) == noErr)
        var beat = 0.0
        for _ in 0..<300 where beat < 0.5 {
            usleep(10_000)
            MusicPlayerGetTime(player, &beat)
        }
        #expect(DisposeMusicPlayer(player) == noErr)
        let sound = try folder.read("out.wav")[0]
        #expect(sound.count > 10_000 && sound.map(abs).max() ?? 0 > 0.005)
    }

    @Test func eachOutputOfOneNameHasAFile() throws {
        let folder = try SoundFolder(), path = folder.path + "/out.caf"
        let isSound = ["/tmp/a.WAV", "b.caf", "c.aif", "d.opus"], isNone = ["default", "hw:0", "hw:0.1", "null", "wav", "a.txt"]
        #expect(isSound.allSatisfy(DeviceRun.isFile) && !isNone.contains(where: DeviceRun.isFile))
        let runs = (0..<3).map { _ in (DeviceRun(), Engine(sampleRate: 48_000)) }
        for (run, engine) in runs {
            let node = try engine.edit { graph in
                let node = try graph.add(MultichannelMixer.self, inputs: 1)
                try graph.setOutput(node)
                return node
            }
            try run.start(engine, node, on: path) {}
            #expect(run.isRunning && engine.isRunning)
        }
        for (run, engine) in runs { run.end(engine) }
        #expect(runs.allSatisfy { !$0.0.isRunning && !$0.1.isRunning })
        #expect(["out", "out-2", "out-3"].allSatisfy { FileManager.default.fileExists(atPath: "\(folder.path)/\($0).caf") })
    }

    /// The square wave of the talk: an output unit as an object, formats of its buses, a block.
    @Test(arguments: [kAudioUnitSubType_DefaultOutput, kAudioUnitSubType_HALOutput, kAudioUnitSubType_RemoteIO])
    func outputProviderIsHeard(_ subtype: OSType) throws {
        let folder = try SoundFolder(), path = folder.path + "/square.wav"
        setenv("CARILLON_OUTPUT", path, 1)
        defer { unsetenv("CARILLON_OUTPUT") }
        let description = AudioComponentDescription(
            componentType: kAudioUnitType_Output, componentSubType: subtype,
            componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0, componentFlagsMask: 0)
        let unit = try AUAudioUnit(componentDescription: description)
        let hardware = unit.outputBusses[0].format
        let format = try #require(
            AVAudioFormat(standardFormatWithSampleRate: hardware.sampleRate, channels: min(2, hardware.channelCount)))
        try unit.inputBusses[0].setFormat(format)
        let rate = format.sampleRate, period = Int(rate / 441)
        #expect(Double(period) == rate / 441 && period % 2 == 0)
        unit.outputProvider = { _, stamp, frames, bus, list in
            let first = Int(stamp.pointee.mSampleTime)
            for buffer in UnsafeMutableAudioBufferListPointer(list) {
                let samples = UnsafeMutableBufferPointer<Float>(buffer)
                for frame in 0..<Int(frames) { samples[frame] = (first + frame) % period < period / 2 ? 0.25 : -0.25 }
            }
            return bus == 0 ? noErr : kAudioUnitErr_InvalidElement
        }
        #expect(unit.canPerformOutput && unit.canPerformInput == (subtype != kAudioUnitSubType_DefaultOutput))
        #expect(throws: NSError.self) { try unit.startHardware() }
        try unit.allocateRenderResources()
        try unit.startHardware()
        #expect(unit.isRunning)
        usleep(300_000)
        unit.stopHardware()
        #expect(!unit.isRunning)
        unit.deallocateRenderResources()
        let sound = try folder.read("square.wav")[0], whole = Array(sound.prefix(sound.count / period * period))
        #expect(whole.count > period * 40)
        #expect(whole.indices.allSatisfy { abs(whole[$0] - ($0 % period < period / 2 ? 0.25 : -0.25)) < 1.6e-5 })
        #expect(abs(whole.reduce(0, +)) / Float(whole.count) < 1e-5)
        #expect(abs(whole.frequency(rate: rate, near: 441) - 441) < 0.1)
    }

    /// The device that a program has chosen for an engine, in place of the environment's.
    @Test func engineTakesTheDeviceOfItsOutputNode() throws {
        let folder = try SoundFolder(), path = folder.path + "/chosen.wav"
        setenv("CARILLON_OUTPUT", "hw:NoSuchCard", 1)
        defer { unsetenv("CARILLON_OUTPUT") }
        let engine = AVAudioEngine()
        _ = engine.mainMixerNode
        #expect(throws: NSError.self) { try engine.start() }
        let unit = try #require(engine.outputNode.audioUnit)
        var device: AudioDeviceID = 999
        let size = UInt32(MemoryLayout<AudioDeviceID>.size), property = kAudioOutputUnitProperty_CurrentDevice
        #expect(
            AudioUnitSetProperty(unit, property, kAudioUnitScope_Global, 0, &device, size) == kAudioUnitErr_InvalidPropertyValue)
        device = AudioDevices.number(path)
        #expect(AudioUnitSetProperty(unit, property, kAudioUnitScope_Global, 0, &device, size) == noErr)
        try engine.start()
        engine.stop()
        #expect(FileManager.default.fileExists(atPath: path))
    }

    /// A handler for captured frames, which asks the unit's block for them.
    @Test func inputHandlerGetsTheFramesOfAFile() throws {
        let folder = try SoundFolder()
        try folder.write("in.wav", .wav, .float32, frames: 8_820, channels: 1)
        setenv("CARILLON_OUTPUT", "null", 1)
        setenv("CARILLON_INPUT", folder.path + "/in.wav", 1)
        defer {
            unsetenv("CARILLON_OUTPUT")
            unsetenv("CARILLON_INPUT")
        }
        let unit = try AUAudioUnit(
            componentDescription: AudioComponentDescription(
                componentType: kAudioUnitType_Output, componentSubType: kAudioUnitSubType_HALOutput,
                componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0, componentFlagsMask: 0))
        unit.isInputEnabled = true
        unit.isOutputEnabled = false
        #expect(unit.isInputEnabled && !unit.isOutputEnabled)
        unit.isOutputEnabled = true
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 1))
        try unit.outputBusses[1].setFormat(format)
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 4_096)), heard = Heard()
        let render = unit.renderBlock
        nonisolated(unsafe) let memory = buffer
        unit.inputHandler = { flags, stamp, frames, bus in
            memory.frameLength = frames
            if render(flags, stamp, frames, bus, memory.mutableAudioBufferList, nil) == noErr {
                heard.add(UnsafeBufferPointer(start: memory.floatChannelData?[0], count: Int(frames)), Int64(bus))
            }
        }
        try unit.allocateRenderResources()
        try unit.startHardware()
        for _ in 0..<300 where heard.samples.count < 20_000 { usleep(10_000) }
        unit.stopHardware()
        let samples = heard.samples, tone = SoundFolder.tone(8_820, channels: 1)[0]
        let first = try #require(samples.firstIndex { $0 != 0 })
        #expect((0..<8_000).allSatisfy { abs(samples[first + $0] - tone[$0 + 1]) <= 1.6e-5 } && Set(heard.times) == [1])
    }

    /// Both sides of an output unit in its callbacks; the device `null` captures nothing.
    @Test func callbacksAskForCapturedSound() throws {
        setenv("CARILLON_OUTPUT", "null", 1)
        defer { unsetenv("CARILLON_OUTPUT") }
        final class Seen {
            var unit: AudioUnit?
            var status: [OSStatus] = []
            var count: Int { status.count }
        }
        let seen = Seen(), output = try RenderedUnit(kAudioUnitType_Output, kAudioUnitSubType_RemoteIO)
        seen.unit = output.unit
        let capture: AURenderCallback = { data, flags, stamp, bus, frames, list in
            let seen = Unmanaged<Seen>.fromOpaque(data).takeUnretainedValue()
            let buffers = AudioBufferList.allocate(maximumBuffers: 1)
            defer { free(buffers.unsafeMutablePointer) }
            guard seen.status.count < 20, let unit = seen.unit else { return noErr }
            seen.status.append(AudioUnitRender(unit, flags, stamp, 1, frames, buffers.unsafeMutablePointer))
            seen.status.append(AudioUnitRender(unit, flags, stamp, 1, frames + 1, buffers.unsafeMutablePointer))
            seen.status.append(AudioUnitRender(unit, flags, stamp, 0, frames, buffers.unsafeMutablePointer))
            seen.status.append(AudioOutputUnitStop(unit))
            return noErr
        }
        #expect(output.set(kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, UInt32(1)) == noErr)
        let format = pcm(16, integer, channels: 1)
        #expect(output.set(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 1, format) == noErr)
        #expect(
            output.set(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 1, format) == kAudioUnitErr_PropertyNotWritable)
        let callback = AURenderCallbackStruct(inputProc: capture, inputProcRefCon: Unmanaged.passUnretained(seen).toOpaque())
        #expect(output.set(kAudioOutputUnitProperty_SetInputCallback, 0, 0, callback) == noErr)
        #expect(AudioUnitInitialize(output.unit) == noErr && AudioOutputUnitStart(output.unit) == noErr)
        for _ in 0..<300 where seen.count < 4 { usleep(10_000) }
        #expect(AudioOutputUnitStop(output.unit) == noErr)
        let cannot = kAudioUnitErr_CannotDoInCurrentContext
        #expect(Array(seen.status.prefix(4)) == [noErr, kAudioUnitErr_TooManyFramesToProcess, cannot, cannot])
    }

    /// A file in place of a microphone: what a callback gets of element 1 is the file.
    @Test func inputCallbackGetsTheFramesOfAFile() throws {
        let folder = try SoundFolder()
        try folder.write("in.wav", .wav, .float32, frames: 8_820, channels: 1)
        setenv("CARILLON_OUTPUT", "null", 1)
        setenv("CARILLON_INPUT", folder.path + "/in.wav", 1)
        defer {
            unsetenv("CARILLON_OUTPUT")
            unsetenv("CARILLON_INPUT")
        }
        final class Heard {
            var unit: AudioUnit?
            let samples = UnsafeMutablePointer<Int16>.allocate(capacity: 65_536)
            let count = Atomic<Int>(0)
            deinit { samples.deallocate() }
        }
        let heard = Heard(), input = try RenderedUnit(kAudioUnitType_Output, kAudioUnitSubType_HALOutput)
        heard.unit = input.unit
        let capture: AURenderCallback = { data, flags, stamp, bus, frames, _ in
            let heard = Unmanaged<Heard>.fromOpaque(data).takeUnretainedValue(), count = heard.count.load(ordering: .relaxed)
            guard let unit = heard.unit, count < 60_000 else { return noErr }
            var list = AudioBufferList(
                mNumberBuffers: 1,
                mBuffers: AudioBuffer(mNumberChannels: 1, mDataByteSize: 2 * frames, mData: heard.samples + count))
            // The bus of the callback is that of the device's input.
            let status = AudioUnitRender(unit, flags, stamp, bus, frames, &list)
            if status == noErr { heard.count.store(count + Int(frames), ordering: .releasing) }
            return status
        }
        #expect(input.set(kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, UInt32(1)) == noErr)
        #expect(input.set(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 1, pcm(16, integer, channels: 1)) == noErr)
        let callback = AURenderCallbackStruct(inputProc: capture, inputProcRefCon: Unmanaged.passUnretained(heard).toOpaque())
        #expect(input.set(kAudioOutputUnitProperty_SetInputCallback, 0, 2, callback) == kAudioUnitErr_InvalidElement)
        #expect(input.set(kAudioOutputUnitProperty_SetInputCallback, 0, 1, callback) == noErr)
        #expect(AudioUnitInitialize(input.unit) == noErr && AudioOutputUnitStart(input.unit) == noErr)
        for _ in 0..<300 where heard.count.load(ordering: .acquiring) < 20_000 { usleep(10_000) }
        #expect(AudioOutputUnitStop(input.unit) == noErr)
        let samples = (0..<heard.count.load(ordering: .acquiring)).map { heard.samples[$0] }
        let first = try #require(samples.firstIndex { $0 != 0 }), tone = SoundFolder.tone(8_820, channels: 1)[0]
        #expect((0..<8_000).allSatisfy { abs(Float(samples[first + $0]) - tone[$0 + 1] * 32_768) <= 0.51 })
    }

    @Test func withoutTheDeviceTheCodeIsApples() throws {
        setenv("CARILLON_OUTPUT", "hw:NoSuchCard", 1)
        defer { unsetenv("CARILLON_OUTPUT") }
        let output = try RenderedUnit(kAudioUnitType_Output, kAudioUnitSubType_DefaultOutput)
        #expect(AudioUnitInitialize(output.unit) == noErr)
        #expect(AudioOutputUnitStart(output.unit) == kAudioHardwareBadDeviceError)
        #expect(output.get(kAudioOutputUnitProperty_IsRunning, 0, 0, UInt32(1)).1 == 0)
        var address = AudioObjectPropertyAddress(
            mSelector: kAudioHardwarePropertyDefaultOutputDevice, mScope: kAudioObjectPropertyScopeGlobal,
            mElement: kAudioObjectPropertyElementMain)
        var device = kAudioObjectUnknown, size: UInt32 = 4
        #expect(AudioObjectGetPropertyData(kAudioObjectSystemObject, &address, 0, nil, &size, &device) == noErr)
        #expect(device != kAudioObjectUnknown)
        address.mSelector = kAudioDevicePropertyNominalSampleRate
        var rate = 0.0
        #expect(AudioObjectGetPropertyData(device, &address, 0, nil, &size, &rate) == kAudioHardwareBadPropertySizeError)
        size = 8
        #expect(AudioObjectGetPropertyData(device, &address, 0, nil, &size, &rate) == noErr && rate == 48_000)
        #expect(AudioObjectGetPropertyData(999, &address, 0, nil, &size, &rate) == kAudioHardwareBadObjectError)
        #expect(AudioObjectSetPropertyData(device, &address, 0, nil, 8, &rate) == kAudioHardwareUnsupportedOperationError)
    }
}
