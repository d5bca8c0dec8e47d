/// How the samples of some recipes come into a budget: all whole if there is room, else the long ones by streams, of which as
/// much stays in memory as there is room for. Control side.
struct SamplePlan {
    enum Way {
        case whole
        case streamed(Streaming)
        /// Another channel of the stream of sample `of`.
        case partner(of: Int, channel: Int)
    }

    /// A stream that is to be made.
    struct Streaming: Sendable {
        /// The channels of an audio file, in its order; of others one.
        var places: [Int]
        /// The channel among them that the sample is.
        var channel: Int
        /// Pages that stay.
        var pinned: [Range<Int>]
        /// The stream among those in use.
        var key: SampleStream.Key
    }

    let ways: [Way]
    /// Bytes of each sample for which there is room in the budget until it is loaded.
    let costs: [Int]

    /// Frames of a beginning that stay: the most that the budget has room for.
    private static let heads = [131_072, 65_536, 32_768, 16_384, 8_192]

    /// Throws `sampleMemory` if the shortest beginnings find no room.
    init(
        _ list: RecipeList, _ stored: [StoredSample?], _ library: SoundFontLibrary, _ budget: SampleMemory
    ) throws(SoundFontError) {
        let costs = stored.indices.map { index -> Int in
            let file = library.files[list.samples[index].file]
            let key = SampleBlock.Key(file: file.identity, sample: list.samples[index].sample)
            guard let sample = stored[index], budget.blocks[key] == nil else { return 0 }
            return file.identity == .embedded ? 0 : sample.wholeBytes
        }
        let whole = costs.reduce(0, +)
        if budget.reserve(whole) {
            (ways, self.costs) = (stored.map { _ in .whole }, costs)
            return
        }
        let starts = Self.starts(list, stored), looped = Self.looped(list), room = budget.room
        var least = 0
        for head in Self.heads {
            let ways = Self.ways(list, stored, library, costs, starts, looped, head: head)
            let parts = zip(ways, costs).map { Self.bytes($0, whole: $1, budget) }, bytes = parts.reduce(0, +)
            least = bytes + bytes / 4
            // Pages need room too: half of what there is, or at least a fifth with the shortest.
            let isLast = head == Self.heads.last, fits = isLast ? least <= room : bytes <= room / 2
            guard fits && budget.reserve(bytes) || isLast && budget.overdraw(bytes) else { continue }
            (self.ways, self.costs) = (ways, parts)
            return
        }
        throw .sampleMemory(path: library.files.first?.path ?? "", needed: budget.limit - room + least, limit: budget.limit)
    }

    private static func bytes(_ way: Way, whole: Int, _ budget: SampleMemory) -> Int {
        switch way {
        case .whole: whole
        case .streamed(let way):
            if let inUse = budget.streams[way.key] {
                inUse.missing(of: way.pinned) * StreamedFrames.pageBytes
            } else {
                way.places.count
                    * (way.pinned.reduce(0) { $0 + $1.count } * StreamedFrames.pageBytes
                        + StreamedFrames.byteCount(frames: way.key.stored.frames, isFloat: way.key.stored.streamedBytes == 4))
            }
        case .partner: 0
        }
    }

    /// The frames at which voices begin, for each sample.
    private static func starts(_ list: RecipeList, _ stored: [StoredSample?]) -> [Set<Int>] {
        var starts = [Set<Int>](repeating: [], count: stored.count)
        for (index, recipe) in list.recipes.enumerated() {
            let values = index * Generator.count
            var start =
                Double(list.generators[values + Generator.startOffset.index])
                + 32_768 * Double(list.generators[values + Generator.startCoarseOffset.index])
            if recipe.plan >= 0 { start += Double(list.regions.plans[Int(recipe.plan)].start.offset) }
            starts[Int(recipe.sample)].insert(Int(min(max(start, 0), 1e9)))
        }
        return starts
    }

    private static func looped(_ list: RecipeList) -> [Bool] {
        var looped = [Bool](repeating: false, count: list.samples.count)
        for (index, recipe) in list.recipes.enumerated() where recipe.plan < 0 {
            let mode = Int(list.generators[index * Generator.count + Generator.sampleModes.index])
            if mode & 1 == 1 { looped[Int(recipe.sample)] = true }
        }
        return looped
    }

    private static func ways(
        _ list: RecipeList, _ stored: [StoredSample?], _ library: SoundFontLibrary, _ costs: [Int], _ starts: [Set<Int>],
        _ looped: [Bool], head: Int
    ) -> [Way] {
        var ways = stored.map { _ in Way.whole }
        var files: [AudioKey: [Int]] = [:], order: [[Int]] = []
        for (index, sample) in stored.enumerated() {
            guard let sample, costs[index] > 0, sample.frames > 2 * head, sample.streamedBytes != nil else { continue }
            if let key = AudioKey(sample, file: list.samples[index].file) {
                files[key, default: []].append(index)
            } else {
                order.append([index])
            }
        }
        order += files.values
        for group in order {
            guard let first = group.min(), let sample = stored[first], let bytes = sample.streamedBytes else { continue }
            let members = group.sorted { (stored[$0]?.place ?? 0, $0) < (stored[$1]?.place ?? 0, $1) }
            let begins = members.reduce(into: Set<Int>()) { $0.formUnion(starts[$1]) }
            let pinned = pages(begins, head: head, perPage: StreamedFrames.pageBytes / bytes, frames: sample.frames)
            let source = list.samples[first], places = members.map { stored[$0]?.place ?? 0 }
            let key = SampleStream.Key(
                file: library.files[source.file].identity, sample: source.sample, stored: sample, channels: places,
                needsPeak: looped[first])
            for (channel, index) in members.enumerated() {
                ways[index] =
                    index == first
                    ? .streamed(Streaming(places: places, channel: channel, pinned: pinned, key: key))
                    : .partner(of: first, channel: channel)
            }
        }
        return ways
    }

    /// An audio file as regions of a library's file play it: its channels are read together.
    struct AudioKey: Hashable {
        var file: Int
        var path: String
        var identity: FileIdentity
        var treatment: SampleTreatment

        /// Nil for other samples.
        init?(_ sample: StoredSample, file: Int) {
            guard case .audioFile(let path, let identity, _) = sample.encoding else { return nil }
            (self.file, self.path, self.identity, treatment) = (file, path, identity, sample.treatment)
        }
    }

    /// The pages of `head` frames from each beginning on, in order, none twice.
    private static func pages(_ starts: Set<Int>, head: Int, perPage: Int, frames: Int) -> [Range<Int>] {
        let count = (frames + perPage - 1) / perPage
        var pages: [Range<Int>] = []
        for start in starts.sorted() {
            let first = min(start, frames - 1) / perPage
            let last = min((min(start, frames - 1) + head + perPage - 1) / perPage, count)
            let begin = max(first, pages.last?.upperBound ?? 0)
            if begin < last { pages.append(begin..<last) }
        }
        return pages
    }
}

extension SamplePlan.Streaming {
    /// Makes the stream, or takes the same one that is in use.
    func stream(
        _ sample: StoredSample, _ number: Int, _ name: String, _ file: OpenSoundFont, _ budget: SampleMemory
    ) throws(SoundFontError) -> SampleStream {
        let stream = try budget.streams.shared(key) { () throws(SoundFontError) in
            let source: any FrameSource =
                switch sample.encoding {
                case .audioFile(let path, let identity, _):
                    AudioFrames(
                        path, identity, places, sample.treatment, frames: sample.frames, isFloat: sample.streamedBytes == 4)
                case .vorbis: EncodedFrames(sample, sample: number, frames: sample.frames, file)
                case .pcm8, .pcm16, .pcm24, .generated: PlainFrames(sample, file)
                }
            try source.countFrames()
            return try SampleStream(
                source, name: name, loop: key.needsPeak ? sample.loop(frames: source.frames) : 0..<0, budget)
        }
        try stream.keep(pinned)
        return stream
    }
}

extension StoredSample {
    /// The channel of an audio file that it is.
    var place: Int { if case .audioFile(_, _, let channel) = encoding { channel } else { 0 } }

    /// Bytes of a frame when it is streamed; nil for what must be loaded whole.
    var streamedBytes: Int? {
        switch encoding {
        case .pcm8, .pcm16, .vorbis: 2
        case .pcm24: 4
        case .generated: nil
        case .audioFile:
            switch streaming {
            case .words: treatment.fade == 0 ? 2 : 4
            case .floats: 4
            case nil: nil
            }
        }
    }

    /// Bytes in memory when it is loaded whole.
    var wholeBytes: Int {
        if case .generated = encoding { return GeneratedWave.frames * 4 }
        return frames * (streamedBytes ?? 4)
    }
}
