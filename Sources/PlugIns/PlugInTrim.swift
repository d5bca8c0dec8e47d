// [render]
import Glibc
import RealtimeCore
import UnitAPI

/// The gain after a plug-in that brings it to the level of other instruments: one number, which does not change.
struct PlugInTrim: BitwiseCopyable, Sendable {
    private let decibels: Float
    private let amplitude: Float
    /// The buses of sound, which come before those of control voltage.
    private let buses: Int

    /// Creates a trim of `decibels`. Control side.
    init(decibels: Float, buses: Int) {
        self.decibels = decibels
        self.buses = buses
        amplitude = decibels == 0 ? 1 : Float(pow(10, Double(decibels) / 20))
    }

    @_noLocks func apply(_ io: borrowing RenderIO) {
        if amplitude == 1 { return }
        for bus in 0..<min(buses, io.outputCount) {
            for channel in 0..<io.outputChannels(bus) {
                let samples = io.output(bus, channel).base
                for i in 0..<io.frames { samples[i] *= amplitude }
            }
        }
    }

    @_noLocks func show(_ io: borrowing RenderIO) { io.publish(PlugInControls.readoutCount &- 1, decibels) }
}
