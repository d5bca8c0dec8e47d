import AudioFiles

/// An SFZ file read and checked: its regions, and the audio files that they play, each opened once to see what it holds.
///
/// Control side.
struct SFZInstrument: Sendable {
    struct Voice: Sendable {
        var keys: ClosedRange<Int>, velocities: ClosedRange<Int>
        var values: [Float]
        var modulators: [Modulator]
        var sample: Int
    }

    private(set) var voices: [Voice] = []
    private(set) var samples: [StoredSample] = []
    private(set) var frames = 0
    private(set) var faults: [SoundFontFile.Fault] = []
    private(set) var regionCount = 0

    private struct Audio {
        var first: Int, channels: Int
        var frames: Int
        var loop: Range<Int64>?
    }
    private var files: [String: Audio?] = [:]
    private var folders = FolderNames()

    /// Reads the text, and the headers of its samples. Throws if the text cannot be read, or nothing of it can be played.
    init(path: String) throws(SoundFontError) {
        let text = try SFZText(path: path)
        var unknown: [String: Int] = [:], silent: [String: Int] = [:]
        for (header, count) in text.unknownHeaders { unknown["<\(header)>"] = count }
        for opcodes in text.regions {
            guard let region = SFZRegion(opcodes, control: text.control) else { continue }
            regionCount += 1
            for name in region.unknown { unknown[name, default: 0] += 1 }
            if let silencer = region.silencer {
                silent[silencer, default: 0] += 1
            } else if let audio = audio(region, path) {
                add(region, audio)
            }
        }
        faults += silent.sorted { $0.key < $1.key }.map { .silentRegions(opcode: $0.key, count: $0.value) }
        faults += unknown.sorted { $0.key < $1.key }.map { .unknownOpcode(name: $0.key, count: $0.value) }
        guard regionCount > 0 else {
            let problem = "begins a file without a region that names a sample; write <region> sample=..."
            throw .text(path: path, line: 1, problem: problem)
        }
    }

    private mutating func audio(_ region: SFZRegion, _ path: String) -> Audio? {
        let file = SFZText.joined(path, region.sample)
        if let known = files[file] { return known }
        var found: Audio?
        do throws(AudioFileError) {
            guard let identity = FileIdentity(path: file), file != SoundFontStorage.embeddedName else {
                if let found = folders.inOtherCase(path, region.sample) {
                    faults.append(.sampleInOtherCase(name: region.sample, line: region.line, found: found))
                } else {
                    faults.append(.missingSample(name: region.sample, line: region.line, reason: "there is no such file"))
                }
                files[file] = .some(nil)
                return nil
            }
            let reader = try AudioFileReader(path: file)
            let count = Int(clamping: reader.frames)
            if SampleHeader.sampleRates.contains(reader.sampleRate), (8...VorbisStream.framesPerSample).contains(count) {
                let loop = reader.loop
                let channels = min(reader.channels, 2)
                found = Audio(first: samples.count, channels: channels, frames: count, loop: loop)
                for channel in 0..<channels {
                    samples.append(
                        StoredSample(
                            .audioFile(path: file, identity: identity, channel: channel), 0..<0, stride: 1,
                            loop: loop.map { (Int($0.lowerBound), Int($0.upperBound)) } ?? (0, count),
                            rate: reader.sampleRate))
                }
                frames += count * channels
            } else {
                let reason = "\(count) frames at \(reader.sampleRate) Hz are no sample"
                faults.append(.missingSample(name: region.sample, line: region.line, reason: reason))
            }
        } catch {
            faults.append(.missingSample(name: region.sample, line: region.line, reason: error.description))
        }
        files[file] = .some(found)
        return found
    }

    /// One voice for each channel; of two, one on each side.
    private mutating func add(_ region: SFZRegion, _ audio: Audio) {
        var values = region.values
        let last = Double(audio.frames - 1)
        Self.setFrames(&values, .startOffset, .startCoarseOffset, min(region.offset, last))
        if let end = region.end { Self.setFrames(&values, .endOffset, .endCoarseOffset, min(end, last) - last) }
        let own = audio.loop.map { (Double($0.lowerBound), Double($0.upperBound)) }
        let start = min(max(region.loopStart ?? own?.0 ?? 0, 0), last)
        // The opcode names the last frame, the model the one after it.
        let end = min(max(region.loopEnd.map { $0 + 1 } ?? own?.1 ?? last + 1, 0), last + 1)
        switch region.loopMode {
        case "loop_continuous": values[Generator.sampleModes.index] = 1
        case "loop_sustain": values[Generator.sampleModes.index] = 3
        // A key that goes up ends nothing: the release is as long as there is one.
        case "one_shot": values[Generator.volumeRelease.index] = 8_000
        case "no_loop": break
        default: values[Generator.sampleModes.index] = own == nil && region.loopStart == nil ? 0 : 1
        }
        Self.setFrames(&values, .loopStartOffset, .loopStartCoarseOffset, start - (own?.0 ?? 0))
        Self.setFrames(&values, .loopEndOffset, .loopEndCoarseOffset, end - (own?.1 ?? last + 1))
        for channel in 0..<audio.channels {
            // Pan is balance if there are two sides: one voice stays at its side, and the other sinks.
            let side = audio.channels == 1 ? 0.0 : channel == 0 ? -100 : 100
            values[Generator.pan.index] = Float(5 * (side == 0 ? region.pan : side))
            var voice = Voice(
                keys: region.keys, velocities: region.velocities, values: values, modulators: region.modulators,
                sample: audio.first + channel)
            if side * region.pan < 0 {
                let kept = 1 - abs(region.pan) / 100
                voice.values[Generator.attenuation.index] += kept <= 0.001 ? 1_440 : Float(-SFZRegion.centibels(kept))
            }
            voices.append(voice)
        }
    }

    private static func setFrames(_ values: inout [Float], _ fine: Generator, _ coarse: Generator, _ frames: Double) {
        let parts = Int(frames).quotientAndRemainder(dividingBy: 32_768)
        values[fine.index] = Float(parts.remainder)
        values[coarse.index] = Float(parts.quotient)
    }
}
