import AudioFiles

/// The samples of an SFZ file, each once for each way in which regions play it. Control side.
struct SFZSamples: Sendable {
    struct Audio: Sendable {
        var path: String, identity: FileIdentity
        var channels: Int, frames: Int, rate: Int
        var loop: Range<Int64>?
        /// How its frames can be streamed; nil if it must be loaded whole.
        var streaming: StoredSample.Streaming?
    }

    private struct Key: Hashable {
        var path: String
        var channel: Int
        var treatment: SampleTreatment
        var wave: GeneratedWave?
    }

    private(set) var samples: [StoredSample] = []
    private(set) var frames = 0
    private(set) var faults: [SoundFontFile.Fault] = []
    private let path: String
    private var files: [String: Audio?] = [:]
    private var indices: [Key: Int] = [:]
    private var folders = FolderNames()

    init(_ path: String) { self.path = path }

    /// The header of the audio file that a region names; nil if it cannot be played, which `faults` then has, once for a file.
    mutating func audio(_ name: String, line: Int) -> Audio? {
        let file = SFZText.joined(path, name)
        if let known = files[file] { return known }
        let found = open(file, name, line)
        files[file] = .some(found)
        return found
    }

    private mutating func open(_ file: String, _ name: String, _ line: Int) -> Audio? {
        var file = file
        var identity = file == SoundFontStorage.embeddedName ? nil : FileIdentity(path: file)
        if identity == nil, let other = folders.inOtherCase(path, name) {
            faults.append(.sampleInOtherCase(name: name, line: line, found: other))
            file = SFZText.joined(path, other)
            identity = FileIdentity(path: file)
        }
        guard let identity else {
            faults.append(.missingSample(name: name, line: line, reason: "there is no such file"))
            return nil
        }
        do throws(AudioFileError) {
            let reader = try AudioFileReader(path: file), count = Int(clamping: reader.frames)
            guard SampleHeader.sampleRates.contains(reader.sampleRate), (8...VorbisStream.framesPerSample).contains(count) else {
                let reason = "\(count) frames at \(reader.sampleRate) Hz are no sample"
                faults.append(.missingSample(name: name, line: line, reason: reason))
                return nil
            }
            return Audio(
                path: file, identity: identity, channels: min(reader.channels, 2), frames: count, rate: reader.sampleRate,
                loop: reader.loop, streaming: .init(reader))
        } catch {
            faults.append(.missingSample(name: name, line: line, reason: error.description))
            return nil
        }
    }

    /// The index of a channel of a file, played in one way.
    mutating func index(_ audio: Audio, channel: Int, _ treatment: SampleTreatment) -> Int {
        index(Key(path: audio.path, channel: channel, treatment: treatment), frames: audio.frames) {
            let loop = audio.loop.map { (Int($0.lowerBound), Int($0.upperBound)) } ?? (0, audio.frames)
            var sample = StoredSample(
                .audioFile(path: audio.path, identity: audio.identity, channel: channel), 0..<audio.frames, stride: 1,
                loop: loop, rate: audio.rate)
            sample.treatment = treatment
            sample.streaming = audio.streaming
            return sample
        }
    }

    mutating func index(_ wave: GeneratedWave) -> Int {
        let key = Key(path: "", channel: 0, treatment: SampleTreatment(), wave: wave)
        return index(key, frames: GeneratedWave.frames) {
            StoredSample(
                .generated(wave), 0..<0, stride: 1, loop: (0, GeneratedWave.frames), rate: GeneratedWave.rate,
                rootKey: GeneratedWave.rootKey)
        }
    }

    private mutating func index(_ key: Key, frames: Int, _ make: () -> StoredSample) -> Int {
        if let known = indices[key] { return known }
        indices[key] = samples.count
        samples.append(make())
        self.frames += frames
        return samples.count - 1
    }
}
