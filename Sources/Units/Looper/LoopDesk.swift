import RealtimeCore
import UnitAPI

/// What the program saves and loads loops by: for each track a desk, with a layer on it that the render thread does not change while
/// it lies there.
///
/// 1. `prepare`, then set parameter `desk`: `held` puts the layer that sounds there, `reserved` room for another.
/// 2. Once `isServed`, `read` or `write` on any one thread.
/// 3. `closed` gives it back, `taken` makes it the loop of the track, stopped at its beginning.
///
/// It keeps the memory of all loops. Control side.
package final class LoopDesk: UnitCompanion, @unchecked Sendable {
    /// The values of parameter `desk`.
    package enum Order: UInt8, CaseIterable, BitwiseCopyable {
        case closed, held, reserved, taken

        /// Its place in the choice. Any thread.
        package var number: Int { @_noLocks get { Int(unsafeBitCast(self, to: UInt8.self)) } }
    }

    private var owned = OwnedMemory()
    let sound: LoopSound
    /// Frames that are to be reserved.
    let wanted: UnsafeMutablePointer<Int>
    let served: UnsafeMutablePointer<AtomicFlag>
    private let tracks: Int

    init(tracks: Int, frames: Int) {
        self.tracks = tracks
        sound = LoopSound(&owned, tracks: tracks, frames: frames)
        wanted = owned.make(tracks, of: 0)
        served = .allocate(capacity: tracks)
        for track in 0..<tracks { (served + track).initialize(to: AtomicFlag()) }
    }

    deinit {
        served.deinitialize(count: tracks)
        served.deallocate()
    }

    /// Before the parameter is set. `frames`: those to reserve.
    package func prepare(_ track: Int, frames: Int = 0) {
        wanted[track] = frames
        served[track].publish(false)
    }

    /// True once the render thread has done what was asked.
    package func isServed(_ track: Int) -> Bool { served[track].isSet }

    /// Frames on the desk; 0 for none: the track has no loop, or there is no room.
    package func frames(_ track: Int) -> Int { sound.layers[sound.desk(track)].length }

    /// Whether its end leads into its beginning, so that it goes round without a fade.
    package func joins(_ track: Int) -> Bool { !sound.layers[sound.desk(track)].isCut }

    package func setJoins(_ track: Int, _ joins: Bool) { sound.layers[sound.desk(track)].isCut = !joins }

    package func read(
        _ track: Int, from first: Int, _ frames: Int, _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>
    ) {
        for i in 0..<frames { (left[i], right[i]) = sound.frame(sound.desk(track), first + i) }
    }

    package func write(_ track: Int, from first: Int, _ frames: Int, _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>)
    {
        let list = sound.list(sound.desk(track))
        for i in 0..<frames {
            let samples = sound.samples(list[(first + i) / LoopMemory.piece]) + (first + i) % LoopMemory.piece
            samples[0] = left[i]
            samples[LoopMemory.piece] = right[i]
        }
    }
}
