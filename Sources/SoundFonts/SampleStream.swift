import Synchronization

/// A sample that is too long for the memory: some of its pages stay, the others are read from the file when they are wanted.
///
/// The channels of an audio file are one stream, so that it is decoded once. Control side, any thread.
///
/// Sendable: what reads the file holds `turn`.
package final class SampleStream: @unchecked Sendable {
    struct Key: Hashable {
        var file: FileIdentity
        var sample: Int
        var stored: StoredSample
        var channels: [Int]
        /// True if a voice of the SoundFont model loops it: then the loudest frame of the loop counts.
        var needsPeak: Bool
    }

    /// Frames that are read at once, and that stay of the beginning if there is room for it.
    package static let reach = 131_072
    /// Frames that are decoded at once: whole pages, and little memory besides.
    private static let part = 16_384

    /// The frames of each channel.
    package let channels: [UnsafeMutablePointer<StreamedFrames>]
    /// The name of the sample in its file.
    package let name: String
    /// The loudest frame of the loop, 0...1.
    let loopPeak: Float
    private let memory: SampleMemory
    private let source: any FrameSource
    private let turn = Mutex(())
    /// Never held while the file is read.
    private let trouble = Mutex<SoundFontError?>(nil)

    /// Looks for the loudest frame of `loop`. Throws what the file throws.
    init(_ source: any FrameSource, name: String, loop: Range<Int>, _ memory: SampleMemory) throws(SoundFontError) {
        loopPeak = try Self.peak(loop, source)
        (self.source, self.name, self.memory) = (source, name, memory)
        channels = (0..<source.channels).map { _ in
            let table = UnsafeMutablePointer<StreamedFrames>.allocate(capacity: 1)
            table.initialize(to: StreamedFrames(frames: source.frames, isFloat: source.isFloat))
            return table
        }
        memory.hold(tableBytes)
    }

    deinit {
        memory.forget(ObjectIdentifier(self))
        for table in channels {
            memory.free(table.pointee.places, count: table.pointee.pageCount)
            table.deinitialize(count: 1)
            table.deallocate()
        }
        memory.hold(-tableBytes)
    }

    /// The reason why it could not be read, and is silent from some frame on.
    package var fault: SoundFontError? { trouble.withLock { $0 } }

    private var tableBytes: Int {
        channels.count * StreamedFrames.byteCount(frames: source.frames, isFloat: source.isFloat)
    }
    private var frameBytes: Int { source.isFloat ? 4 : 2 }
    private var framesPerPage: Int { StreamedFrames.pageBytes / frameBytes }

    private static func peak(_ loop: Range<Int>, _ source: any FrameSource) throws(SoundFontError) -> Float {
        var peak: Float = 0
        try read(loop, source) { frames, parts in
            peak = max(peak, SampleBlock.peak(UnsafeRawPointer(parts[0]), isFloat: source.isFloat, 0..<frames.count))
            return true
        }
        return peak
    }

    /// Reads frames, some at a time, to memory that is gone after `body`, until that returns false.
    private static func read(
        _ frames: Range<Int>, _ source: any FrameSource, _ body: (Range<Int>, [UnsafeMutableRawPointer]) -> Bool
    ) throws(SoundFontError) {
        let bytes = min(frames.count, part) * (source.isFloat ? 4 : 2)
        let parts = (0..<source.channels).map { _ in UnsafeMutableRawPointer.allocate(byteCount: max(bytes, 64), alignment: 64) }
        defer { for part in parts { part.deallocate() } }
        var at = frames.lowerBound
        while at < frames.upperBound {
            let some = at..<min(at + part, frames.upperBound)
            try source.read(some, to: parts)
            if !body(some, parts) { return }
            at = some.upperBound
        }
    }

    /// Reads pages, and passes each of each channel to `body` until that returns false.
    private func readPages(
        _ pages: Range<Int>, _ body: (UnsafeMutablePointer<StreamedPage>, UnsafeRawPointer, _ bytes: Int) -> Bool
    ) throws(SoundFontError) {
        try Self.read(frames(of: pages), source) { frames, parts in
            for at in stride(from: frames.lowerBound, to: frames.upperBound, by: framesPerPage) {
                let page = at / framesPerPage, from = (at - frames.lowerBound) * frameBytes
                for (table, part) in zip(channels, parts) {
                    if !body(table.pointee.places + page, UnsafeRawPointer(part + from), bytes(of: page)) { return false }
                }
            }
            return true
        }
    }

    private func frames(of pages: Range<Int>) -> Range<Int> {
        pages.lowerBound * framesPerPage..<min(pages.upperBound * framesPerPage, source.frames)
    }

    private func bytes(of page: Int) -> Int { frames(of: page..<page + 1).count * frameBytes }

    /// How many of these pages of all channels do not stay so far.
    func missing(of pinned: [Range<Int>]) -> Int {
        memory.whileAllStay {
            pinned.joined().filter { $0 < channels[0].pointee.pageCount }.reduce(0) { count, page in
                count + channels.count { !$0.pointee.isKept(page) }
            }
        }
    }

    /// Lets pages stay from now on, and reads those that are not there. Throws what the file throws.
    func keep(_ pinned: [Range<Int>]) throws(SoundFontError) {
        let failed: SoundFontError? = turn.withLock { _ in
            defer { source.close() }
            do throws(SoundFontError) {
                for pages in pinned { try keepPages(pages) }
                return nil
            } catch { return error }
        }
        if let failed { throw failed }
    }

    private func keepPages(_ pages: Range<Int>) throws(SoundFontError) {
        let pages = pages.clamped(to: 0..<channels[0].pointee.pageCount)
        let wanted = memory.whileAllStay { pages.filter { page in channels.contains { !$0.pointee.isKept(page) } } }
        guard let first = wanted.first, let last = wanted.last else { return }
        try readPages(first..<last + 1) { place, from, bytes in
            memory.keep(place) { $0.copyMemory(from: from, byteCount: bytes) }
        }
    }

    /// Reads pages that are not there. Returns false if none could be, as the file is damaged or the memory taken.
    @discardableResult package func load(_ pages: Range<Int>) -> Bool { turn.withLock { _ in fill(pages) } }

    private func fill(_ pages: Range<Int>) -> Bool {
        let pages = pages.clamped(to: 0..<channels[0].pointee.pageCount)
        func isThere(_ page: Int) -> Bool { channels.allSatisfy { $0.pointee.page(page) != nil } }
        memory.noteOpen(self)
        guard fault == nil, let first = memory.whileAllStay({ pages.first { !isThere($0) } }) else { return false }
        var shown = 0
        do throws(SoundFontError) {
            try readPages(first..<pages.upperBound) { place, from, bytes in
                if memory.whileAllStay({ place.pointee.frames.load(ordering: .relaxed) != nil }) { return true }
                guard let room = memory.takePage() else { return false }
                room.copyMemory(from: from, byteCount: bytes)
                memory.show(room, at: place)
                shown += 1
                return true
            }
        } catch { trouble.withLock { $0 = error } }
        return shown > 0
    }

    /// Copies frames of a channel, read from the file if they are not in memory. Frames that cannot be read are silent.
    package func copy(_ channel: Int, _ frames: Range<Int>, to memory: UnsafeMutableRawPointer) {
        turn.withLock { _ in
            let table = channels[channel], first = frames.lowerBound / framesPerPage
            let last = (frames.upperBound - 1) / framesPerPage
            let burst = min(Self.reach / framesPerPage, max(self.memory.mostPages / (8 * channels.count), 1))
            // Once more, if another thread's pages have taken the place of these.
            for _ in 0..<2 {
                if self.memory.whileAllStay({ copyPages(table, frames, to: memory) }) { return }
                _ = fill(first..<max(last + 1, first + burst))
            }
            if self.memory.whileAllStay({ copyPages(table, frames, to: memory) }) { return }
            memory.initializeMemory(as: UInt8.self, repeating: 0, count: frames.count * frameBytes)
            guard fault == nil else { return }
            do throws(SoundFontError) {
                try Self.read(frames, source) { some, parts in
                    (memory + (some.lowerBound - frames.lowerBound) * frameBytes).copyMemory(
                        from: parts[channel], byteCount: some.count * frameBytes)
                    return true
                }
            } catch { trouble.withLock { $0 = error } }
        }
    }

    private func copyPages(
        _ table: UnsafeMutablePointer<StreamedFrames>, _ frames: Range<Int>, to memory: UnsafeMutableRawPointer
    ) -> Bool {
        var at = frames.lowerBound
        while at < frames.upperBound {
            guard let page = table.pointee.page(at / framesPerPage) else { return false }
            let inside = at % framesPerPage, count = min(framesPerPage - inside, frames.upperBound - at)
            (memory + (at - frames.lowerBound) * frameBytes).copyMemory(
                from: page + inside * frameBytes, byteCount: count * frameBytes)
            at += count
        }
        return true
    }

    /// Closes its file, if it is not being read now.
    func close() { _ = turn.withLockIfAvailable { _ in source.close() } }
}
