import Glibc
import Synchronization

/// The memory that samples may take: one budget for all samplers that share it. The program has one.
///
/// Samples that fit are whole in memory. Of those that do not, a part stays and the rest comes in pages, as many as the
/// budget has room for; the page that was not read for the longest time goes first. Control side, any thread.
///
/// Sendable: everything that changes is under `lock`.
package final class SampleMemory: @unchecked Sendable {
    /// The program's.
    package static let process = SampleMemory(limit: usualLimit, isFirm: false)
    /// 1 GiB.
    package static let usualLimit = 1 << 30
    /// Pages that there are in any case, so that a budget that others have used up does not stop the sound.
    private static let fewestPages = 64
    /// Sources whose files are open at once.
    private static let openSources = 32
    /// Bytes that decoders of these take, and the holes that they leave in the heap.
    private static let mostAside = 24 << 20

    /// The samples in use: those that are whole, and those that are streamed.
    let blocks = WeakTable<SampleBlock.Key, SampleBlock>(), streams = WeakTable<SampleStream.Key, SampleStream>()
    private let lock = Mutex(())
    private var bound: Int
    private var held = 0, reserved = 0
    /// Pages that can be taken away, the place in them where the next search begins, and those that are being filled.
    private var pages: [Page] = []
    private typealias Page = (frames: UnsafeMutableRawPointer, place: UnsafeMutablePointer<StreamedPage>)
    private var pageMemory = PageMemory()
    private var hand = 0, filling = 0
    private var guards: [UnsafePointer<SampleGuard>] = []
    private var opened: [(id: ObjectIdentifier, stream: Weak<SampleStream>)] = []
    /// True if its limit was chosen: then it holds, also for samples that cannot be streamed.
    private var isFirm: Bool
    private let parts = Atomic<Int>(0)

    package init(limit: Int, isFirm: Bool = true) { (bound, self.isFirm) = (limit, isFirm) }

    /// The most bytes that samples may take, in all.
    package var limit: Int {
        get { lock.withLock { _ in bound } }
        set { lock.withLock { _ in (bound, isFirm) = (newValue, true) } }
    }

    /// Bytes that samples take now, pages included.
    package var used: Int { lock.withLock { _ in held + (pages.count + filling) * StreamedFrames.pageBytes } }

    /// Bytes that can be reserved now.
    var room: Int { lock.withLock { _ in max(bound - held - reserved, 0) } }

    /// Keeps room for samples that are about to be loaded; false if there is none.
    func reserve(_ bytes: Int) -> Bool {
        lock.withLock { _ in
            guard bytes <= bound - held - reserved else { return false }
            reserved += bytes
            shrink()
            return true
        }
    }

    /// Keeps room that there is not, for the least that can play; false if the limit was chosen.
    func overdraw(_ bytes: Int) -> Bool {
        lock.withLock { _ in
            if isFirm { return false }
            reserved += bytes
            shrink()
            return true
        }
    }

    func giveBack(reserved bytes: Int) { lock.withLock { _ in reserved -= bytes } }

    /// Counts bytes that stay, or, below 0, that are free again.
    func hold(_ bytes: Int) {
        parts.add(1, ordering: .relaxed)
        lock.withLock { _ in held += bytes }
    }

    /// Grows while samples are loaded. Takes no lock.
    package var progress: Int { parts.load(ordering: .relaxed) }

    /// A source's file was opened: the one that was opened first closes if there are too many and it is not being read.
    func noteOpen(_ stream: SampleStream) {
        let id = ObjectIdentifier(stream)
        let oldest: SampleStream? = lock.withLock { _ in
            if opened.contains(where: { $0.id == id }) { return nil }
            opened.append((id, Weak(value: stream)))
            return opened.count > Self.openSources ? opened.removeFirst().stream.value : nil
        }
        oldest?.close()
    }

    /// A stream goes.
    func forget(_ stream: ObjectIdentifier) { lock.withLock { _ in opened.removeAll { $0.id == stream } } }

    // MARK: - Pages

    /// Adds a reader of pages.
    package func add(_ reader: UnsafePointer<SampleGuard>) { lock.withLock { _ in guards.append(reader) } }
    package func remove(_ reader: UnsafePointer<SampleGuard>) { lock.withLock { _ in guards.removeAll { $0 == reader } } }

    /// Calls `body` while no page goes.
    func whileAllStay<R>(_ body: () -> R) -> R { lock.withLock { _ in body() } }

    /// The same; `body` gets the number of pages that there can be, and of readers.
    package func withPages<R>(_ body: (_ most: Int, _ readers: Int) -> R) -> R { lock.withLock { _ in body(most, guards.count) } }

    /// The number of pages that there is room for, apart from those that stay, and from what reading files takes besides them.
    var mostPages: Int { lock.withLock { _ in most } }
    private var most: Int {
        let aside = min(bound / 12, Self.mostAside)
        return max((bound - held - reserved - aside) / StreamedFrames.pageBytes, Self.fewestPages)
    }

    /// A page to be filled; nil if all are being filled, or the system has no memory.
    func takePage() -> UnsafeMutableRawPointer? {
        lock.withLock { _ in
            shrink()
            let page = pages.count + filling < most ? pageMemory.take() : evict()
            if page != nil { filling += 1 }
            return page
        }
    }

    /// Shows a page that was filled to the readers.
    func show(_ page: UnsafeMutableRawPointer, at place: UnsafeMutablePointer<StreamedPage>) {
        lock.withLock { _ in
            filling -= 1
            pages.append((page, place))
            place.pointee.isUsed.store(true, ordering: .relaxed)
            place.pointee.frames.store(page, ordering: .sequentiallyConsistent)
        }
    }

    /// Lets a page stay: the one that is there, else one that `fill` fills. Returns false if the system has no memory.
    func keep(_ place: UnsafeMutablePointer<StreamedPage>, _ fill: (UnsafeMutableRawPointer) -> Void) -> Bool {
        lock.withLock { _ in
            if place.pointee.isKept { return true }
            if place.pointee.frames.load(ordering: .relaxed) != nil {
                pages.removeAll { $0.place == place }
            } else {
                guard let page = pageMemory.take() else { return false }
                fill(page)
                place.pointee.frames.store(page, ordering: .sequentiallyConsistent)
            }
            place.pointee.isKept = true
            held += StreamedFrames.pageBytes
            return true
        }
    }

    /// Frees the pages of a sample that is not played any more.
    func free(_ places: UnsafeMutablePointer<StreamedPage>, count: Int) {
        lock.withLock { _ in
            pages.removeAll { $0.place >= places && $0.place < places + count }
            for place in 0..<count {
                guard let page = places[place].frames.load(ordering: .relaxed) else { continue }
                if places[place].isKept { held -= StreamedFrames.pageBytes }
                pageMemory.give(page)
            }
        }
    }

    /// Frees pages that there is no room for any more. With the lock.
    private func shrink() {
        while pages.count + filling > most, let page = evict() { pageMemory.give(page) }
    }

    /// Takes a page away: the first that was not read since the search came by. With the lock.
    private func evict() -> UnsafeMutableRawPointer? {
        for _ in 0...2 * pages.count where !pages.isEmpty {
            if hand >= pages.count { hand = 0 }
            let (page, place) = pages[hand]
            if place.pointee.isUsed.exchange(false, ordering: .relaxed) {
                hand += 1
                continue
            }
            place.pointee.frames.store(nil, ordering: .sequentiallyConsistent)
            waitForReaders()
            pages.swapAt(hand, pages.count - 1)
            pages.removeLast()
            return page
        }
        return nil
    }

    /// A reader may have found the page before it went; it copies a few hundred frames.
    private func waitForReaders() {
        for reader in guards {
            let turn = reader.pointee.turns.load(ordering: .sequentiallyConsistent)
            while turn & 1 == 1, reader.pointee.turns.load(ordering: .acquiring) == turn { sched_yield() }
        }
    }
}
