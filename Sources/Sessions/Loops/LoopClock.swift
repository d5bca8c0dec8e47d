import EngineCore
import RealtimeCore
import Sequencer

/// The beats of MIDI loops: the player of their tracks in the renderer's lane. Its tempo is that of the session; while metronome or
/// song goes on, it keeps the distance to their beats. Session's thread.
final class LoopClock {
    private let core: SessionCore
    private let metronome: MetronomePart
    private var player: TrackPlayer
    private var outbox = StretchOutbox(in: .loops)
    /// When it began, and the beat at which it did: a press counts that was made before.
    private let start: SampleTime
    private static let firstBeat = 16.0
    /// Quarter notes a minute when it began.
    private let firstTempo: Double
    /// Beats that it is ahead of metronome or song; nil while neither goes on.
    private var distance: Double?

    /// A distance that is corrected, and one that is a jump: beats.
    private static let tolerance = 1e-3, jump = 0.1

    init(_ arrangement: Song.Arrangement, _ core: SessionCore, _ metronome: MetronomePart) {
        (self.core, self.metronome) = (core, metronome)
        // What is asked for now takes effect on a frame that is not known: the renderer goes on meanwhile.
        (start, firstTempo) = (core.soon, metronome.tempo)
        player = TrackPlayer(arrangement, sampleRate: core.options.sampleRate, from: start, areLoops: true)
        setRate(firstTempo / TrackPlayer.usualTempo, at: start)
        post(player.seek(to: Self.firstBeat, at: start, now: core.now))
        post(player.play(at: start, now: core.now))
        // From here on its beats are known.
        advance()
    }

    var arrangement: Song.Arrangement { player.arrangement }

    /// The beat on a frame.
    func beat(at time: SampleTime) -> Double {
        if time >= start { return player.beat(at: time) }
        return Self.firstBeat - Double(start - time) * firstTempo / 60 / Double(core.options.sampleRate)
    }

    /// The beat at which a bar begins, on whose first frame `time` is: a frame is no exact beat.
    func beat(ofBar time: SampleTime) -> Double {
        let beat = beat(at: time)
        guard let quarters = metronome.quarters(at: time) else { return beat }
        // The parts of a quarter that are beats of any meter.
        let difference = (quarters * 8).rounded() / 8 - quarters
        let frames = difference * 60 / metronome.tempo * Double(core.options.sampleRate)
        return abs(frames) < 2 ? beat + difference : beat
    }

    /// The frame on which a beat is played.
    func time(ofBeat beat: Double) -> SampleTime { player.time(ofBeat: beat) ?? core.now }

    /// Plays other tracks from `time` on, or as soon as possible.
    func edit(_ arrangement: Song.Arrangement, at time: SampleTime? = nil) {
        post(player.edit(arrangement, at: time ?? core.soon, now: core.now))
    }

    /// The session's tempo is another from a time on; a song has its own.
    func follow(tempo: Double, at time: SampleTime) {
        if !metronome.followsSong { setRate(tempo / TrackPlayer.usualTempo, at: time) }
    }

    /// Keeps the distance to metronome or song.
    func turn() {
        let soon = core.soon, step = core.options.sampleRate / 10
        var rate = metronome.tempo / TrackPlayer.usualTempo
        if let here = metronome.quarters(at: soon), let there = metronome.quarters(at: soon + step), there > here {
            let now = player.beat(at: soon) - here, error = now - (distance ?? now)
            if distance == nil || abs(error) >= Self.jump {
                distance = now
            } else if abs(error) > Self.tolerance {
                rate *= min(max(1 - error / (there - here), 0.5), 2)
            }
        } else {
            distance = nil
        }
        if rate != player.rate { setRate(rate, at: soon) }
    }

    /// Posts what comes.
    func advance() { post(player.advance(now: core.now, horizon: 2 * core.options.sampleRate)) }

    /// Ends all that sounds, at a time.
    func stop(at time: SampleTime) { post(player.stop(at: time, now: core.now)) }

    private func setRate(_ rate: Double, at time: SampleTime) { post(player.setRate(rate, at: time, now: core.now)) }

    private func post(_ stretches: [TrackPlayer.Stretch]) { outbox.post(stretches, to: core.engine.renderer) }
}
