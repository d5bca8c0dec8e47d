import Glibc

/// Memory for pages of samples, straight from the system: in the heap, among what decoders take, pages that come and go would
/// leave holes. Control side, one thread at a time.
struct PageMemory {
    /// Pages that the system is asked for at once.
    private static let most = 64
    private var free: [UnsafeMutableRawPointer] = []

    /// Takes a page; nil if the system has no memory.
    mutating func take() -> UnsafeMutableRawPointer? {
        if let page = free.popLast() { return page }
        let bytes = Self.most * StreamedFrames.pageBytes
        let made = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let made, made != MAP_FAILED else { return nil }
        free = (1..<Self.most).reversed().map { made + $0 * StreamedFrames.pageBytes }
        return made
    }

    /// Gives a page back to the system, or keeps it for the next if the system has too many parts of memory to manage.
    mutating func give(_ page: UnsafeMutableRawPointer) {
        if munmap(page, StreamedFrames.pageBytes) != 0 { free.append(page) }
    }
}
