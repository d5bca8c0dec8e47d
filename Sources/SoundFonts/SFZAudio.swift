import DSP

/// How a region plays its sample: the loop, the ends, the direction, and the generators of the model that say so.
struct SFZAudio {
    /// A voice's sample, and for which keys.
    struct Piece {
        var sample: Int
        var side: Int8
        var keys: ClosedRange<Int>
        var values: [Float]
    }

    /// The sample's key, at which a controller plays it.
    let keyCenter: UInt8
    private let name: String, line: Int
    private let keys: ClosedRange<Int>
    private var values = Generator.allCases.map(\.defaultValue)
    private(set) var modulators: [Modulator] = []
    private let wave: GeneratedWave.Shape?
    private let isNoise: Bool, isSilent: Bool
    private let transpose: Double
    private var offset = 0.0, end: Double?, loopMode: String?, loopStart: Double?, loopEnd: Double?
    private var count = 0, crossfade = 0.0, isReversed = false

    init(_ builder: inout SFZPlanBuilder, _ way: SFZEffects.Way?, shift: Int) {
        var opcodes = builder.opcodes
        let sample = opcodes["sample"]
        (name, line) = (sample?.text ?? "", sample?.line ?? 1)
        isNoise = name.lowercased() == "*noise"
        wave = isNoise ? .silence : GeneratedWave.shape(name.lowercased())
        let track = opcodes.number("pitch_keytrack", -1_200...1_200) ?? 100
        let center = opcodes.key("pitch_keycenter") ?? opcodes.key("key") ?? 60
        let key = min(max(center + shift, 0), 127), root = Double(key)
        keyCenter = UInt8(key)
        // What no key starts has the one that a controller plays.
        keys = builder.rule.isKeyless ? key...key : builder.rule.keys
        values[Generator.scaleTuning.index] = Float(track)
        values[Generator.rootKey.index] = Float(wave == nil ? root : Double(GeneratedWave.rootKey))
        // Without buses of its own, a file means the first edition's reverb and chorus.
        let reverb = way.map { min(100 * $0.reverb, 100) } ?? opcodes.float("effect1", 0...100)
        values[Generator.reverbSend.index] = 10 * (reverb ?? 0)
        values[Generator.chorusSend.index] = way == nil ? 10 * (opcodes.float("effect2", 0...100) ?? 0) : 0
        // Without a range of its own a region follows the channel's.
        if !builder.plan.pitch.hasBend { modulators = Modulator.defaults.filter { $0.source == .bend } }
        end = opcodes.number("end")
        loopMode = opcodes.choice(
            "loop_mode",
            ["no_loop": "no_loop", "one_shot": "one_shot", "loop_continuous": "loop_continuous", "loop_sustain": "loop_sustain"])
        loopStart = opcodes.number("loop_start")
        loopEnd = opcodes.number("loop_end")
        count = opcodes.whole("count", 0...1_000_000) ?? 0
        // Of what a key's end starts nothing would end a loop that only the file has.
        if loopMode == nil, [.release, .releaseKey].contains(builder.plan.rule.trigger) { loopMode = "one_shot" }
        crossfade = opcodes.number("loop_crossfade", 0...100) ?? 0
        isReversed = opcodes.choice("direction", ["forward": false, "reverse": true]) ?? false
        if let type = opcodes.text("loop_type"), type != "forward" { opcodes.refuse("loop_type") }
        if let phase = opcodes.text("phase"), phase != "normal", phase != "invert" { opcodes.refuse("phase") }
        isSilent = end.map { $0 <= 0 } ?? false
        transpose = Double(builder.plan.pitch.tune) / 100
        builder.opcodes = opcodes
        if opcodes.text("phase") == "invert" { builder.invert() }
        if wave != nil {
            builder.markGenerator(isNoise: isNoise)
            builder.tune(by: Float((100 - track) * (root - Double(GeneratedWave.rootKey))))
        }
    }

    /// The voices of the region: none if its sample cannot be played.
    func pieces(of store: inout SFZSamples) -> [Piece] {
        if isSilent {
            return [Piece(sample: store.index(GeneratedWave(shape: .silence, harmonics: 1)), side: 0, keys: keys, values: values)]
        }
        if let wave { return pieces(wave, &store) }
        guard let audio = store.audio(name, line: line) else { return [] }
        let placed = placed(audio)
        return (0..<audio.channels).map { channel in
            Piece(
                sample: store.index(audio, channel: channel, placed.treatment),
                side: audio.channels == 1 ? 0 : channel == 0 ? -1 : 1, keys: keys, values: placed.values)
        }
    }

    /// A wave for each octave, with the harmonics that its highest key leaves room for.
    private func pieces(_ wave: GeneratedWave.Shape, _ store: inout SFZSamples) -> [Piece] {
        var values = values
        if wave != .silence { values[Generator.sampleModes.index] = 1 }
        if isNoise { values[Generator.sampleModes.index] = 1 }
        if wave == .sine || wave == .silence {
            return [Piece(sample: store.index(GeneratedWave(shape: wave, harmonics: 1)), side: 0, keys: keys, values: values)]
        }
        var pieces: [Piece] = [], low = keys.lowerBound
        while low <= keys.upperBound {
            let high = min(low / 12 * 12 + 11, keys.upperBound)
            let hertz = 440 * DeterministicMath.exp2((Double(high) + max(transpose, 0) - 69) / 12)
            let harmonics = min(max(Int(18_000 / hertz), 1), GeneratedWave.frames / 2 - 1)
            pieces.append(
                Piece(
                    sample: store.index(GeneratedWave(shape: wave, harmonics: harmonics)), side: 0, keys: low...high,
                    values: values))
            low = high + 1
        }
        return pieces
    }

    private func placed(_ audio: SFZSamples.Audio) -> (values: [Float], treatment: SampleTreatment) {
        var values = values, treatment = SampleTreatment()
        treatment.isReversed = isReversed
        let last = Double(audio.frames - 1)
        let final = end.map { min($0, last) } ?? last
        if end != nil { Self.setFrames(&values, .endOffset, .endCoarseOffset, final - last) }
        let own = audio.loop.map { (Double($0.lowerBound), Double($0.upperBound)) }
        var start = min(max(loopStart ?? own?.0 ?? 0, 0), last)
        // The opcode names the last frame, the model the one after it.
        var end = min(max(loopEnd.map { $0 + 1 } ?? own?.1 ?? last + 1, 0), last + 1)
        if count > 1 {
            (start, end) = (0, final + 1)
            values[Generator.sampleModes.index] = 1
        } else {
            switch count == 1 ? "one_shot" : loopMode {
            case "loop_continuous": values[Generator.sampleModes.index] = 1
            case "loop_sustain": values[Generator.sampleModes.index] = 3
            case "one_shot", "no_loop": break
            // An end before the file's own loop ends the sample.
            case nil where own == nil && loopStart == nil || self.end != nil && final + 1 < end: break
            default: values[Generator.sampleModes.index] = 1
            }
            end = min(end, final + 1)
            if end <= start { values[Generator.sampleModes.index] = 0 }
            if values[Generator.sampleModes.index] != 0, crossfade > 0 {
                treatment.fade = Int(crossfade * Double(audio.rate))
                (treatment.loopStart, treatment.loopEnd) = (Int(start), Int(end))
            }
        }
        Self.setFrames(&values, .loopStartOffset, .loopStartCoarseOffset, start - (own?.0 ?? 0))
        Self.setFrames(&values, .loopEndOffset, .loopEndCoarseOffset, end - (own?.1 ?? last + 1))
        return (values, treatment)
    }

    private static func setFrames(_ values: inout [Float], _ fine: Generator, _ coarse: Generator, _ frames: Double) {
        let parts = Int(frames).quotientAndRemainder(dividingBy: 32_768)
        values[fine.index] = Float(parts.remainder)
        values[coarse.index] = Float(parts.quotient)
    }
}
