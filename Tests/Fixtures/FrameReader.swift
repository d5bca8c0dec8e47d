import Carillon

// A reader of a program's own, played by a file player: it is the player's once the graph has it. With each of the flags the
// program goes on using it, and the compiler must refuse that.

final class Generator: FrameReading {
    let path = "generated", channels = 1, sampleRate = 48_000, frames: Int64 = 48_000, isSeekable = true
    var history: [Float] = []

    func seek(to frame: Int64) throws(AudioFileError) {}

    func read(_ output: [UnsafeMutablePointer<Float>], capacity: Int) throws(AudioFileError) -> Int {
        history.append(0)
        return 0
    }
}

func play(_ graph: inout Graph) throws(Fault) -> FilePlayer {
    let generator = Generator()
    let player = try graph.add(player: generator)
    #if SHARES_READER
        generator.history.append(1)
    #endif
    return player
}

@MainActor final class Window {
    let generator = Generator()

    func play(_ graph: inout Graph) throws(Fault) {
        #if LENDS_STATE
            _ = try graph.add(player: generator)
        #else
            _ = try graph.add(player: Generator())
        #endif
    }
}
