import AVFoundation
import Synchronization
import Testing

@testable import AVFAudio

/// The session: what is stored, what the engine grants, and the device's events.
extension OutputUnitTests {
    private final class Events: Sendable { let all = Mutex<[String]>([]) }

    @Test func theSessionHasWhatTheEngineWasGranted() throws {
        setenv("CARILLON_OUTPUT", "null", 1)
        defer { unsetenv("CARILLON_OUTPUT") }
        let session = AVAudioSession.sharedInstance(), engine = AVAudioEngine()
        try session.setCategory(.playAndRecord, mode: .measurement, options: [.mixWithOthers, .defaultToSpeaker])
        try session.setActive(true)
        #expect(session.category == .playAndRecord && session.mode == .measurement && session.categoryOptions.rawValue == 9)
        for duration in [0, -1, .nan, .infinity] as [Double] {
            #expect(throws: NSError.self) { try session.setPreferredIOBufferDuration(duration) }
            #expect(throws: NSError.self) { try session.setPreferredSampleRate(duration) }
        }
        try session.setPreferredIOBufferDuration(0.01)
        defer { do { try session.setPreferredIOBufferDuration(256.0 / 48_000) } catch { Issue.record(error) } }
        try session.setPreferredSampleRate(48_000)
        #expect(session.preferredIOBufferDuration == 0.01 && session.ioBufferDuration == 0.01 && session.sampleRate == 48_000)
        try session.overrideOutputAudioPort(.speaker)
        _ = engine.mainMixerNode
        try engine.start()
        #expect(session.ioBufferDuration == 0.01 && session.outputLatency == engine.outputNode.presentationLatency)
        #expect(session.currentRoute.outputs.map(\.portName) == ["null"] && session.outputNumberOfChannels == 2)
        // Its end ends what plays.
        let error = #expect(throws: NSError.self) { try session.setActive(false) }
        try session.setActive(false)
        #expect(error?.code == 560_030_580 && !engine.isRunning && session.currentRoute.outputs.isEmpty)
    }

    @Test func theDevicesEventsAreTheSessions() {
        let events = Events(), session = AVAudioSession.sharedInstance()
        func hear(_ name: Notification.Name, _ key: String) -> any NSObjectProtocol {
            NotificationCenter.default.addObserver(forName: name, object: session, queue: nil) { notification in
                events.all.withLock {
                    $0.append("\(key.contains("Route") ? "route" : "pause") \(notification.userInfo?[key] as? UInt ?? 99)")
                }
            }
        }
        let observers = [
            hear(AVAudioSession.routeChangeNotification, AVAudioSessionRouteChangeReasonKey),
            hear(AVAudioSession.interruptionNotification, AVAudioSessionInterruptionTypeKey),
        ]
        let engine = AVAudioEngine()
        SessionState.engine = engine
        SessionState.follow(AVAudioEngine(), isLost: true, hasChanged: true)
        for (isLost, hasChanged) in [(false, false), (true, false), (true, false), (false, false), (false, true)] {
            SessionState.follow(engine, isLost: isLost, hasChanged: hasChanged)
        }
        for observer in observers { NotificationCenter.default.removeObserver(observer) }
        #expect(events.all.withLock { $0 } == ["route 2", "pause 1", "route 1", "pause 0", "route 1"])
    }
}

@Suite struct EmptyFormatTests {
    @Test func nothingTakesAFormatOfNothing() throws {
        let empty = AVAudioFormat(), rendering = try Rendering(), engine = rendering.engine
        #expect(empty.channelCount == 0 && empty.sampleRate == 0 && empty.commonFormat == .otherFormat)
        #expect(AVAudioPCMBuffer(pcmFormat: empty, frameCapacity: 10) == nil)
        #expect(AVAudioConverter(from: empty, to: rendering.format) == nil)
        #expect(AVAudioConverter(from: rendering.format, to: empty) == nil)
        #expect(throws: NSError.self) {
            try AVAudioEngine().enableManualRenderingMode(.offline, format: empty, maximumFrameCount: 64)
        }
        let source = AVAudioSourceNode(format: empty) { _, _, _, _ in noErr }
        engine.attach(source)
        engine.connect(source, to: engine.mainMixerNode, format: nil)
        engine.connect(source, to: engine.mainMixerNode, format: empty)
        source.installTap(onBus: 0, bufferSize: 64, format: empty) { _, _ in }
        #expect(throws: NSError.self) { try engine.start() }
        engine.detach(source)
        try engine.start()
        #expect(try rendering.render(64)[0].allSatisfy { $0 == 0 })
        #expect(throws: NSError.self) {
            _ = try AVAudioFile(forWriting: URL(fileURLWithPath: "/tmp/none.wav"), settings: empty.settings)
        }
    }
}
