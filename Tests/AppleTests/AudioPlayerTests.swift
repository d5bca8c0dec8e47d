import AVFoundation
import Testing

/// What takes real time: parts of a second on a device that plays nothing.
extension OutputUnitTests {
    @Test func aFileIsAnOutput() throws {
        let folder = try SoundFolder(), path = folder.path + "/out.wav"
        setenv("CARILLON_OUTPUT", path, 1)
        defer { unsetenv("CARILLON_OUTPUT") }
        try folder.write("a.wav", .wav, nil, frames: 4_410, channels: 2)
        let file = try AVAudioFile(forReading: folder.url("a.wav") as URL)
        let engine = AVAudioEngine(), player = AVAudioPlayerNode(), ended = DispatchSemaphore(value: 0)
        engine.attach(player)
        engine.connect(player, to: engine.mainMixerNode, format: file.processingFormat)
        player.scheduleFile(file, at: nil, completionCallbackType: .dataPlayedBack) { _ in ended.signal() }
        try engine.start()
        #expect(engine.isRunning && engine.outputNode.presentationLatency > 0)
        player.play()
        #expect(ended.wait(timeout: .now() + 5) == .success)
        let time = try #require(player.lastRenderTime)
        #expect(time.isHostTimeValid && time.sampleRate == 44_100)
        engine.stop()
        #expect(!engine.isRunning && !player.isPlaying)
        let sound = try AVAudioFile(forReading: URL(fileURLWithPath: path))
        let buffer = try #require(
            AVAudioPCMBuffer(pcmFormat: sound.processingFormat, frameCapacity: AVAudioFrameCount(sound.length)))
        try sound.read(into: buffer)
        let samples = [Float](UnsafeBufferPointer(start: buffer.floatChannelData?[0], count: Int(buffer.frameLength)))
        let first = try #require(samples.firstIndex { $0 != 0 })
        #expect(sound.processingFormat.sampleRate == 48_000 && abs(samples.peak - 0.5) < 0.01)
        let rest = samples.dropFirst(first)
        #expect(
            rest.dropFirst(4_900).allSatisfy { abs($0) < 1e-3 } && rest.dropFirst(4_700).prefix(90).contains { abs($0) > 0.1 })
    }

    @Test func aTapAloneHearsTheInput() async throws {
        let folder = try SoundFolder()
        try folder.write("a.wav", .wav, nil, frames: 4_410, channels: 2)
        setenv("CARILLON_OUTPUT", "null", 1)
        setenv("CARILLON_INPUT", folder.path + "/a.wav", 1)
        defer {
            unsetenv("CARILLON_OUTPUT")
            unsetenv("CARILLON_INPUT")
        }
        let engine = AVAudioEngine(), heard = Heard()
        engine.inputNode.installTap(onBus: 0, bufferSize: 512, format: nil) { buffer, time in
            heard.add(UnsafeBufferPointer(start: buffer.floatChannelData?[0], count: Int(buffer.frameLength)), time.sampleTime)
        }
        try engine.start()
        for _ in 0..<200 where heard.samples.count < 6_000 { try await Task.sleep(for: .milliseconds(10)) }
        engine.stop()
        #expect(heard.samples.peak > 0.4)
    }

    @Test func aPlayerPlaysRounds() async throws {
        setenv("CARILLON_OUTPUT", "null", 1)
        defer { unsetenv("CARILLON_OUTPUT") }
        let folder = try SoundFolder()
        try folder.write("a.wav", .wav, nil, frames: 4_410, channels: 1)
        let player = try AVAudioPlayer(contentsOf: folder.url("a.wav") as URL)
        #expect(abs(player.duration - 0.1) < 1e-9 && player.numberOfChannels == 1 && !player.isPlaying)
        player.currentTime = 0.05
        #expect(player.currentTime == 0.05)
        player.numberOfLoops = 1
        final class Ear: AVAudioPlayerDelegate {
            let heard = Heard()
            func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {
                [1].withUnsafeBufferPointer { heard.add($0, 0) }
            }
        }
        let ear = Ear()
        player.delegate = ear
        #expect(player.prepareToPlay() && player.play() && player.isPlaying)
        for _ in 0..<200 where ear.heard.samples.isEmpty { try await Task.sleep(for: .milliseconds(10)) }
        #expect(ear.heard.samples == [1] && !player.isPlaying && player.currentTime == 0)
        let noSound = Data(UUID().uuidString.utf8), temporary = FileManager.default.temporaryDirectory
        #expect(throws: NSError.self) { try AVAudioPlayer(data: noSound) }
        let left = try FileManager.default.contentsOfDirectory(atPath: temporary.path).filter { $0.hasPrefix("AVAudioPlayer-") }
        #expect(!left.contains { FileManager.default.contents(atPath: temporary.appending(path: $0).path) == noSound })
    }
}
