// [render]
import CRealtime
import Graphs
import RealtimeCore

/// Renders a slice, measures it, and passes it to the capture queue.
extension AudioLoop {
    @_noLocks mutating func renderSlice(isHeard: Bool, isMeasured: Bool = true) {
        renderSlice(isHeard: isHeard, isMeasured: isMeasured, frames: sliceFrames)
    }

    @_noLocks mutating func renderSlice(isHeard: Bool, isMeasured: Bool = true, frames: Int) {
        let time = nextFrame, before = now, channels = block, count = channelCount
        let crew = crew
        renderer._withUnsafeGuaranteedRef {
            _ = $0.render(into: AudioBlock(channels, channelCount: count, frames: frames), with: crew)
        }
        published.slices &+= 1
        if isMeasured { measure(now &- before, frames) }
        // Borrowed, so that no count of references moves.
        if let tap { tap._withUnsafeGuaranteedRef { $0.push(channels, channelCount: count, frames: frames, at: time) } }
        renderer._withUnsafeGuaranteedRef { $0.monitor.add(to: channels, channelCount: count, frames: frames, at: time) }
        if isHeard, fadeLeft > 0 { fade(frames) }
    }

    /// Short slices count together: any interruption would make a burden of one of them.
    @_noLocks private mutating func measure(_ taken: Int64, _ frames: Int) {
        shortRender &+= taken
        shortFrames &+= frames
        if shortFrames < sliceFrames { return }
        let frames = Int64(shortFrames), whole = shortRender
        shortRender = 0
        shortFrames = 0
        // Together they may be longer than one.
        let render = whole &* Int64(sliceFrames) / max(frames, 1)
        renderTime._withUnsafeGuaranteedRef { $0.add(render) }
        lastRender = render
        published.renderNanoseconds = render
        let level = governor.update(render: whole, budget: frames &* 1_000_000_000 / Int64(sampleRate))
        if level != published.sheddingLevel { renderer._withUnsafeGuaranteedRef { $0.shed(level) } }
        published.sheddingLevel = level
    }

    /// A straight line.
    @_noLocks private mutating func fade(_ frames: Int) {
        let whole = fadeFrames
        let done = whole &- fadeLeft
        for c in 0..<channelCount {
            let samples = block[c]
            for i in 0..<min(frames, fadeLeft) {
                samples[i] *= Float(Int32(truncatingIfNeeded: done &+ i)) / Float(Int32(truncatingIfNeeded: whole))
            }
        }
        fadeLeft = max(0, fadeLeft &- frames)
    }
}
