import CRealtime
// [render]
import DSP
import RealtimeCore

/// Two sides folded with responses of any length, without a delay: what a room, a cabinet or a filter makes of a click, it
/// makes of every sample.
///
///     frames of the response   0...63      64...1023              1024...8191             8192...
///     what makes them          weighted    15 partitions of 64    14 partitions of 512    partitions of 4096
///                              sums
///
/// The beginning is a `FIRFilter`, so nothing has to wait for a block to be full; the rest is made by `ConvolutionStage`s,
/// whose blocks may be larger for later parts. The beginnings of blocks depend only on the position, a running count of
/// frames: so the output is the same for any slices. Sources: W. G. Gardner, "Efficient Convolution without Input-Output
/// Delay", J. Audio Eng. Soc. 43 (1995); F. Wefers, "Partitioned Convolution Algorithms for Real-Time Auralization" (2015).
package struct PartitionedConvolution: ~Copyable {
    private static var sizes: [Int] { [64, 512, 4096] }

    /// Frames of the response.
    package let length: Int
    private var owned = OwnedMemory()
    private let heads: UnsafeMutablePointer<FIRFilter>, headCount: Int
    private let stages: UnsafeMutablePointer<ConvolutionStage>, stageCount: Int
    private let scratch: UnsafeMutablePointer<Float>

    /// Responses of the same length: one for both sides; left, right; or left to left, left to right, right to left, right
    /// to right. Control side.
    package init(responses: [[Float]]) {
        let length = responses[0].count, run = DelayLine.run
        self.length = length
        headCount = responses.count == 4 ? 4 : 2
        heads = owned.room(for: headCount)
        for index in 0..<headCount {
            let response = responses[min(index, responses.count - 1)]
            let taps = (0..<run).map { $0 < length ? response[$0] : 0 }
            (heads + index).initialize(to: FIRFilter(taps: taps, longest: run))
        }
        var ranges: [Range<Int>] = []
        for (index, size) in Self.sizes.enumerated() {
            let start = ConvolutionStage.reach(size)
            if start >= length { break }
            let isLast = index + 1 == Self.sizes.count
            ranges.append(start..<(isLast ? length : min(ConvolutionStage.reach(Self.sizes[index + 1]), length)))
        }
        stageCount = ranges.count
        stages = owned.room(for: max(stageCount, 1))
        for (index, range) in ranges.enumerated() {
            (stages + index).initialize(to: ConvolutionStage(size: Self.sizes[index], responses: responses, range: range))
        }
        scratch = owned.make(run, of: 0)
    }

    deinit {
        heads.deinitialize(count: headCount)
        stages.deinitialize(count: stageCount)
    }

    /// Folds `count` frames, the first at `position`; no multiple of 64 lies inside. Outputs are other places than inputs.
    @_noLocks package mutating func process(
        _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, _ toLeft: UnsafeMutablePointer<Float>,
        _ toRight: UnsafeMutablePointer<Float>, _ count: Int, at position: Int
    ) {
        if headCount == 2 {
            heads[0].process(left, toLeft, count)
            heads[1].process(right, toRight, count)
        } else {
            heads[0].process(left, toLeft, count)
            heads[1].process(left, toRight, count)
            heads[2].process(right, scratch, count)
            rt_add(toLeft, UnsafePointer(scratch), count)
            heads[3].process(right, scratch, count)
            rt_add(toRight, UnsafePointer(scratch), count)
        }
        for index in 0..<stageCount { stages[index].process(left, right, toLeft, toRight, count, at: position) }
    }

    /// Silence again.
    @_noLocks package mutating func clear() {
        for index in 0..<headCount { heads[index].clear() }
        for index in 0..<stageCount { stages[index].clear() }
    }
}
