// [render]
import CRealtime

extension CaptureQueue {
    /// Copies the frames from `first` on into `count` channels; what is older is dropped, what is not there is silent, as
    /// channels are that the queue has not. With `isMono` the first channel is the second, too. Draining thread.
    ///
    /// - Returns: frames that were missing since the first that was there; `hasHeard` is set by the first.
    @_noLocks public func read(
        _ to: UnsafePointer<UnsafeMutablePointer<Float>>, _ count: Int, _ frames: Int, from first: SampleTime, isMono: Bool,
        hasHeard: inout Bool
    ) -> Int {
        var done = 0, missing = 0
        while done < frames {
            var piece = frames &- done
            guard let block = peek() else {
                clear(to, count, done, piece)
                return hasHeard ? missing &+ piece : missing
            }
            let used = first + done - block.time
            if used >= block.frames {
                drop()
                continue
            }
            if used < 0 {
                piece = min(-used, piece)
                clear(to, count, done, piece)
                if hasHeard { missing &+= piece }
            } else {
                piece = min(block.frames &- used, piece)
                for c in 0..<count {
                    let source = isMono && c == 1 ? 0 : c
                    if source < channels {
                        rt_copy(to[c] + done, block.samples + source &* blockFrames + used, piece)
                    } else {
                        rt_zero(to[c] + done, piece)
                    }
                }
                hasHeard = true
            }
            done &+= piece
        }
        return missing
    }

    @_noLocks private func clear(
        _ to: UnsafePointer<UnsafeMutablePointer<Float>>, _ count: Int, _ start: Int, _ frames: Int
    ) {
        for c in 0..<count { rt_zero(to[c] + start, frames) }
    }
}
