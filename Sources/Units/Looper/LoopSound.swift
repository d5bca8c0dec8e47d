// [render]
import RealtimeCore

/// Where the sound of all layers lies: its pieces, and for each layer the list of them. Each track has five slots for layers, and one
/// more for the layer on its desk.
struct LoopSound: BitwiseCopyable {
    private let pieceMemory: UnsafeMutablePointer<Float>
    /// The pieces of each layer, -1 where it has none of its own.
    let lists: UnsafeMutablePointer<Int32>
    let layers: UnsafeMutablePointer<LoopLayer>
    let pieces: Int
    private let tracks: Int

    /// Control side.
    init(_ owned: inout OwnedMemory, tracks: Int, frames: Int) {
        self.tracks = tracks
        pieces = (frames + LoopMemory.piece - 1) / LoopMemory.piece
        pieceMemory = owned.make(pieces * 2 * LoopMemory.piece, of: 0)
        lists = owned.make(tracks * (LoopMemory.layers + 1) * pieces, of: -1)
        layers = owned.make(tracks * (LoopMemory.layers + 1), of: LoopLayer())
    }

    var slots: Int { @_noLocks get { tracks &* (LoopMemory.layers &+ 1) } }

    /// The slot of what lies on a track's desk.
    @_noLocks func desk(_ track: Int) -> Int { tracks &* LoopMemory.layers &+ track }

    @_noLocks func list(_ slot: Int) -> UnsafeMutablePointer<Int32> { lists + slot &* pieces }

    /// The left samples of a piece; the right ones follow them.
    @_noLocks func samples(_ piece: Int32) -> UnsafeMutablePointer<Float> { pieceMemory + Int(piece) &* 2 &* LoopMemory.piece }

    /// Returns the samples of a frame of a layer.
    @_noLocks func frame(_ slot: Int, _ frame: Int) -> (Float, Float) {
        let list = list(slot)
        var frame = frame, piece = list[frame / LoopMemory.piece]
        if piece < 0, layers[slot].period > 0 {
            frame %= layers[slot].period
            piece = list[frame / LoopMemory.piece]
            if piece < 0, layers[slot].innerPeriod > 0 {
                frame %= layers[slot].innerPeriod
                piece = list[frame / LoopMemory.piece]
            }
        }
        if piece < 0 { return (0, 0) }
        let samples = samples(piece) + frame % LoopMemory.piece
        return (samples[0], samples[LoopMemory.piece])
    }
}
