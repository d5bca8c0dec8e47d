import Patch
import RealtimeCore
import RemoteIO
import Units

/// What a session plays out.
extension LiveSession {
    /// Keeps MIDI's clock ahead of the music. The beat goes out when it is heard: behind the buffer, and behind what the
    /// graph holds it back.
    func followClock() {
        let now = now
        if let metronome = metronome.setting {
            outputs.beat.follow(isRunning: metronome.isRunning, tempo: metronome.tempo, now: now, soon: soon)
        }
        let latency = graph.latency
        outputs.follow(
            playlist?.passages ?? [], now: now, soon: soon,
            moment: port.status.time.map { time in { time.nanoseconds(at: $0 + latency) } })
    }
}
