// [render]
import CKernels
import CRealtime
import DSP
import RealtimeCore
import SOFAFiles
import UnitAPI

/// The two ears of a listener: each source goes through the filters of its direction, late by their delays.
///
/// Directions are those of `HeadFilters`, five degrees apart. One that changes is faded to, over 512 frames; one after the
/// other.
struct HeadConvolver: ~Copyable {
    /// Runs of 64 frames that a fade takes.
    private static var fadeRuns: Int { @_noLocks get { 8 } }

    private struct Way: BitwiseCopyable {
        var now = 0, former = 0
        var fade = 8
        /// Frames since its sound ended, and where its memory ends.
        var quiet = 0, end = 0
    }

    private var owned = OwnedMemory()
    private let taps: UnsafeMutablePointer<Float>
    private let delays: UnsafeMutablePointer<Int32>
    private let length: Int
    private let ways: UnsafeMutablePointer<Way>
    private let sourceCount: Int
    /// The sound that came of each source, as far back as filters reach, in front of where the next run is written.
    private let past: UnsafeMutablePointer<Float>
    private let capacity: Int
    /// The sound at an ear in a run, from where a source is now and from where it was.
    private let heard: UnsafeMutablePointer<Float>
    /// Frames that sound can hide inside.
    let memory: Int

    /// Creates ears for `sources` sources; none without filters. Control side.
    init(_ filters: HeadFilters?, sources: Int) {
        let taps = filters?.taps ?? [0], delays = filters?.delays ?? [0]
        self.taps = owned.copy(taps)
        self.delays = owned.copy(delays)
        length = filters?.length ?? 0
        memory = length + (filters?.longestDelay ?? 0) + DelayLine.run
        sourceCount = filters == nil ? 0 : sources
        ways = owned.make(max(sourceCount, 1), of: Way())
        capacity = 2 * memory + 16 * DelayLine.run
        past = owned.make(max(sourceCount * capacity, 1), of: 0)
        heard = owned.make(2 * DelayLine.run, of: 0)
        clear()
    }

    @_noLocks func isQuiet(_ s: Int) -> Bool { s >= sourceCount || ways[s].quiet >= memory }

    /// A source is in a direction from the multiple of 64 frames that begins.
    @_noLocks func turn(_ s: Int, to place: ListenerView.Place, isWaking: Bool) {
        let cell = Self.cell(place), way = ways + s
        if isWaking {
            way.pointee.now = cell
            way.pointee.former = cell
            way.pointee.fade = Self.fadeRuns
            return
        }
        if way.pointee.fade < Self.fadeRuns { way.pointee.fade &+= 1 }
        if way.pointee.fade < Self.fadeRuns || way.pointee.now == cell { return }
        way.pointee.former = way.pointee.now
        way.pointee.now = cell
        way.pointee.fade = 0
    }

    @_noLocks private static func cell(_ place: ListenerView.Place) -> Int {
        let flat = DeterministicMath.squareRoot(place.right * place.right + place.ahead * place.ahead)
        let around = DeterministicMath.turns(x: place.ahead, y: place.right) * Double(HeadFilters.azimuths)
        let above = DeterministicMath.turns(x: flat, y: place.up) * Double(HeadFilters.azimuths)
        let azimuth = (Int(DeterministicMath.floor(around + 0.5)) &+ HeadFilters.azimuths) % HeadFilters.azimuths
        let elevation = min(max(Int(DeterministicMath.floor(above + 0.5)) &+ 18, 0), HeadFilters.elevations &- 1)
        return elevation &* HeadFilters.azimuths &+ azimuth
    }

    @_noLocks func add(
        _ s: Int, _ x: UnsafePointer<Float>, _ run: EffectRun, _ left: UnsafeMutablePointer<Float>,
        _ right: UnsafeMutablePointer<Float>
    ) {
        let way = ways + s, past = past + s &* capacity
        if way.pointee.end &+ run.count > capacity {
            rt_copy(past, past + (way.pointee.end &- memory), memory)
            way.pointee.end = memory
        }
        rt_copy(past + way.pointee.end, x, run.count)
        let now = UnsafePointer(past + way.pointee.end)
        way.pointee.end &+= run.count
        way.pointee.quiet = rt_is_silent(x, run.count) ? min(way.pointee.quiet &+ run.count, memory) : 0
        for ear in 0..<2 {
            let output = ear == 0 ? left : right
            filter(now, way.pointee.now, ear, heard, run.count)
            if way.pointee.fade == Self.fadeRuns || way.pointee.now == way.pointee.former {
                rt_add(output, heard, run.count)
                continue
            }
            let former = heard + DelayLine.run
            filter(now, way.pointee.former, ear, former, run.count)
            let whole = 1 / Float(Int32(truncatingIfNeeded: Self.fadeRuns &* DelayLine.run))
            let begun = way.pointee.fade &* DelayLine.run &+ run.phase
            for k in 0..<run.count {
                let part = Float(Int32(truncatingIfNeeded: begun &+ k)) * whole
                output[k] += heard[k] * part + former[k] * (1 - part)
            }
        }
    }

    @_noLocks private func filter(
        _ x: UnsafePointer<Float>, _ cell: Int, _ ear: Int, _ to: UnsafeMutablePointer<Float>, _ count: Int
    ) {
        let index = 2 &* cell &+ ear
        kernel_convolve(x - Int(delays[index]), taps + index &* length, to, length, count)
    }

    @_noLocks func clear() {
        for s in 0..<sourceCount {
            rt_zero(past + s &* capacity, capacity)
            ways[s].end = memory
            ways[s].quiet = memory
        }
    }
}
