import AudioFiles
import Synchronization

/// The samples that some recipes play, in memory: 16 bits, 24 where the file has them, Vorbis decoded once.
///
/// Only what the recipes name is read. A sample that cannot be read is silent, and told in `faults`; the others play.
/// Control side.
package final class SampleStore: Sendable {
    /// The samples, ordered as the list's.
    package let samples: [PlayableSample]
    /// What could not be read.
    package let faults: [SoundFontError]
    /// Bytes that the samples take in memory, those of the program itself not counted.
    package let memory: Int
    private let blocks: [SampleBlock?]

    /// Reads what `list` plays out of `library`'s files. Throws `changed` when a file is not any more what was checked, and
    /// `cannotOpen`.
    package init(_ list: RecipeList, from library: SoundFontLibrary) throws(SoundFontError) {
        var blocks = [SampleBlock?](repeating: nil, count: list.samples.count)
        var faults: [SoundFontError] = []
        var encoded: [SampleDecoder.Job] = []
        for (number, file) in library.files.enumerated() {
            let wanted = list.samples.indices.filter { list.samples[$0].file == number }
            guard !wanted.isEmpty, let contents = file.contents else { continue }
            let bytes = try SoundFontBytes(path: file.path)
            guard bytes.identity == file.identity else { throw .changed(path: file.path) }
            for index in wanted {
                let sample = list.samples[index].sample
                let header = contents.samples[sample]
                do throws(SoundFontError) {
                    if header.isCompressed {
                        encoded.append(
                            SampleDecoder.Job(
                                index: index, key: .init(file: file.identity, sample: sample), path: file.path,
                                bytes: try Self.encoded(bytes, contents, header)))
                    } else {
                        blocks[index] = try SampleBlock.shared(.init(file: file.identity, sample: sample)) {
                            () throws(SoundFontError) in try Self.read(bytes, contents, header)
                        }
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
        samples = list.samples.indices.map { index in
            let source = list.samples[index]
            guard let header = library.files[source.file].contents?.samples[source.sample], let block = blocks[index] else {
                return PlayableSample.silent
            }
            return PlayableSample(header, block)
        }
        memory = blocks.reduce(0) { $0 + ($1.map { $0.isOwned ? $0.byteCount : 0 } ?? 0) }
        self.blocks = blocks
        self.faults = faults
    }

    private static func encoded(
        _ file: borrowing SoundFontBytes, _ contents: SoundFontContents, _ header: SampleHeader
    ) throws(SoundFontError) -> [UInt8] {
        let wave = contents.layout.wave
        // Converters differ in whether `end` is the last byte or one behind it.
        let end = min(header.end + 1, wave.count)
        return try file.read("smpl", at: wave.lowerBound + header.start, count: end - header.start)
    }

    private static func read(
        _ file: borrowing SoundFontBytes, _ contents: SoundFontContents, _ header: SampleHeader
    ) throws(SoundFontError) -> SampleBlock {
        let frames = header.end - header.start
        let start = contents.layout.wave.lowerBound + header.start * 2
        if let low = contents.layout.low {
            let upper = try file.read("smpl", at: start, count: frames * 2)
            let lower = try file.read("sm24", at: low.lowerBound + header.start, count: frames)
            let memory = SampleBlock.allocate(frames * 4)
            let samples = memory.bindMemory(to: Float.self, capacity: frames)
            for frame in 0..<frames {
                let word = Int16(truncatingIfNeeded: Int(upper[frame * 2]) | Int(upper[frame * 2 + 1]) << 8)
                samples[frame] = Float(Int32(word) << 8 | Int32(lower[frame])) / 256
            }
            return SampleBlock(owning: memory, isFloat: true, frames: frames)
        }
        if let own = file.ownBytes { return SampleBlock(borrowing: own + start, frames: frames) }
        let memory = SampleBlock.allocate(frames * 2)
        do throws(SoundFontError) {
            try file.read(start..<start + frames * 2, to: memory)
        } catch {
            memory.deallocate()
            throw error
        }
        return SampleBlock(owning: memory, isFloat: false, frames: frames)
    }
}

extension PlayableSample {
    /// What stands for a sample that could not be read; its data is never touched.
    static var silent: PlayableSample {
        PlayableSample(
            data: UnsafeRawPointer(bitPattern: 64)!, isFloat: false, frames: 0, loopStart: 0, loopEnd: 0, rate: 44_100,
            rootKey: 60, correction: 0, loopPeak: 0)
    }

    /// A loop that lies outside the sample's own data is moved inside, as libfluidsynth does it. Compressed samples count
    /// their loop from their own start.
    init(_ header: SampleHeader, _ block: SampleBlock) {
        let origin = header.isCompressed ? 0 : header.start
        let frames = block.frames
        var (start, end) = (header.loopStart - origin, header.loopEnd - origin)
        if start > end { swap(&start, &end) }
        start = start < 0 ? 0 : min(start, frames)
        end = end < 0 ? frames : min(end, frames)
        self.init(
            data: block.data, isFloat: block.isFloat, frames: Int32(frames), loopStart: Int32(start), loopEnd: Int32(end),
            rate: Float(header.sampleRate), rootKey: Float(header.rootKey), correction: Float(header.correction),
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
