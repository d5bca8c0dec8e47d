// [render]
import Synchronization

/// The frames of a streamed sample as voices find them: pages in memory, and nothing where a page is not there now.
///
/// The control side fills pages in and takes them away. The render side reads a page between `enter` and `leave` of its
/// `SampleGuard`, and keeps no pointer to it.
package struct StreamedFrames: ~Copyable, @unchecked Sendable {
    /// Bytes of a page, of any sample.
    package static var pageBytes: Int { @_noLocks get { 16_384 } }

    /// True if frames are floats, false if they are `Int16`.
    package let isFloat: Bool
    package let frames: Int
    package let pageCount: Int
    /// Frames of sound that were silent because pages came too late.
    package let late = Atomic<Int>(0)
    let places: UnsafeMutablePointer<StreamedPage>

    /// Control side.
    init(frames: Int, isFloat: Bool) {
        (self.frames, self.isFloat) = (frames, isFloat)
        pageCount = Self.pages(frames, isFloat: isFloat)
        places = .allocate(capacity: max(pageCount, 1))
        for index in 0..<max(pageCount, 1) { (places + index).initialize(to: StreamedPage()) }
    }

    private static func pages(_ frames: Int, isFloat: Bool) -> Int {
        let perPage = pageBytes / (isFloat ? 4 : 2)
        return (frames + perPage - 1) / perPage
    }

    /// Bytes that one takes besides its pages.
    static func byteCount(frames: Int, isFloat: Bool) -> Int {
        pages(frames, isFloat: isFloat) * MemoryLayout<StreamedPage>.stride
    }

    deinit {
        places.deinitialize(count: max(pageCount, 1))
        places.deallocate()
    }

    /// The number of frames of a page is 2 to the power of this.
    package var shift: Int { @_noLocks get { isFloat ? 12 : 13 } }
    package var framesPerPage: Int { @_noLocks get { 1 &<< shift } }

    /// A page's frames; nil if it is not there. The page stays a while from now on.
    @_noLocks package func page(_ index: Int) -> UnsafeRawPointer? {
        if index < 0 || index >= pageCount { return nil }
        guard let page = places[index].frames.load(ordering: .sequentiallyConsistent) else { return nil }
        places[index].isUsed.store(true, ordering: .relaxed)
        return UnsafeRawPointer(page)
    }

    /// True if a page is there and stays. Control side.
    func isKept(_ index: Int) -> Bool { places[index].isKept }

    /// Counts frames that were silent.
    @_noLocks package func countLate(_ frames: Int) { late.add(frames, ordering: .relaxed) }
}

/// Where a page is found.
struct StreamedPage: ~Copyable {
    /// Its frames; nil if they are not in memory now.
    let frames = Atomic<UnsafeMutableRawPointer?>(nil)
    /// True if it was read since the last look.
    let isUsed = Atomic<Bool>(false)
    /// True if it stays. Control side.
    var isKept = false
}

/// Says when one thread of the render side reads pages, so that none is taken away meanwhile.
package struct SampleGuard: ~Copyable {
    /// Odd while it reads.
    let turns = Atomic<UInt32>(0)

    /// Control side.
    package init() {}

    @_noLocks package func enter() {
        turns.store(turns.load(ordering: .relaxed) &+ 1, ordering: .sequentiallyConsistent)
    }

    @_noLocks package func leave() { turns.store(turns.load(ordering: .relaxed) &+ 1, ordering: .releasing) }
}
