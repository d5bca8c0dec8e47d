import Glibc
import RealtimeCore
import SoundFonts

/// A SoundFont file as the library gets to read it: whole, or with the samples of some presets alone.
///
/// The library's own way of loading single presets plays 46 frames too many of every sample that does not loop, into the next
/// sample if the gap is shorter. So it loads "everything", through this: samples that no wanted preset uses get no length,
/// and of the sample data only wanted parts are copied; pages that are not written take no memory. Control side.
final class SampleSubset {
    /// The name that the library takes for the file's: its cache shares samples under it, so each subset has its own.
    let name: String
    private let storage: SoundFontStorage
    private let size: Int
    private let layout: SoundFontContents.Layout
    /// Parts of the file's sample data to copy, in order; nil copies all.
    private let parts: [Range<Int>]?
    private let hidden: [Int]
    /// The library reads a SoundFont's tables a few bytes at a time: small reads come out of this stretch of the file.
    private let window: UnsafeMutableRawPointer
    private var inWindow = 0..<0
    private static let windowSize = 65_536
    private(set) var position = 0

    /// With `wanted`, for these alone. Nil for a file that is not an SF2 or SF3. Throws `changed` if it has changed since the
    /// check.
    init?(_ file: SoundFontFile, wanted: [SoundFontFile.Preset]?) throws(SoundFontError) {
        guard let contents = file.contents else { return nil }
        let storage = try SoundFontStorage(path: file.path)
        guard storage.identity == file.identity else { throw .changed(path: file.path) }
        size = storage.size
        self.storage = storage
        let identity = file.identity
        layout = contents.layout
        var name = "\(file.path):\(identity.seconds).\(identity.nanoseconds):\(identity.size)"
        if let wanted {
            let used = contents.samplesUsed(by: wanted)
            hidden = used.indices.filter { !used[$0] || contents.samples[$0].isDamaged }
            parts = contents.parts(used)
            // FNV-1a over the bits: equal subsets share, different ones do not.
            var hash: UInt64 = 0xCBF2_9CE4_8422_2325
            for bit in used { hash = (hash ^ (bit ? 1 : 2)) &* 0x100_0000_01B3 }
            name += ":\(hash)"
        } else {
            hidden = contents.samples.indices.filter { contents.samples[$0].isDamaged }
            parts = nil
        }
        self.name = name
        // Last: an initializer that gives up runs no `deinit`.
        window = .allocate(byteCount: Self.windowSize, alignment: 16)
    }

    deinit { window.deallocate() }

    func seek(_ offset: Int, _ origin: Int32) -> Int32 {
        let (target, overflow) = (origin == SEEK_SET ? 0 : origin == SEEK_CUR ? position : size)
            .addingReportingOverflow(offset)
        guard !overflow, target >= 0, target <= size else { return -1 }
        position = target
        return 0
    }

    /// The library's read: all `count` bytes and 0, or -1.
    func read(_ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int32 {
        let start = position
        guard let buffer, count >= 0, count <= size - start else { return -1 }
        let range = start..<start + count
        position = range.upperBound
        // A SoundFont has a hundred thousand fields: nearly every read ends here.
        if range.lowerBound >= inWindow.lowerBound, range.upperBound <= inWindow.upperBound {
            buffer.copyMemory(from: window + (start - inWindow.lowerBound), byteCount: count)
            return 0
        }
        if let parts, range.lowerBound >= layout.wave.lowerBound, range.upperBound <= layout.wave.upperBound {
            for part in parts where part.overlaps(range) {
                guard fetch(part.clamped(to: range), to: buffer, from: start) else { return -1 }
            }
            return 0
        }
        guard count <= 4096 else { return fetchTables(range, to: buffer) ? 0 : -1 }
        guard fillWindow(from: start, count) else { return -1 }
        buffer.copyMemory(from: window, byteCount: count)
        return 0
    }

    /// At least `count` bytes from `start` on, and no sample data that is not wanted.
    private func fillWindow(from start: Int, _ count: Int) -> Bool {
        var next = start..<min(start + Self.windowSize, size)
        if parts != nil, start < layout.wave.lowerBound {
            next = start..<min(next.upperBound, max(layout.wave.lowerBound, start + count))
        }
        inWindow = 0..<0
        guard fetchTables(next, to: window) else { return false }
        inWindow = next
        return true
    }

    /// Reads `range` of the file to `buffer`, with the headers of hidden samples as the library is to see them.
    private func fetchTables(_ range: Range<Int>, to buffer: UnsafeMutableRawPointer) -> Bool {
        guard fetch(range, to: buffer, from: range.lowerBound) else { return false }
        if range.overlaps(layout.headers), !hidden.isEmpty { hide(range, buffer) }
        return true
    }

    private func fetch(_ range: Range<Int>, to buffer: UnsafeMutableRawPointer, from start: Int) -> Bool {
        storage.read(range, to: buffer + (range.lowerBound - start)).code == 0
    }

    /// Start and end of hidden samples become 0, as far as they lie in `range`.
    private func hide(_ range: Range<Int>, _ buffer: UnsafeMutableRawPointer) {
        let first = max(range.lowerBound - layout.headers.lowerBound, 0) / 46
        let last = (min(range.upperBound, layout.headers.upperBound) - 1 - layout.headers.lowerBound) / 46
        for sample in first...max(first, last) where isHidden(sample) {
            let field = layout.headers.lowerBound + sample * 46 + 20
            for byte in field..<field + 8 where range.contains(byte) {
                (buffer + (byte - range.lowerBound)).storeBytes(of: 0, as: UInt8.self)
            }
        }
    }

    private func isHidden(_ sample: Int) -> Bool {
        let place = hidden.partitioningIndex { $0 >= sample }
        return place < hidden.count && hidden[place] == sample
    }
}

extension SoundFontContents {
    /// With the silence that follows each. Compressed samples are read one by one: all of the data then.
    func parts(_ used: [Bool]) -> [Range<Int>]? {
        guard !isCompressed else { return nil }
        var parts: [Range<Int>] = []
        let order = used.indices.filter { used[$0] && samples[$0].isPlayable }.sorted {
            (samples[$0].start, $0) < (samples[$1].start, $1)
        }
        for index in order {
            let start = layout.wave.lowerBound + samples[index].start * 2
            let end = min(layout.wave.lowerBound + samples[index].end * 2 + 128, layout.wave.upperBound)
            guard start < end else { continue }
            if let last = parts.last, start <= last.upperBound {
                parts[parts.count - 1] = last.lowerBound..<max(end, last.upperBound)
            } else {
                parts.append(start..<end)
            }
        }
        return parts
    }
}
