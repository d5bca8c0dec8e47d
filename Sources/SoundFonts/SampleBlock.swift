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
    private let budget: SampleMemory?

    init(owning memory: UnsafeMutableRawPointer, isFloat: Bool, frames: Int, _ budget: SampleMemory) {
        (data, owned, self.isFloat, self.frames) = (UnsafeRawPointer(memory), memory, isFloat, frames)
        self.budget = budget
        budget.hold(byteCount)
    }

    init(borrowing memory: UnsafeRawPointer, frames: Int) {
        (data, owned, isFloat, self.frames, budget) = (memory, nil, false, frames, nil)
    }

    deinit {
        owned?.deallocate()
        budget?.hold(-byteCount)
    }

    var isOwned: Bool { owned != nil }
    var byteCount: Int { frames * (isFloat ? 4 : 2) }

    static func allocate(_ count: Int) -> UnsafeMutableRawPointer {
        .allocate(byteCount: max(count, 64), alignment: 64)
    }
}
