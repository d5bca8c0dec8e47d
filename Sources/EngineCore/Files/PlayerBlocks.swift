import DSP
import RealtimeCore
import SampleRate
import Units

/// The blocks of a take on their way to a player's ring: the one that is being made, and the number of those before it.
struct PlayerBlocks: ~Copyable {
    /// A block of the file's channels, and the block for the player's channels made from it.
    private let decoded: AudioBuffer, output: AudioBuffer
    private let fold: SpeakerFold
    /// Frames of the next block that are made.
    private(set) var made = 0
    /// The frame of the take with which the next block begins.
    private(set) var position: Int64 = 0
    /// Blocks of the take that have been pushed.
    private(set) var pushed = 0

    init(channels: Int, _ places: FileChannels) {
        decoded = AudioBuffer(channels: channels, capacity: PlayerFeed.blockFrames)
        output = AudioBuffer(channels: places.width, capacity: PlayerFeed.blockFrames)
        fold = places.fold
    }

    /// Begins with a frame of a new take.
    mutating func begin(at position: Int64) { (made, pushed, self.position) = (0, 0, position) }

    /// The frame of the take that is made next.
    var end: Int64 { position + Int64(made) }
    var isFull: Bool { made == PlayerFeed.blockFrames }

    /// Adds frames of the converter. Returns their number.
    mutating func pull(_ converter: SampleRateConverter) throws(SampleRateError) -> Int {
        let count = try converter.pull(
            (0..<decoded.channelCount).map { decoded.channels[$0] + made }, capacity: PlayerFeed.blockFrames - made)
        made += count
        return count
    }

    mutating func push(_ feed: PlayerFeed, _ take: Int64) {
        // The beginning of a take that the unit began by itself is there already.
        if !feed.hasHead || position >= Int64(feed.headFrames) {
            fold.fold(decoded.channels, to: output.channels, frames: made)
            feed.push(output.channels, frames: made, take: take, position: position)
        }
        position += Int64(made)
        made = 0
        pushed += 1
    }
}
