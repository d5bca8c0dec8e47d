import CarillonTestKit
import DSP
import Graphs
import Reports
import Testing
import UnitAPI

@testable import VoiceProcessing

let isInstalled = SpeexDSPCalls.load(SpeexDSPCalls.libraryName) == nil

/// What comes out of a voice processor that hears `microphone` while `playback` is played.
struct VoiceTake {
    let heard: [[Float]], unit: UnitInstance

    init(
        _ microphone: [Float], playback: [Float] = [], right: [Float]? = nil, rate: Double = 48_000,
        values: [String: Float] = [:], block: Int = 512, moves: [(frame: Int, VoiceProcessor.Parameter, Float)] = [],
        resetAt: Int? = nil
    ) throws {
        let rig = OfflineRig(sampleRate: rate)
        unit = try UnitInstance.make(VoiceProcessor.self, rig.setup(inputs: 2, startValues: values))
        let node = try rig.graph.add(unit)
        try rig.graph.connect(try rig.add(left: microphone, right: microphone, name: "microphone"), to: node)
        try rig.graph.connect(try rig.add(left: playback, right: right ?? playback, name: "playback"), to: node, input: 1)
        try rig.graph.setOutput(node)
        try rig.publish()
        for move in moves { rig.set(move.1, move.2, of: node, at: move.frame) }
        rig.render(microphone.count, block: block)
        heard = rig.recording
    }

    /// The voice in step with the microphone.
    var aligned: [Float] { Array(heard[0].dropFirst(unit.latency)) }
}

@Suite(.serialized, .enabled(if: isInstalled, "libspeexdsp1 is not installed")) struct VoiceProcessorTests {
    private typealias Signals = VoiceSignals

    /// libspeexdsp's own demonstration, testecho.c: a canceller, and a cleaner that knows it, block for block, and no more.
    private func demonstration(
        _ microphone: [Float], _ playback: [Float], block: Int, tail: Int, rate: Int
    ) throws -> [Float] {
        let canceller = try SpeexDSPCalls.makeCanceller(block: block, tail: tail, speakers: 1, sampleRate: rate)
        let cleaner = try SpeexDSPCalls.makeCleaner(block: block, sampleRate: rate)
        SpeexDSPCalls.attach(cleaner, to: canceller)
        func bits(_ x: [Float], _ n: Int) -> [Int16] {
            x[n..<n + block].map { Int16(min(($0 * 32_768 + 0.5).rounded(.down), 32_767)) }
        }
        var made: [Float] = [], out = [Int16](repeating: 0, count: block)
        for n in stride(from: 0, through: microphone.count - block, by: block) {
            SpeexDSPCalls.cancel(canceller, bits(microphone, n), bits(playback, n), &out)
            SpeexDSPCalls.clean(cleaner, &out)
            made += out.map { Float($0) / 32_768 }
        }
        SpeexDSPCalls.close(cleaner: cleaner)
        SpeexDSPCalls.close(canceller: canceller)
        // What comes out is a block late.
        return Array(made.dropFirst(block))
    }

    @Test(arguments: [8_000, 16_000, 48_000]) func theEchoBecomesSofterByAsMuchAsInTheLibrarysOwnDemonstration(
        _ rate: Int
    ) throws {
        let hertz = Double(rate), seconds = 16.0
        let far = Signals.speech(seconds: seconds, rate: hertz, pitch: 120, level: 0.08, seed: 1)
        let echo = Signals.echo(of: far, rate: hertz)
        let last = Int((seconds - 6) * hertz)..<Int((seconds - 1) * hertz), before = Signals.level(echo[last])
        let take = try VoiceTake(echo, playback: far, rate: hertz)
        let block = take.unit.latency / 2
        let own = before - Signals.level(take.aligned[last])
        // As it is: blocks of 128 frames and 1024 of tail, which are 16 and 128 ms at its 8 kHz; and with what the unit takes.
        let plain = try demonstration(echo, far, block: 128, tail: 1_024, rate: rate)
        let same = try demonstration(echo, far, block: block, tail: rate * 128 / 1_000, rate: rate)
        let theirs = before - Signals.level(plain[last]), equal = before - Signals.level(same[last])
        print("\(rate) Hz: echo return loss \(own) dB; demonstration \(theirs) dB, in blocks of \(block) \(equal) dB")
        #expect(own >= theirs && own >= equal && own > 25, "\(own) dB, \(theirs) dB, \(equal) dB")
        let shown = try #require(take.unit.readout("echo-reduction"))
        #expect(shown > 20, "\(shown)")
    }

    @Test func inDoubleTalkTheNearVoiceStaysAsLoud() throws {
        let rate = 48_000.0, seconds = 18.0
        let far = Signals.speech(seconds: seconds, rate: rate, pitch: 120, level: 0.08, seed: 1)
        let echo = Signals.echo(of: far, rate: rate)
        let voice = Signals.speech(seconds: seconds, rate: rate, pitch: 210, level: 0.05, seed: 99)
        let near = voice.enumerated().map { $0 < Int(8 * rate) ? 0 : $1 }
        let both = try VoiceTake(Signals.sum(near, echo), playback: far).aligned
        let alone = try VoiceTake(near).aligned
        for start in stride(from: 9.0, to: 16, by: 2) {
            let part = Int(start * rate)..<Int((start + 2) * rate)
            let ofVoice = Signals.share(of: near[part], in: both[part])
            let ofAlone = Signals.share(of: alone[part], in: both[part])
            let echoes = Signals.level(echo[part]) - Signals.level(near[part])
            print("double talk at \(start) s: voice \(ofVoice) dB, of itself alone \(ofAlone) dB, beside an echo of \(echoes) dB")
            #expect(abs(ofVoice) < 3 && abs(ofAlone) < 3, "at \(start) s: \(ofVoice) dB, \(ofAlone) dB")
        }
    }

    @Test(arguments: [0, 10, 15, 25] as [Float]) func steadyNoiseBecomesSofterByWhatIsSaid(_ decibels: Float) throws {
        let rate = 48_000.0, noise = Signals.noise(seconds: 6, rate: rate, level: 0.01, seed: 5)
        let heard = try VoiceTake(noise, values: ["noise-suppression": decibels]).aligned
        let part = Int(3 * rate)..<Int(5.5 * rate)
        let less = Signals.level(noise[part]) - Signals.level(heard[part])
        print("noise suppression \(decibels) dB: \(less) dB")
        // A little of it comes through as single tones.
        #expect(abs(less - decibels) < 0.5 + 0.12 * decibels, "\(less) dB")
    }

    @Test func aVoiceInNoiseStays() throws {
        let rate = 48_000.0, noise = Signals.noise(seconds: 8, rate: rate, level: 0.003, seed: 5)
        let voice = Signals.speech(seconds: 8, rate: rate, pitch: 160, level: 0.06, seed: 11)
        let heard = try VoiceTake(Signals.sum(voice, noise)).aligned, part = Int(2 * rate)..<Int(7.5 * rate)
        let share = Signals.share(of: voice[part], in: heard[part])
        #expect(abs(share) < 1.5, "\(share) dB")
    }

    @Test(arguments: [8_000, 16_000, 48_000] as [Double], [0.004, 0.02, 0.2] as [Float])
    func gainControlBringsAVoiceToItsTarget(_ rate: Double, _ level: Float) throws {
        let target: Float = rate == 16_000 ? -28 : -23
        let voice = Signals.speech(seconds: 14, rate: rate, pitch: 160, level: level, seed: 11)
        let values: [String: Float] = ["gain-control": 1, "gain-target": target]
        let take = try VoiceTake(voice, rate: rate, values: values), part = Int(8 * rate)..<Int(13.5 * rate)
        let made = Signals.level(take.aligned[part]), gain = try #require(take.unit.readout("gain"))
        print("gain control at \(rate) Hz: \(Signals.level(voice[part])) dB becomes \(made) dB, wanted \(target), gain \(gain)")
        #expect(abs(made - target) < 4, "\(made) dB")
    }

    @Test func muteIsSilentAndDoesNotClick() throws {
        let rate = 48_000.0, tone = (0..<96_000).map { Float(0.3 * DeterministicMath.sine(turns: Double($0) / 200)) }
        let take = try VoiceTake(
            tone, values: ["noise-suppression": 0, "echo-cancellation": 0],
            moves: [(36_031, .mute, 1), (60_007, .mute, 0)])
        let heard = take.heard[0]
        #expect(heard[37_500..<60_000].allSatisfy { $0 == 0 })
        #expect(Signals.level(heard[70_000..<90_000]) > -15)
        let steepest = zip(heard[20_000...], heard[20_001...]).reduce(Float(0)) { max($0, abs($1.1 - $1.0)) }
        // The tone's own steps, and the fade's: 10 ms.
        #expect(steepest < 0.3 * 6.2832 / 200 + Float(1 / (0.01 * rate)), "\(steepest)")
    }

    @Test func withoutEverythingItIsTheMicrophoneLate() throws {
        let rate = 48_000.0, voice = Signals.speech(seconds: 4, rate: rate, pitch: 160, level: 0.1, seed: 3)
        let off: [String: Float] = ["echo-cancellation": 0, "residual-echo": 0, "noise-suppression": 0]
        let take = try VoiceTake(voice, playback: voice, values: off), part = 0..<Int(3.5 * rate)
        #expect(take.unit.latency == 1_024 && take.heard[0] == take.heard[1])
        let worst = zip(voice[part], take.aligned[part]).reduce(Float(0)) { max($0, abs($1.0 - $1.1)) }
        // Half a step of 16 bits.
        #expect(worst < 1 / 65_535, "\(worst)")
    }

    @Test func whatIsPlayedWaitsForItsEcho() throws {
        let rate = 16_000.0, far = Signals.speech(seconds: 10, rate: rate, pitch: 120, level: 0.08, seed: 1)
        let late = [Float](repeating: 0, count: 4_800) + Signals.echo(of: far, rate: rate, decay: 0.1).dropLast(4_800)
        func loss(_ delay: Float) throws -> Float {
            let heard = try VoiceTake(
                late, playback: far, rate: rate,
                values: ["delay": delay, "tail": 0.1, "residual-echo": 0, "noise-suppression": 0]
            ).aligned
            let part = Int(6 * rate)..<Int(9.5 * rate)
            return Signals.level(late[part]) - Signals.level(heard[part])
        }
        let without = try loss(0), with = try loss(0.3)
        #expect(without < 3 && with > 15, "\(without) dB without, \(with) dB with a delay")
    }

    @Test func twoSpeakersAreTwoWays() throws {
        let rate = 16_000.0
        let left = Signals.speech(seconds: 12, rate: rate, pitch: 120, level: 0.06, seed: 1)
        let right = Signals.speech(seconds: 12, rate: rate, pitch: 180, level: 0.06, seed: 2)
        let heard = Signals.sum(
            Signals.echo(of: left, rate: rate, seed: 5), Signals.echo(of: right, rate: rate, seed: 6))
        func loss(_ speakers: Float) throws -> Float {
            let values: [String: Float] = ["speakers": speakers, "residual-echo": 0, "noise-suppression": 0]
            let made = try VoiceTake(heard, playback: left, right: right, rate: rate, values: values).aligned
            let part = Int(8 * rate)..<Int(11.5 * rate)
            return Signals.level(heard[part]) - Signals.level(made[part])
        }
        let mono = try loss(0), stereo = try loss(1)
        print("two speakers: \(mono) dB folded, \(stereo) dB apart")
        #expect(stereo > mono + 6 && stereo > 12, "\(mono) dB, \(stereo) dB")
    }

    @Test func echoCancellationGoesAndComesWithoutAClick() throws {
        let rate = 48_000.0, far = (0..<192_000).map { Float(0.2 * DeterministicMath.sine(turns: Double($0) / 160)) }
        let echo = far.map { 0.5 * $0 }
        let take = try VoiceTake(
            echo, playback: far, values: ["residual-echo": 0, "noise-suppression": 0],
            moves: [(96_011, .echoCancellation, 0), (144_013, .echoCancellation, 1)])
        let heard = take.heard[0]
        #expect(Signals.level(heard[120_000..<140_000]) > -25 && Signals.level(heard[80_000..<96_000]) < -40)
        #expect(Signals.level(heard[160_000..<190_000]) < -40)
        let steepest = zip(heard[90_000...], heard[90_001...]).reduce(Float(0)) { max($0, abs($1.1 - $1.0)) }
        #expect(steepest < 2 * 0.1 * 6.2832 / 160, "\(steepest) at \(rate) Hz")
    }

    @Test func anOverdrivenMicrophoneIsHeardAllTheSame() throws {
        // The library alone gives silence in every fourth block of this.
        let far = Signals.noise(seconds: 5, rate: 48_000, level: 0.3, seed: 1)
        let howl = Signals.noise(seconds: 5, rate: 48_000, level: 1, seed: 2).map { $0 > 0 ? Float(1) : -1 }
        let made = try VoiceTake(howl, playback: far, values: ["residual-echo": 0, "noise-suppression": 0]).aligned
        for start in stride(from: 0, to: 230_000, by: 512) {
            let level = Signals.level(made[start..<start + 512])
            #expect(level > -6, "\(level) dB from frame \(start) on")
        }
    }

    @Test func blockSizesDoNotMatter() throws {
        let far = Signals.speech(seconds: 1.5, rate: 48_000, pitch: 120, level: 0.08, seed: 1)
        let echo = Signals.echo(of: far, rate: 48_000)
        let whole = try VoiceTake(echo, playback: far).heard
        for block in [1, 63, 1_000] {
            #expect(firstDifference(whole, try VoiceTake(echo, playback: far, block: block).heard) == nil, "block \(block)")
        }
    }

    @Test func itSaysThatItsCodeIsForeign() { #expect(VoiceProcessor.descriptor.runsForeignCode) }

    /// All laws but one: of a reset the library keeps what it learnt of the noise.
    @Test func itKeepsTheOtherLawsOfAllUnits() throws {
        let unit = UnitUnderTest(VoiceProcessor.self)
        let broken = try checkUnit(unit, laws: Set(UnitLaw.allCases).subtracting([.reset]))
        #expect(broken.isEmpty, "\(broken.map(\.description).joined(separator: "\n"))")
    }
}

/// Without the library.
@Suite struct MissingSpeexDSPTests {
    @Test func aMissingLibraryIsAnErrorThatNamesThePackage() throws {
        let reason = try #require(SpeexDSPCalls.load("libspeexdsp-none.so.1"))
        let error = Fault.notInstalled(reason: reason)
        #expect(error.description.contains("libspeexdsp-none.so.1"))
        #expect(error.description.hasSuffix("apt-get install libspeexdsp1"))
    }
}
