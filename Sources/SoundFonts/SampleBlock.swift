import Glibc

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
        free(owned)
        budget?.hold(-byteCount)
    }

    var isOwned: Bool { owned != nil }
    var byteCount: Int { frames * (isFloat ? 4 : 2) }

    /// The most frames that `load` asks for at a time.
    static let mostOfPart = 65_536

    /// Memory for so many bytes, of the system's.
    static func allocate(_ count: Int) -> UnsafeMutableRawPointer { enlarge(nil, to: count) }

    /// Loads frames of channels that come in parts: `read` writes up to `part` of them, `mostOfPart` at most, and says how
    /// many there were; 0 is the end. Memory grows with the data that come, not with a header's number.
    static func load<E: Error>(
        channels: Int, frameBytes: Int, _ read: (_ memory: [UnsafeMutableRawPointer], _ part: Int) throws(E) -> Int
    ) throws(E) -> (memory: [UnsafeMutableRawPointer], frames: Int) {
        var memory = (0..<channels).map { _ in allocate(0) }, frames = 0
        do throws(E) {
            while frames < VorbisStream.framesPerSample {
                let part = min(mostOfPart, VorbisStream.framesPerSample - frames)
                for channel in memory.indices { memory[channel] = enlarge(memory[channel], to: (frames + part) * frameBytes) }
                let count = try read(memory.map { $0 + frames * frameBytes }, part)
                if count == 0 { break }
                frames += count
            }
        } catch {
            for channel in memory { free(channel) }
            throw error
        }
        return (memory.map { enlarge($0, to: frames * frameBytes) }, frames)
    }

    private static func enlarge(_ memory: UnsafeMutableRawPointer?, to count: Int) -> UnsafeMutableRawPointer {
        guard let memory = realloc(memory, max(count, 64)) else { fatalError("no memory for a sample of \(count) bytes") }
        return memory
    }
}
