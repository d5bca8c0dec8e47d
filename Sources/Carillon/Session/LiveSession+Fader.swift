import Graph
import RealtimeCore
import Units

/// The level of everything, beside what any unit's own volume says.
extension LiveSession {
    /// The sample time of the next slice.
    public var sampleTime: SampleTime { now }

    /// The counts that the renderer keeps: late events, faults of units, and more.
    public var counters: RenderCounters { engine.renderer.counters }

    /// Lets so much time pass: waits, or makes it pass where time is simulated (`DevicePort.pass`).
    public func pass(milliseconds: Int) { port.pass(milliseconds: milliseconds) }

    /// Lets everything become louder or softer within `seconds`, in a session with a fader (`LiveOptions.hasFader`); songs
    /// have their levels beside it. Without one it does nothing.
    ///
    /// - Parameters:
    ///   - decibels: -120...40; -120 is silence.
    ///   - seconds: 0...3600; 0 is as soon as can be without a click.
    /// - Throws: `engine` for a number out of range, or with `queueFull`.
    public func fade(to decibels: Double, over seconds: Double) throws(LiveError) {
        guard let fader = graph.fader else { return }
        do {
            try engine.ramp(MultichannelMixer.Parameter.volume, to: Float(decibels), of: fader, over: seconds)
        } catch { throw .engine(error) }
    }

    /// Tells the fader what songs want of it; what finds no room is told with the next call.
    func fadeSongs() throws(LiveError) {
        while let change = playlist?.levels.next {
            if let fader = graph.fader {
                do {
                    try engine.ramp(
                        MultichannelMixer.Parameter.gain, to: Float(max(change.decibels, SongLevels.silence)), of: fader,
                        at: change.time, over: change.seconds)
                } catch {
                    if case .queueFull = error { return } else { throw .engine(error) }
                }
            }
            playlist?.levels.removeNext()
        }
    }
}
