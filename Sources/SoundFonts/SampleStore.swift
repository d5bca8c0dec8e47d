/// The samples that some recipes play, in memory: 16 bits, 24 if the file has them, Vorbis decoded once.
///
/// Only the samples that the recipes name are read. A sample that cannot be read is silent, and listed in `faults`; the
/// others play. Control side.
package final class SampleStore: Sendable {
    /// The samples, ordered as the list's.
    package let samples: [PlayableSample]
    /// The errors of samples that could not be read.
    package let faults: [SoundFontError]
    /// Bytes that the samples take in memory, those of the program itself not counted.
    package let memory: Int
    private let blocks: [SampleBlock?]

    /// Reads what `list` plays out of `library`'s files. Throws `changed` if a file has changed since its check, and
    /// `cannotOpen`.
    package init(_ list: RecipeList, from library: SoundFontLibrary) throws(SoundFontError) {
        var blocks = [SampleBlock?](repeating: nil, count: list.samples.count)
        var stored = [StoredSample?](repeating: nil, count: list.samples.count)
        var faults: [SoundFontError] = []
        var encoded: [SampleDecoder.Job] = []
        for (number, file) in library.files.enumerated() {
            let wanted = list.samples.indices.filter { list.samples[$0].file == number }
            guard !wanted.isEmpty else { continue }
            let bytes = try SoundFontBytes(path: file.path)
            guard bytes.identity == file.identity else { throw .changed(path: file.path) }
            for index in wanted {
                guard let sample = file.storedSample(list.samples[index].sample) else { continue }
                stored[index] = sample
                let key = SampleBlock.Key(file: file.identity, sample: list.samples[index].sample)
                do throws(SoundFontError) {
                    if sample.encoding == .vorbis {
                        let stream = try bytes.read("smpl", at: sample.bytes.lowerBound, count: sample.bytes.count)
                        encoded.append(SampleDecoder.Job(index: index, key: key, path: file.path, bytes: stream))
                    } else {
                        blocks[index] = try SampleBlock.shared(key) { () throws(SoundFontError) in try sample.read(bytes) }
                    }
                } catch { faults.append(error) }
            }
        }
        for (index, result) in SampleDecoder.decode(encoded) {
            switch result {
            case .success(let block): blocks[index] = block
            case .failure(let error): faults.append(error)
            }
        }
        samples = zip(stored, blocks).map { sample, block in
            guard let sample, let block else { return PlayableSample.silent }
            return PlayableSample(sample, block)
        }
        memory = blocks.reduce(0) { $0 + ($1.map { $0.isOwned ? $0.byteCount : 0 } ?? 0) }
        self.blocks = blocks
        self.faults = faults
    }
}

extension PlayableSample {
    /// A sample that replaces one that could not be read; its data is never touched.
    static var silent: PlayableSample {
        PlayableSample(
            data: UnsafeRawPointer(bitPattern: 64)!, isFloat: false, frames: 0, loopStart: 0, loopEnd: 0, rate: 44_100,
            rootKey: 60, correction: 0, loopPeak: 0)
    }

    /// A loop outside the sample's own data is moved inside, as in libfluidsynth.
    init(_ sample: StoredSample, _ block: SampleBlock) {
        let frames = block.frames
        var (start, end) = (sample.loopStart, sample.loopEnd)
        if start > end { swap(&start, &end) }
        start = start < 0 ? 0 : min(start, frames)
        end = end < 0 ? frames : min(end, frames)
        self.init(
            data: block.data, isFloat: block.isFloat, frames: Int32(frames), loopStart: Int32(start), loopEnd: Int32(end),
            rate: Float(sample.rate), rootKey: Float(sample.rootKey), correction: Float(sample.correction),
            loopPeak: block.peak(start..<end))
    }
}

extension SampleBlock {
    /// The loudest frame of `range`, 0...1.
    func peak(_ range: Range<Int>) -> Float {
        var peak: Float = 0
        if isFloat {
            let samples = data.assumingMemoryBound(to: Float.self)
            for frame in range { peak = max(peak, abs(samples[frame])) }
        } else {
            let samples = data.assumingMemoryBound(to: Int16.self)
            var highest: Int32 = 0
            for frame in range { highest = max(highest, abs(Int32(samples[frame]))) }
            peak = Float(highest)
        }
        return peak / 32_768
    }
}
