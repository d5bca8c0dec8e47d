import Synchronization

/// The frames of one sample in memory, shared by all units that play it.
///
/// Its own memory and not the file's pages: a file that is cut short while it plays would end the program, and a page that is
/// not there yet would make the render thread wait for a disk. Control side; its frames never change.
final class SampleBlock: @unchecked Sendable {
    struct Key: Hashable {
        let file: FileIdentity
        let sample: Int
    }

    let data: UnsafeRawPointer
    let isFloat: Bool
    let frames: Int
    /// Frees the memory; nil if it is the program's own.
    private let owned: UnsafeMutableRawPointer?

    /// Blocks in use. A block that is no longer referenced is gone.
    private static let blocks = Mutex<[Key: WeakBlock]>([:])
    private struct WeakBlock { weak var block: SampleBlock? }

    init(owning memory: UnsafeMutableRawPointer, isFloat: Bool, frames: Int) {
        (data, owned, self.isFloat, self.frames) = (UnsafeRawPointer(memory), memory, isFloat, frames)
    }

    init(borrowing memory: UnsafeRawPointer, frames: Int) {
        (data, owned, isFloat, self.frames) = (memory, nil, false, frames)
    }

    deinit { owned?.deallocate() }

    var isOwned: Bool { owned != nil }
    var byteCount: Int { frames * (isFloat ? 4 : 2) }

    /// One that is in use, or what `make` makes. Two threads may both make it; one of the two goes.
    static func shared<E: Error>(_ key: Key, _ make: () throws(E) -> SampleBlock) throws(E) -> SampleBlock {
        if let known = blocks.withLock({ $0[key]?.block }) { return known }
        let made = try make()
        return blocks.withLock { blocks in
            if let known = blocks[key]?.block { return known }
            if blocks.count > 4_096 { blocks = blocks.filter { $0.value.block != nil } }
            blocks[key] = WeakBlock(block: made)
            return made
        }
    }

    static func allocate(_ count: Int) -> UnsafeMutableRawPointer {
        .allocate(byteCount: max(count, 64), alignment: 64)
    }
}
