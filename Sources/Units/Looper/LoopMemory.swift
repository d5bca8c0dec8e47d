// [render]
import CRealtime
import RealtimeCore

/// The sound of all loops of a looper: pieces of 1024 stereo frames, and for each layer of a track the list of its pieces.
///
/// A new layer has the pieces of the one before it until it is written to: then it gets a copy of that piece alone. Memory is
/// allotted once; when no piece is free, the track that needs one gives up its oldest layer.
struct LoopMemory: ~Copyable {
    /// Frames of a piece.
    static var piece: Int { @_noLocks get { 1024 } }
    /// Layers of a track: the one that sounds, and four that can be taken back.
    static var layers: Int { @_noLocks get { 5 } }

    private var owned = OwnedMemory()
    private let sound: LoopSound
    /// How many layers have each piece, and those that none has.
    private let users: UnsafeMutablePointer<UInt8>
    private let free: UnsafeMutablePointer<Int32>
    private(set) var freeCount: Int
    let pieces: Int

    init(_ sound: LoopSound) {
        self.sound = sound
        pieces = sound.pieces
        users = owned.make(pieces, of: 0)
        free = owned.make(pieces, of: 0)
        freeCount = pieces
        for index in 0..<pieces { free[index] = Int32(pieces - 1 - index) }
    }

    @_noLocks func list(_ slot: Int) -> UnsafeMutablePointer<Int32> { sound.list(slot) }

    /// The left samples of a piece; the right ones follow them.
    @_noLocks func samples(_ index: Int32) -> UnsafeMutablePointer<Float> { sound.samples(index) }

    /// Gives a layer a piece that no other has; -1 where none is free. What it holds is left from before.
    @_noLocks mutating func take() -> Int32 {
        if freeCount == 0 { return -1 }
        freeCount &-= 1
        let index = free[freeCount]
        users[Int(index)] = 1
        return index
    }

    @_noLocks func isShared(_ index: Int32) -> Bool { users[Int(index)] > 1 }

    @_noLocks mutating func drop(_ index: Int32) {
        if index < 0 { return }
        users[Int(index)] &-= 1
        if users[Int(index)] == 0 {
            free[freeCount] = index
            freeCount &+= 1
        }
    }

    /// Takes all pieces from a layer of so many.
    @_noLocks mutating func empty(_ slot: Int, _ count: Int) {
        let list = list(slot)
        for index in 0..<count {
            drop(list[index])
            list[index] = -1
        }
    }

    /// Gives a layer, which has none, the first `count` pieces of another.
    @_noLocks mutating func share(_ from: Int, _ to: Int, _ count: Int) {
        let source = list(from), target = list(to)
        for index in 0..<count {
            let piece = source[index]
            target[index] = piece
            if piece >= 0 { users[Int(piece)] &+= 1 }
        }
    }

    @_noLocks mutating func reset() {
        for index in 0..<(sound.slots &* pieces) { sound.lists[index] = -1 }
        for index in 0..<pieces {
            users[index] = 0
            free[index] = Int32(truncatingIfNeeded: pieces &- 1 &- index)
        }
        freeCount = pieces
    }
}

/// A layer of a loop: how long it is, and how what has no piece of its own is found.
struct LoopLayer: BitwiseCopyable {
    var length: Int
    /// Frames of the loop that this layer repeats, and of the one that that repeats; 0: all pieces are its own.
    var period = 0, innerPeriod = 0
    /// True if its end does not lead to its beginning, because it is a part of a longer one.
    var isCut = false

    @_noLocks init(length: Int = 0) { self.length = length }

    /// Pieces that it is long.
    var pieces: Int { @_noLocks get { (length &+ LoopMemory.piece &- 1) / LoopMemory.piece } }
}
