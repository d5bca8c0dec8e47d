// [render]
import CRealtime

extension CaptureQueue {
    /// Copies the frames from `first` on, as left and right; what is older is dropped, what is not there is silent. Draining
    /// thread.
    ///
    /// - Parameters:
    ///   - isMono: whether the first channel is both sides.
    ///   - hasHeard: whether there were frames ever; set by the first.
    /// - Returns: frames that were missing since the first that was there.
    @_noLocks public func read(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ frames: Int, from first: SampleTime,
        isMono: Bool, hasHeard: inout Bool
    ) -> Int {
        let second = isMono ? 0 : blockFrames
        var done = 0, missing = 0
        while done < frames {
            var count = frames &- done
            guard let block = peek() else {
                rt_zero(left + done, count)
                rt_zero(right + done, count)
                return hasHeard ? missing &+ count : missing
            }
            let used = first + done - block.time
            if used >= block.frames {
                drop()
                continue
            }
            if used < 0 {
                count = min(-used, count)
                rt_zero(left + done, count)
                rt_zero(right + done, count)
                if hasHeard { missing &+= count }
            } else {
                count = min(block.frames &- used, count)
                rt_copy(left + done, block.samples + used, count)
                rt_copy(right + done, block.samples + second + used, count)
                hasHeard = true
            }
            done &+= count
        }
        return missing
    }
}
