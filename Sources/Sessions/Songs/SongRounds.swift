import RealtimeCore
import Sequencer

/// Counts the jumps within songs, and the times that a list or a single song has begun anew by itself.
struct SongRounds {
    private(set) var jumps = 0
    private(set) var rounds = 0
    /// When a jump that is not counted yet takes effect.
    private var jump: SampleTime?
    private var lastFrame: Int64 = 0

    mutating func jumps(at time: SampleTime) { jump = time }

    mutating func beginsSong(isNewRound: Bool = false) {
        lastFrame = 0
        if isNewRound { rounds += 1 }
    }

    /// Counts a jump that has taken effect.
    mutating func countJump(_ transport: Transport, now: SampleTime) {
        guard let jump, now >= jump else { return }
        jumps += 1
        self.jump = nil
        lastFrame = transport.position(at: now).frame
    }

    mutating func countRound(_ transport: Transport, now: SampleTime) {
        let frame = transport.position(at: now).frame
        if transport.loop != nil, transport.state == .playing, frame < lastFrame, jump == nil { rounds += 1 }
        lastFrame = frame
    }
}
