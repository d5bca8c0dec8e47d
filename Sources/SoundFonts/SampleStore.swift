import Synchronization

/// The samples that some recipes play: 16 bits, 24 if the file has them, Vorbis decoded once. They are whole in memory if its
/// budget has room for all of them, else the long ones are streamed.
///
/// Only the samples that the recipes name are read. A sample that cannot be read is silent, and listed in `faults`; the
/// others play. Control side.
package final class SampleStore: Sendable {
    /// A sample that is streamed, as the list numbers it: the stream and its channel.
    package struct Streamed: Sendable {
        package let stream: SampleStream
        package let channel: Int
        /// Index of the file in the library.
        package let file: Int
    }

    /// The samples, ordered as the list's.
    package let samples: [PlayableSample]
    /// The errors of samples that could not be read.
    package let faults: [SoundFontError]
    /// Bytes that the samples take in memory, those of the program itself and pages of streams not counted.
    package let memory: Int
    /// The samples that are streamed, ordered as the list's; nil for those that are whole.
    package let streams: [Streamed?]
    /// The budget.
    package let budget: SampleMemory
    private let blocks: [SampleBlock?]

    /// Reads what `list` plays out of `library`'s files. Throws `changed` if a file has changed since its check,
    /// `cannotOpen`, and `sampleMemory` if the budget has no room even for the beginnings.
    package init(
        _ list: RecipeList, from library: SoundFontLibrary, in budget: SampleMemory = .process
    ) throws(SoundFontError) {
        self.budget = budget
        let stored = list.samples.map { library.files[$0.file].storedSample($0.sample) }
        let plan = try SamplePlan(list, stored, library, budget)
        let claim = SampleClaim(budget, plan.costs)
        var loaded = [LoadedSample?](repeating: nil, count: stored.count)
        var faults: [SoundFontError] = []
        var jobs: [SampleDecoder.Job] = [], partners: [(index: Int, of: Int, channel: Int)] = []
        for (number, file) in library.files.enumerated() {
            let wanted = list.samples.indices.filter { list.samples[$0].file == number }
            guard !wanted.isEmpty else { continue }
            let open = OpenSoundFont(try SoundFontBytes(path: file.path))
            guard open.bytes.identity == file.identity else { throw .changed(path: file.path) }
            // Channels of a file, which are decoded once; of other kinds one sample.
            @Sendable func blocks(_ group: [Int]) throws(SoundFontError) -> [LoadedSample] {
                defer { for index in group { claim.end(index) } }
                guard let sample = stored[group[0]] else { return [] }
                let keys = group.map { SampleBlock.Key(file: file.identity, sample: list.samples[$0].sample) }
                var blocks = keys.compactMap { budget.blocks[$0] }
                if blocks.count < group.count {
                    let channels = group.map { stored[$0]?.place ?? 0 }
                    blocks = zip(keys, try sample.read(open.bytes, number: keys[0].sample, channels: channels, budget)).map {
                        key, block in budget.blocks.shared(key) { block }
                    }
                }
                return blocks.map { .whole($0) }
            }
            var files: [SamplePlan.AudioKey: [Int]] = [:], decoded: [[Int]] = []
            for index in wanted {
                guard let sample = stored[index] else { continue }
                switch plan.ways[index] {
                case .whole where sample.encoding == .vorbis: decoded.append([index])
                case .whole:
                    if let key = SamplePlan.AudioKey(sample, file: number) {
                        files[key, default: []].append(index)
                        continue
                    }
                    do throws(SoundFontError) { loaded[index] = try blocks([index])[0] } catch { faults.append(error) }
                case .streamed(let way):
                    let place = list.samples[index].sample, name = file.sampleName(place)
                    jobs.append(
                        .init(indices: [index]) { () throws(SoundFontError) in
                            defer { claim.end(index) }
                            return [.streamed(try way.stream(sample, place, name, open, budget), channel: way.channel)]
                        })
                case .partner(let other, let channel): partners.append((index, other, channel))
                }
            }
            for group in (decoded + files.values).sorted(by: { $0[0] < $1[0] }) {
                jobs.append(.init(indices: group) { () throws(SoundFontError) in try blocks(group) })
            }
        }
        for (index, result) in SampleDecoder.decode(jobs) {
            switch result {
            case .success(let sample): loaded[index] = sample
            case .failure(let error): faults.append(error)
            }
        }
        for (index, other, channel) in partners {
            if case .streamed(let stream, _) = loaded[other] { loaded[index] = .streamed(stream, channel: channel) }
        }
        samples = zip(stored, loaded).map { sample, loaded in
            guard let sample, let loaded else { return PlayableSample.silent }
            return PlayableSample(sample, loaded)
        }
        blocks = loaded.map { if case .whole(let block) = $0 { block } else { nil } }
        streams = zip(loaded, list.samples).map { loaded, source in
            guard case .streamed(let stream, let channel) = loaded else { return nil }
            return Streamed(stream: stream, channel: channel, file: source.file)
        }
        memory = blocks.reduce(0) { $0 + ($1.map { $0.isOwned ? $0.byteCount : 0 } ?? 0) }
        self.faults = faults
        // What decoders took for a moment goes back to the system before pages come.
        if streams.contains(where: { $0 != nil }) { SoundFontStorage.giveBackMemory() }
    }
}

/// Room in a budget for samples that are being loaded: each gives its room back once it counts itself, and the last what is left.
private final class SampleClaim: Sendable {
    private let budget: SampleMemory
    private let left: Mutex<[Int]>

    init(_ budget: SampleMemory, _ costs: [Int]) {
        self.budget = budget
        left = Mutex(costs)
    }

    deinit { budget.giveBack(reserved: left.withLock { $0.reduce(0, +) }) }

    /// Sample `index` is loaded, or cannot be.
    func end(_ index: Int) {
        budget.giveBack(
            reserved: left.withLock { left in
                defer { left[index] = 0 }
                return left[index]
            })
    }
}

extension PlayableSample {
    /// A sample that replaces one that could not be read; its data is never touched.
    static var silent: PlayableSample {
        PlayableSample(
            data: nowhere, isFloat: false, frames: 0, loopStart: 0, loopEnd: 0, rate: 44_100, rootKey: 60, correction: 0,
            loopPeak: 0)
    }

    private static var nowhere: UnsafeRawPointer { UnsafeRawPointer(bitPattern: 64)! }

    init(_ sample: StoredSample, _ loaded: LoadedSample) {
        switch loaded {
        case .whole(let block):
            let loop = sample.loop(frames: block.frames)
            self.init(
                sample, data: block.data, isFloat: block.isFloat, frames: block.frames,
                loopPeak: SampleBlock.peak(block.data, isFloat: block.isFloat, loop))
        case .streamed(let stream, let channel):
            let frames = stream.channels[channel]
            self.init(
                sample, data: Self.nowhere, isFloat: frames.pointee.isFloat, frames: frames.pointee.frames,
                loopPeak: stream.loopPeak)
            self.stream = UnsafePointer(frames)
        }
    }

    private init(_ sample: StoredSample, data: UnsafeRawPointer, isFloat: Bool, frames: Int, loopPeak: Float) {
        let loop = sample.loop(frames: frames)
        self.init(
            data: data, isFloat: isFloat, frames: Int32(frames), loopStart: Int32(loop.lowerBound),
            loopEnd: Int32(loop.upperBound), rate: Float(sample.rate), rootKey: Float(sample.rootKey),
            correction: Float(sample.correction), loopPeak: loopPeak)
    }
}

extension StoredSample {
    /// The loop. One outside the sample's own data is moved inside, as in libfluidsynth.
    func loop(frames: Int) -> Range<Int> {
        var (start, end) = (loopStart, loopEnd)
        if start > end { swap(&start, &end) }
        start = start < 0 ? 0 : min(start, frames)
        end = end < 0 ? frames : min(end, frames)
        return start..<end
    }
}

extension SampleBlock {
    /// The loudest frame of `range`, 0...1.
    static func peak(_ data: UnsafeRawPointer, isFloat: Bool, _ range: Range<Int>) -> Float {
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
