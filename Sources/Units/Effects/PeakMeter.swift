import DSP
import MIDI
import RealtimeCore
import UnitAPI

/// A level meter: the peak, the average and the number of overloads of a stereo signal, in decibels.
///
/// It only listens: it has no output, so nothing it does can be heard. How peaks fall and what an average is `LevelMeter`
/// says. It measures sample peaks; the limiter looks between the samples.
public struct PeakMeter: AudioUnit, ~Copyable {
    public static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .effect, subtype: "peak", manufacturer: .carillon), name: "peak-meter",
        summary: "Shows peak, average and overloads of what is connected to it.", inputs: [.init("main")], outputs: [],
        tail: 15, readouts: ["peak-left", "peak-right", "average-left", "average-right", "overs"],
        readoutsAtStart: [-120, -120, -120, -120])

    public typealias Parameter = NoParameter

    private var left: LevelMeter, right: LevelMeter
    /// Frames since the reset in which a sample reached full scale.
    private var overs: Float = 0
    private var hasShown = false

    public init(_ setup: UnitSetup) {
        left = LevelMeter(sampleRate: setup.sampleRate)
        right = left
    }

    // [render]

    @_noLocks public mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        let left = io.input(0, 0).base, right = io.input(0, 1).base
        if !hasShown { show(io) }
        var done = 0
        while done < io.frames {
            let room = LevelMeter.room(at: (io.sampleTime + done).rawValue)
            let count = min(io.frames &- done, room)
            if !io.isSilent() {
                self.left.hear(left + done, count)
                self.right.hear(right + done, count)
                if max(self.left.newPeak, self.right.newPeak) >= 1 { countOvers(left + done, right + done, count) }
            }
            done &+= count
            if count == room {
                self.left.close()
                self.right.close()
                show(io)
            }
        }
        return self.left.isResting && self.right.isResting && io.isSilent() ? .silent : .sounding
    }

    @_noLocks public mutating func reset() {
        left.clear()
        right.clear()
        overs = 0
        hasShown = false
    }

    @_noLocks private mutating func countOvers(
        _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, _ count: Int
    ) {
        for i in 0..<count where max(abs(left[i]), abs(right[i])) >= 1 { overs += 1 }
    }

    @_noLocks private mutating func show(_ io: borrowing RenderIO) {
        hasShown = true
        io.publish(0, left.peakLevel)
        io.publish(1, right.peakLevel)
        io.publish(2, left.averageLevel)
        io.publish(3, right.averageLevel)
        io.publish(4, overs)
    }
}
