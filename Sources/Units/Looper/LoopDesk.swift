import RealtimeCore
import Synchronization
import UnitAPI

/// What the program saves and loads loops by: for each track a desk, with a layer on it that the render thread does not change while
/// it lies there.
///
/// 1. `prepare`, then set parameter `desk`: `held` puts the layer that sounds there, `reserved` room for another.
/// 2. Once `isServed`, `read` or `write` on any one thread.
/// 3. `closed` gives it back, `taken` makes it the loop of the track, stopped at its beginning, `exchanged` the loop that goes on in
///    the place of all layers, `scale` times as far from its beginning.
///
/// It also listens for sound that comes in, and keeps the memory of all loops. Control side.
package final class LoopDesk: UnitCompanion, @unchecked Sendable {
    /// The values of parameter `desk`.
    package enum Order: UInt8, CaseIterable, BitwiseCopyable {
        case closed, held, reserved, taken, exchanged

        /// Its place in the choice. Any thread.
        package var number: Int { @_noLocks get { Int(unsafeBitCast(self, to: UInt8.self)) } }
    }

    private var owned = OwnedMemory()
    let sound: LoopSound
    /// Frames that are to be reserved.
    let wanted: UnsafeMutablePointer<Int>
    /// How many times as long as the loop is what is exchanged for it.
    let scale: UnsafeMutablePointer<Double>
    /// By track, the number of the order that was carried out last, and that of the one that is awaited.
    let served: UnsafeMutablePointer<Atomic<Int>>
    private let awaited: UnsafeMutablePointer<Int>
    /// By track, when its present round exactly began, in 256ths of a frame; -1 before the second.
    let turned: UnsafeMutablePointer<Atomic<Int64>>
    private let tracks: Int
    let onset: UnsafeMutablePointer<LoopOnset>

    init(tracks: Int, frames: Int, sampleRate: Double) {
        self.tracks = tracks
        sound = LoopSound(&owned, tracks: tracks, frames: frames)
        wanted = owned.make(tracks, of: 0)
        scale = owned.make(tracks, of: 1)
        onset = .allocate(capacity: 1)
        onset.initialize(to: LoopOnset(sampleRate: sampleRate))
        awaited = owned.make(tracks, of: 0)
        (served, turned) = (.allocate(capacity: tracks), .allocate(capacity: tracks))
        for track in 0..<tracks {
            (served + track).initialize(to: Atomic(0))
            (turned + track).initialize(to: Atomic(-1))
        }
    }

    deinit {
        onset.deinitialize(count: 1)
        onset.deallocate()
        served.deinitialize(count: tracks)
        served.deallocate()
        turned.deinitialize(count: tracks)
        turned.deallocate()
    }

    /// Begins to listen for sound.
    package func listen() {
        onset.pointee.isHeard.publish(false)
        onset.pointee.isAwaited.publish(true)
    }

    /// Listens no more.
    package func endListening() { onset.pointee.isAwaited.publish(false) }

    /// The frame on which sound began since `listen`: above -30 dBFS, after 50 ms or more below it. Nil if none has. Listening ends
    /// then.
    package func takeOnset() -> SampleTime? {
        guard onset.pointee.isAwaited.isSet, onset.pointee.isHeard.isSet else { return nil }
        onset.pointee.isAwaited.publish(false)
        return onset.pointee.time
    }

    /// Before the parameter is set. `frames`: those to reserve; `scale`: how many times as long the loop becomes.
    package func prepare(_ track: Int, _ order: Order, frames: Int = 0, scale: Double = 1) {
        (wanted[track], self.scale[track], awaited[track]) = (frames, scale, order.number)
        // One that was asked for before may still come.
        served[track].store(-1, ordering: .relaxed)
    }

    /// True once the render thread has done what was asked last.
    package func isServed(_ track: Int) -> Bool { served[track].load(ordering: .acquiring) == awaited[track] }

    /// When the round of a loop exactly began that is heard, and the part of a frame after that; nil before the second round.
    package func turn(_ track: Int) -> (start: SampleTime, part: Double)? {
        let parts = turned[track].load(ordering: .relaxed)
        return parts < 0 ? nil : (SampleTime(parts >> 8), Double(parts & 255) / 256)
    }

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

/// Where sound begins to come in, for a recording that waits for it.
struct LoopOnset: ~Copyable {
    /// -30 dBFS.
    static var threshold: Float { @_noLocks get { 0.031_622_777 } }

    let isAwaited = AtomicFlag(), isHeard = AtomicFlag()
    /// Valid once it is heard.
    var time = SampleTime.zero
    /// The frames that have to be below the threshold before it, 50 ms, and those that just were.
    private let least: Int
    private var quiet = 0

    init(sampleRate: Double) { least = Int(0.05 * sampleRate) }

    /// Silence came in. Render thread.
    @_noLocks mutating func pass(_ frames: Int) { quiet &+= frames }

    /// Looks for it in frames that come in. Render thread.
    @_noLocks mutating func find(_ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, _ frames: Int, at start: SampleTime)
    {
        for i in 0..<frames {
            if max(abs(left[i]), abs(right[i])) <= Self.threshold {
                quiet &+= 1
                continue
            }
            if quiet >= least, isAwaited.isSet, !isHeard.isSet {
                time = start + i
                isHeard.publish(true)
            }
            quiet = 0
        }
    }
}
