// [render]
import DSP
import Reports

/// libspeexdsp at work: blocks of 16 bits go in, a block with less echo and noise comes out, one block late.
struct VoiceBlocks: ~Copyable {
    struct Settings: BitwiseCopyable {
        /// Share of echo cancellation, 0...1, at the end of the block.
        var cancellation: Float
        /// Decibels by which these are suppressed.
        var residualEcho: Float, noise: Float
        var controlsGain: Bool
        /// The root mean square of speech that gain control aims at, full scale is 1.
        var target: Float

        @_noLocks init(cancellation: Float, residualEcho: Float, noise: Float, controlsGain: Bool, target: Float) {
            (self.cancellation, self.residualEcho, self.noise) = (cancellation, residualEcho, noise)
            (self.controlsGain, self.target) = (controlsGain, target)
        }
    }

    /// Frames of a block: the least power of two that lasts 10 ms.
    let frames: Int
    private let speakers: Int
    private let canceller: SpeexDSPCalls.Canceller, cleaner: SpeexDSPCalls.Cleaner
    /// The sound of the microphone, that of the speakers, interleaved, and what came out last.
    private let microphone: UnsafeMutablePointer<Int16>, playback: UnsafeMutablePointer<Int16>, out: UnsafeMutablePointer<Int16>
    /// The share of echo cancellation at the end of the last block; below 0 before the first.
    private var share: Float = -1
    /// Mean squares of late, while something was played: what the microphone heard, and what was left of it.
    private var heard = 0.0, kept = 0.0
    private let averaging: Double
    /// The factor by which the library believes a voice to be louder than the root mean square of speech: measured, 12 dB in
    /// blocks of 128 frames, and 3 dB for each doubling.
    private let loudness: Float
    /// The gain of gain control, in decibels.
    private(set) var gain: Float = 0

    /// The machines that the library has made for a rate, a tail and some speakers.
    struct Machines: BitwiseCopyable {
        let frames: Int, speakers: Int, sampleRate: Int
        let canceller: SpeexDSPCalls.Canceller, cleaner: SpeexDSPCalls.Cleaner

        /// Control side; the caller has to close them. - Throws: `notInstalled`, `refused`.
        init(sampleRate: Int, tail: Double, speakers: Int) throws(Fault) {
            var frames = 128
            while frames * 100 < sampleRate { frames *= 2 }
            (self.frames, self.speakers, self.sampleRate) = (frames, speakers, sampleRate)
            canceller = try SpeexDSPCalls.makeCanceller(
                block: frames, tail: max(Int(tail * Double(sampleRate)), frames), speakers: speakers, sampleRate: sampleRate)
            do throws(Fault) {
                cleaner = try SpeexDSPCalls.makeCleaner(block: frames, sampleRate: sampleRate)
            } catch {
                SpeexDSPCalls.close(canceller: canceller)
                throw error
            }
        }
    }

    /// Control side; closes the machines in the end.
    init(_ machines: Machines) {
        (frames, speakers) = (machines.frames, machines.speakers)
        (canceller, cleaner) = (machines.canceller, machines.cleaner)
        let memory = UnsafeMutablePointer<Int16>.allocate(capacity: frames * (2 + speakers))
        memory.initialize(repeating: 0, count: frames * (2 + speakers))
        (microphone, out, playback) = (memory, memory + frames, memory + 2 * frames)
        averaging = Double(frames) / (0.5 * Double(machines.sampleRate))
        loudness = Float(4 * DeterministicMath.squareRoot(Double(frames) / 128))
        SpeexDSPCalls.attach(cleaner, to: canceller)
    }

    deinit {
        SpeexDSPCalls.close(cleaner: cleaner)
        SpeexDSPCalls.close(canceller: canceller)
        microphone.deallocate()
    }

    /// Takes frames of both sides of the microphone, folded, to `place` in the block.
    @_noLocks func hear(_ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, _ count: Int, at place: Int) {
        for k in 0..<count { microphone[place &+ k] = Self.sixteenBits(0.5 * (left[k] + right[k])) }
    }

    @_noLocks func play(_ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, _ count: Int, at place: Int) {
        if speakers == 1 {
            for k in 0..<count { playback[place &+ k] = Self.sixteenBits(0.5 * (left[k] + right[k])) }
        } else {
            for k in 0..<count {
                playback[2 &* (place &+ k)] = Self.sixteenBits(left[k])
                playback[2 &* (place &+ k) &+ 1] = Self.sixteenBits(right[k])
            }
        }
    }

    @_noLocks func result(_ place: Int) -> Float { Float(out[place]) * (1 / 32_768) }

    @_noLocks mutating func work(_ settings: Settings) {
        cancel()
        if share < 0 { share = settings.cancellation }
        if settings.cancellation < 1 || share < 1 { fade(to: settings.cancellation) }
        share = settings.cancellation
        let cancels = share >= 0.5, suppresses = settings.noise >= 0.5 || cancels && settings.residualEcho >= 0.5
        SpeexDSPCalls.attach(cleaner, to: cancels ? canceller : nil)
        SpeexDSPCalls.set(cleaner, .suppression, suppresses ? 1 : 0)
        SpeexDSPCalls.set(cleaner, .noise, -Self.rounded(settings.noise))
        SpeexDSPCalls.set(cleaner, .echo, -Self.rounded(settings.residualEcho))
        // The library's own proportion: 40 dB, and 15 during speech.
        SpeexDSPCalls.set(cleaner, .echoInSpeech, -Self.rounded(settings.residualEcho * 0.375))
        SpeexDSPCalls.set(cleaner, .gainControl, settings.controlsGain ? 1 : 0)
        SpeexDSPCalls.setTarget(cleaner, settings.target * loudness)
        SpeexDSPCalls.clean(cleaner, out)
        gain = settings.controlsGain ? SpeexDSPCalls.gain(cleaner) : 0
        measure()
    }

    /// The decibels by which the microphone became softer while something was played, gain control left out.
    var reduction: Float {
        @_noLocks get {
            if heard <= 1e-12 { return 0 }
            let decibels = 3.010299956639812 * DeterministicMath.log2(heard / max(kept, 1e-12))
            return max(Float(decibels) + gain, 0)
        }
    }

    /// All sound forgotten, and the room.
    @_noLocks mutating func clear() {
        SpeexDSPCalls.startAgain(canceller)
        for k in 0..<frames &* (2 &+ speakers) { microphone[k] = 0 }
        // What the cleaner keeps back.
        for _ in 0..<2 {
            for k in 0..<frames { out[k] = 0 }
            SpeexDSPCalls.clean(cleaner, out)
        }
        for k in 0..<frames { out[k] = 0 }
        (share, heard, kept, gain) = (-1, 0, 0, 0)
    }

    /// If the high notes of a block are as loud as 16 bits allow, as those of a howl are, the library forgets the room, gives
    /// silence and writes a line, block after block: such a block goes in softer and comes out louder.
    @_noLocks private func cancel() {
        // What the library listens to: each sample less 0.9 of the one before.
        var energy = 0.0
        for k in 1..<frames {
            let rise = Double(microphone[k]) - 0.9 * Double(microphone[k &- 1])
            energy += rise * rise
        }
        if energy < 5e8 * Double(frames) { return SpeexDSPCalls.cancel(canceller, microphone, playback, out) }
        for k in 0..<frames { microphone[k] /= 4 }
        SpeexDSPCalls.cancel(canceller, microphone, playback, out)
        for k in 0..<frames {
            microphone[k] &*= 4
            out[k] = Self.sixteenBits(Float(out[k]) * (4 / 32_768))
        }
    }

    @_noLocks private func fade(to end: Float) {
        let step = (end - share) / Float(Int32(truncatingIfNeeded: frames))
        for k in 0..<frames {
            let share = share + step * Float(Int32(truncatingIfNeeded: k &+ 1)), plain = Float(microphone[k])
            out[k] = Self.sixteenBits((plain + share * (Float(out[k]) - plain)) * (1 / 32_768))
        }
    }

    @_noLocks private mutating func measure() {
        var played = 0.0, before = 0.0, after = 0.0
        for k in 0..<frames {
            let far = Double(playback[k &* speakers]), near = Double(microphone[k]), left = Double(out[k])
            played += far * far
            before += near * near
            after += left * left
        }
        let scale = 1 / (Double(frames) * 32_768 * 32_768)
        // While nothing is played there is no echo: -60 dB.
        if played * scale < 1e-6 { return }
        heard += (before * scale - heard) * averaging
        kept += (after * scale - kept) * averaging
    }

    @_noLocks private static func sixteenBits(_ x: Float) -> Int16 {
        let scaled = x * 32_768
        if scaled >= 32_767 { return 32_767 }
        // A NaN too.
        if !(scaled > -32_768) { return scaled <= -32_768 ? -32_768 : 0 }
        return Int16(truncatingIfNeeded: Int32(rounded(scaled)))
    }

    @_noLocks private static func rounded(_ x: Float) -> Int { Int(DeterministicMath.floor(Double(x) + 0.5)) }
}
