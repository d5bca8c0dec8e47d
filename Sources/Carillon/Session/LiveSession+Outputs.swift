import MIDI
import Patch
import RealtimeCore
import RemoteIO
import Units

/// The part of a session that plays out.
extension LiveSession {
    /// Lets the metronome click or be quiet, and the clock with it, and where no song plays the units that follow one.
    func run(_ metronome: SessionMetronome, _ isRunning: Bool, tempo: Double?) throws(LiveError) {
        let start = soon
        try metronome.run(isRunning, tempo: tempo, at: start)
        outputs.beat.change(isRunning: isRunning, tempo: tempo, at: start)
        if metronome.setting == nil || playlist?.state == .playing { return }
        outputs.owesTime = true
        do { try lead(from: start) } catch {
            // It is said as soon as there is room.
            if case .engine(.queueFull) = error { return }
            throw error
        }
    }

    /// The metronome leads again when the song has come to an end, or stands still. Tried again where the queue is full.
    func leadBehindSongs() throws(LiveError) {
        let plays = playlist?.state == .playing
        if outputs.songLeads, !plays, metronome.setting?.isRunning == true { outputs.owesTime = true }
        outputs.songLeads = plays
        if plays { outputs.owesTime = false }
        // Behind the word of the song that it stands still.
        if outputs.owesTime { try lead(from: soon + 1) }
    }

    private func lead(from time: SampleTime) throws(LiveError) {
        do {
            let meter = metronome.meter
            for said in outputs.beat.musicalTime(at: time, meter) { try engine.send(.time(said), at: time) }
        } catch { throw .engine(error) }
        outputs.owesTime = false
    }

    /// Keeps MIDI's clock, and what of songs is played outside, ahead of the music. All goes out when it is heard:
    /// behind the buffer, and behind what the graph holds it back.
    func followClock() {
        let now = now
        if let metronome = metronome.setting {
            outputs.beat.follow(isRunning: metronome.isRunning, tempo: metronome.tempo, now: now, soon: soon)
        }
        let latency = graph.latency
        let moment = port.status.time.map { time in { time.nanoseconds(at: $0 + latency) } }
        outputs.follow(playlist?.passages ?? [], now: now, soon: soon, moment: moment)
        outputs.followSongs(now: now, moment: moment)
    }
}
