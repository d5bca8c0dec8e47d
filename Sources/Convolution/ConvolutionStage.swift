import CKernels
import CRealtime
// [render]
import DSP

/// The partitions of one size of a `PartitionedConvolution`: a block of input is transformed once and multiplied by the spectrum
/// of every partition, and the products due at the same time are summed and transformed back in one step.
///
/// The smallest blocks are processed as soon as they are full, and sound in the next block. Larger ones may take until the next
/// one is full: their work is spread evenly over runs of 64 frames.
struct ConvolutionStage: ~Copyable {
    private let transform: ConvolutionTransform
    private let size: Int
    /// Runs of 64 frames in a block.
    private let runs: Int
    private let count: Int
    private let routes: UnsafeMutablePointer<ConvolutionRoute>, routeCount: Int
    private let collected: UnsafeMutablePointer<Float>
    /// The spectra of the last `count` blocks of either side, in a ring; the one that was written last, and how many have
    /// been written since the last silence: older ones count as silence.
    let history: UnsafeMutablePointer<Float>
    private var newest = 0, written = 0
    private let responses: UnsafeMutablePointer<Float>
    private let sums: UnsafeMutablePointer<Float>
    /// The block that is heard, the one that is being made, and what of it lies in the one after, for either side.
    private var heard: UnsafeMutablePointer<Float>, next: UnsafeMutablePointer<Float>
    private let after: UnsafeMutablePointer<Float>

    /// Returns where the first partition of blocks of `size` may begin: what it gives is then in time.
    static func reach(_ size: Int) -> Int { size == DelayLine.run ? size : 2 * size }

    /// Takes frames `range` of each response, which begin at `reach` or later by a multiple of `size`. Control side.
    init(size: Int, responses sounds: [[Float]], range: Range<Int>) {
        transform = ConvolutionTransform(size: size)
        self.size = size
        runs = size / DelayLine.run
        count = (range.count + size - 1) / size
        let list = ConvolutionRoute.routes(responses: sounds.count)
        routeCount = list.count
        routes = .allocate(capacity: list.count)
        routes.initialize(from: list, count: list.count)
        collected = ConvolutionTransform.memory(2 * size)
        history = ConvolutionTransform.memory(2 * count * 2 * size)
        responses = ConvolutionTransform.memory(sounds.count * count * 2 * size)
        sums = ConvolutionTransform.memory(2 * 2 * size)
        heard = ConvolutionTransform.memory(2 * size)
        next = ConvolutionTransform.memory(2 * size)
        after = ConvolutionTransform.memory(2 * size)
        let scale = 1 / Float(size)
        var part = [Float](repeating: 0, count: size)
        for (response, sound) in sounds.enumerated() {
            for partition in 0..<count {
                let start = range.lowerBound + partition * size
                for k in 0..<size { part[k] = start + k < range.upperBound ? sound[start + k] * scale : 0 }
                transform.spectrum(part, responses + (response * count + partition) * 2 * size)
            }
        }
    }

    deinit {
        routes.deallocate()
        for memory in [collected, history, responses, sums, heard, next, after] { UnsafeMutableRawPointer(memory).deallocate() }
    }

    /// Adds what is heard in `length` frames from `position` on to both outputs. No multiple of 64 lies inside.
    @_noLocks mutating func process(
        _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, _ toLeft: UnsafeMutablePointer<Float>,
        _ toRight: UnsafeMutablePointer<Float>, _ length: Int, at position: Int
    ) {
        let place = position & (size &- 1), end = position &+ length
        rt_copy(collected + place, left, length)
        rt_copy(collected + (size &+ place), right, length)
        rt_add(toLeft, UnsafePointer(heard + place), length)
        rt_add(toRight, UnsafePointer(heard + (size &+ place)), length)
        if end & (DelayLine.run &- 1) == 0 { work(end / DelayLine.run & (runs &- 1)) }
    }

    @_noLocks private mutating func work(_ run: Int) {
        if run == 0 {
            swap(&heard, &next)
            begin()
        }
        if runs == 1 {
            gather(0, size)
            finish(heard)
        } else if run == runs &- 1 {
            finish(next)
        } else if run > 0 {
            // As many lanes of eight to each of the runs between the first and the last.
            let part = (size / 8 &+ runs &- 3) / (runs &- 2) &* 8
            gather(min((run &- 1) &* part, size), min(run &* part, size))
        }
    }

    @_noLocks private mutating func begin() {
        newest = newest &+ 1 == count ? 0 : newest &+ 1
        written = min(written &+ 1, count)
        for input in 0..<2 {
            transform.spectrum(collected + input &* size, history + (input &* count &+ newest) &* 2 &* size)
        }
        rt_zero(sums, 4 &* size)
    }

    @_noLocks private func gather(_ from: Int, _ end: Int) {
        for index in 0..<routeCount {
            let route = routes[index]
            kernel_gather(
                sums + route.output &* 2 &* size, from, end, size, history + route.input &* count &* 2 &* size, newest,
                responses + route.response &* count &* 2 &* size, count, written)
        }
    }

    @_noLocks private func finish(_ to: UnsafeMutablePointer<Float>) {
        for output in 0..<2 {
            transform.sound(sums + output &* 2 &* size, to + output &* size, after: after + output &* size)
        }
    }

    /// The spectra stay where they are, unread: of a long response they are too many to be overwritten in one call.
    @_noLocks mutating func clear() {
        written = 0
        rt_zero(collected, 2 &* size)
        rt_zero(sums, 4 &* size)
        rt_zero(heard, 2 &* size)
        rt_zero(next, 2 &* size)
        rt_zero(after, 2 &* size)
        newest = 0
    }
}
