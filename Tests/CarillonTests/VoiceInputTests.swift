import Carillon
import Glibc
import RemoteIO
import Testing

/// Whether libspeexdsp is there.
enum VoiceLibrary {
    static let isInstalled: Bool = {
        do {
            _ = try UnitInstance.make(VoiceProcessor.self, UnitSetup(sampleRate: 48_000))
            return true
        } catch { return false }
    }()
}

/// A simulated device whose microphone stands in a small room with its loudspeakers, which play syllables of noise.
struct VoiceRoom {
    let engine = Engine(sampleRate: 48_000), port = SimulatedPort()
    let voice: NodeID
    private let tap: TapReader, raw: TapReader

    /// - Parameters:
    ///   - loudness: factor of what is played.
    ///   - speech: what is said into the microphone besides, by the device's frame.
    init(
        _ startValues: [String: Float] = [:], loudness: Float = 1, speech: @escaping @Sendable (Int) -> Float = { _ in 0 }
    ) throws {
        voice = try engine.edit { graph in
            let source = try graph.add(source: "far") { io in
                for i in 0..<io.frames {
                    let sample = loudness * VoiceRoom.syllables(Int((io.sampleTime + i).rawValue), seed: 1)
                    io.output(0, 0)[i] = sample
                    io.output(0, 1)[i] = 0.5 * sample
                }
                return .sounding
            }
            try graph.setOutput(source)
            return try graph.addVoiceInput(startValues: startValues)
        }
        let input = try #require(engine.graph.node(named: "voice-input"))
        tap = try engine.tap(voice, seconds: 10)
        raw = try engine.tap(input.id, seconds: 10)
        // From the loudspeaker straight and by four walls; later than a period, for until then nobody knows what was played.
        let echoes: [(Int, Float)] = [(2_200, 0.4), (2_600, -0.2), (3_030, 0.15), (3_700, 0.1), (4_400, -0.05)]
        port.captures = { [unowned port] (frame: Int, _: Int) -> Float in
            var heard = speech(frame)
            for (delay, gain) in echoes {
                let then = frame - delay
                if then >= 0, port.played.count == 2, then < port.played[0].count {
                    heard += gain * (port.played[0][then] + port.played[1][then])
                }
            }
            return heard
        }
    }

    /// Noise in syllables, as a function of the frame.
    static func syllables(_ frame: Int, seed: UInt64) -> Float {
        var z = (UInt64(truncatingIfNeeded: frame) &+ seed) &* 0x9E37_79B9_7F4A_7C15
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        let noise = Float(Int32(truncatingIfNeeded: z >> 32)) / 2_147_483_648
        return noise * 0.3 * Float(max(0, sin(2 * .pi * Double(frame) / 12_000)))
    }

    /// Lets time pass; what the microphone heard and what the voice processor made of it.
    func pass(seconds: Double) -> (heard: [Float], made: [Float]) {
        for _ in 0..<Int(seconds * 375) { port.advance(frames: 128) }
        return (raw.read().flatMap { $0.channels[0] }, tap.read().flatMap { $0.channels[0] })
    }

    static func level(_ x: [Float]) -> Float { 10 * log10(x.reduce(1e-12) { $0 + $1 * $1 } / Float(max(x.count, 1))) }
}

/// Voice processing of the device's input: what the device plays is not heard in it.
@Suite(.enabled(if: VoiceLibrary.isInstalled, "libspeexdsp1 is not installed")) struct VoiceInputTests {
    @Test(arguments: [(64, 2), (128, 3), (1_000, 4)]) func whatTheDevicePlaysIsTakenOut(_ period: Int, _ periods: Int) throws {
        let room = try VoiceRoom(["tail": 0.1])
        try room.engine.start(on: .simulated(room.port, period: period, periods: periods))
        _ = room.pass(seconds: 6)
        let (heard, made) = room.pass(seconds: 2)
        let before = VoiceRoom.level(heard), after = VoiceRoom.level(made)
        print("a device of \(periods) periods of \(period): the echo at \(before) dB is left at \(after) dB")
        #expect(before > -40 && after < before - 25, "\(before) dB, \(after) dB")
        #expect(try room.engine.readout("missing-frames", of: room.voice) == 0)
        #expect(try #require(try room.engine.readout("echo-reduction", of: room.voice)) > 20)
    }

    @Test func aSecondVoiceProcessorCannotListenToTheDevice() throws {
        let engine = Engine(sampleRate: 48_000)
        try engine.edit { graph in
            let first = try graph.addVoiceInput()
            _ = try graph.add(VoiceProcessor.self, name: "other", startValues: ["playback": 1])
            try graph.setOutput(first)
        }
        #expect(throws: Fault.severalVoiceProcessors(count: 2)) { try engine.start(on: .simulated(SimulatedPort())) }
    }

    @Test func withoutADeviceAVoiceIsSilent() throws {
        let engine = Engine(sampleRate: 48_000)
        try engine.edit { graph in try graph.setOutput(try graph.addVoiceInput()) }
        try engine.start(on: .offline)
        #expect(try engine.render(frames: 10_000).allSatisfy { $0.allSatisfy { $0 == 0 } })
    }

    @Test func theExampleTakesItsBassOutOfTheMicrophone() throws {
        // The lead is silent; what is heard is the bass by the walls, or what is left of it.
        let events = (0..<16).flatMap { step in
            let key = UInt8(36 + step * 5 % 12), tick = Int64(step) * 240
            return [0x91, 0x81].map { (status: UInt8) in
                (tick + (status == 0x91 ? 0 : 200), .message(MIDIMessage(status: status, data1: key, data2: 100)))
            } as [(tick: Int64, kind: SongEvent.Kind)]
        }
        func level(_ cancels: Bool) throws -> Float {
            var options = RenderedSong.options(4), patch = try #require(PatchExample.named("voice-without-echo")).patch
            let place = try #require(patch.units.firstIndex { $0.name == "voice" })
            patch.units[place].values["echo-cancellation"] = [cancels ? 1 : 0]
            options.patch = patch
            return VoiceRoom.level(
                Array(try RenderedSong.render(RenderedSong.song(events), options).samples[0].dropFirst(96_000)))
        }
        let with = try level(true), without = try level(false)
        print("the example's bass: \(without) dB, and \(with) dB with echo cancellation")
        #expect(with < without - 20, "\(without) dB, \(with) dB")
        // A unit that never sleeps keeps no song from ending.
        var options = RenderedSong.options(60)
        options.patch = try #require(PatchExample.named("voice-without-echo")).patch
        let whole = try RenderedSong.render(RenderedSong.song(events), options).samples[0].count
        #expect(whole < 10 * 48_000, "\(whole) frames")
    }
}
