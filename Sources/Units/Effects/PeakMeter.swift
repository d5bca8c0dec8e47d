import DSP
import MIDI
import RealtimeCore
import UnitAPI

/// A level meter: the peak, the average and the number of overloads of each channel, in decibels.
///
/// It only listens: it has no output, so nothing it does can be heard. `LevelMeter` defines how peaks fall and what an
/// average is. It measures sample peaks; the limiter looks between the samples. It is stereo unless property `channels` sets
/// another number; the third channel shows `peak[2]` and `average[2]`, and so on.
public struct PeakMeter: AudioUnit, ~Copyable {
    public static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .effect, subtype: "peak", manufacturer: .carillon), name: "peak-meter",
        summary: "Shows peak, average and overloads of what is connected to it.", inputs: [.init("main")], outputs: [],
        tail: 15, widths: 1...64, readouts: ["peak-left", "peak-right", "average-left", "average-right", "overs"],
        readoutsAtStart: [-120, -120, -120, -120], channelReadouts: [("peak", -120), ("average", -120)])

    public typealias Parameter = NoParameter

    private var owned = OwnedMemory()
    private let meters: UnsafeMutablePointer<LevelMeter>
    private let channels: Int
    /// Frames since the reset in which a sample reached full scale.
    private var overs: Float = 0
    private var hasShown = false

    public init(_ setup: UnitSetup) {
        channels = setup.channels(of: Self.descriptor)
        meters = owned.make(channels, of: LevelMeter(sampleRate: setup.sampleRate))
    }

    // [render]

    @_noLocks public mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        if !hasShown { show(io) }
        var done = 0
        while done < io.frames {
            let room = LevelMeter.room(at: (io.sampleTime + done).rawValue)
            let count = min(io.frames &- done, room)
            if !io.isSilent() {
                var peak: Float = 0
                for c in 0..<channels {
                    meters[c].hear(io.input(0, c).base + done, count)
                    peak = max(peak, meters[c].newPeak)
                }
                if peak >= 1 { countOvers(io, done, count) }
            }
            done &+= count
            if count == room {
                for c in 0..<channels { meters[c].close() }
                show(io)
            }
        }
        for c in 0..<channels where !meters[c].isResting { return .sounding }
        return io.isSilent() ? .silent : .sounding
    }

    @_noLocks public mutating func reset() {
        for c in 0..<channels { meters[c].clear() }
        overs = 0
        hasShown = false
    }

    @_noLocks private mutating func countOvers(_ io: borrowing RenderIO, _ start: Int, _ count: Int) {
        for i in start..<(start &+ count) {
            for c in 0..<channels where abs(io.input(0, c).base[i]) >= 1 {
                overs += 1
                break
            }
        }
    }

    /// Left and right; the other channels follow the overloads.
    @_noLocks private mutating func show(_ io: borrowing RenderIO) {
        hasShown = true
        for c in 0..<channels {
            io.publish(c < 2 ? c : 2 &* c &+ 1, meters[c].peakLevel)
            io.publish(c < 2 ? c &+ 2 : 2 &* c &+ 2, meters[c].averageLevel)
        }
        io.publish(4, overs)
    }
}
