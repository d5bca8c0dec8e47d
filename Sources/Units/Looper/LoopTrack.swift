// [render]
import CRealtime
import DSP
import RealtimeCore
import UnitAPI

/// A track of a looper: where it is in its loop, what it writes, and how its sound rises and falls.
struct LoopTrack: BitwiseCopyable {
    /// Frames in which sound that begins or ends rises or falls.
    static var fade: Int { @_noLocks get { 128 } }
    static var step: Float { @_noLocks get { 1 / 128 } }

    /// What it was asked to do last.
    var asked = Asked()
    struct Asked: BitwiseCopyable {
        var state = LoopState.empty
        var undone = 0, times = 1, desk = 0, pair = 0
        /// Frames by which a round of the first recording is longer than its whole frames.
        var fraction = 0.0
        var restart = false, isReversed = false
        /// 1: half the speed, 2: its own, 4: twice that; the half frames that a frame advances.
        var stride = 2

        @_noLocks init() {}
    }

    /// The pair of channels that it is heard on.
    var pair = 0
    /// True while the place in the loop moves on, also if it is not heard.
    var isRunning = false
    var isRecording = false
    /// Frames recorded so far, while it records.
    var recorded = 0
    /// The place in the loop, in half frames.
    var place = 0

    /// The share of the input that is written, and the share of the old sound that stays.
    var written: Float = 0, kept: Float = 1
    var writes = false, replaces = false
    /// Frames until what is written follows the last request: until then comes in what was played before it.
    var hold = 0
    /// Frames by which what is written comes in later than it was played.
    var latency = 0
    /// When its recording was asked to begin, and the frames until what comes in belongs to it.
    var begun = SampleTime.zero, wait = 0
    /// True while old sound is heard only as far as it stays.
    var hidesOld = false

    /// True if all layers are taken back: it goes on without being heard.
    var isHidden = false
    var seam = LoopSeam()

    /// How far the loop is heard: with a stop, a mute or the solo of another it falls to 0.
    var heard: Float = 0
    /// Frames of the rise that are still to come, and of the fall of what was cut off.
    var rise = 0, fall = 0
    var lastLeft: Float = 0, lastRight: Float = 0, cutLeft: Float = 0, cutRight: Float = 0

    /// The layers: the first slot, how many there are, and which sounds.
    var first = 0, count = 0, current = 0
    var base = 0
    var loudness = AmplitudeMemo()

    @_noLocks init() {}

    @_noLocks func slot(_ layer: Int) -> Int { (first &+ layer) % LoopMemory.layers }

    var isStopped: Bool { @_noLocks get { asked.state == .empty || asked.state == .stopped } }
    var isIdle: Bool { @_noLocks get { !isRunning && !isRecording && fall == 0 } }
    var isWriting: Bool { @_noLocks get { written > 0 || kept < 1 || writes } }

    /// It is heard on the pair that it was asked for, once it is silent on the former one.
    @_noLocks mutating func changePair() {
        if pair != asked.pair, fall == 0, !isRunning || heard == 0 { pair = asked.pair }
    }

    /// What was heard dies away; what follows rises.
    @_noLocks mutating func cut() {
        (cutLeft, cutRight, fall) = (lastLeft, lastRight, Self.fade)
        (lastLeft, lastRight) = (0, 0)
        rise = Self.fade
    }
}

/// The seam of a loop whose exact length is not whole: a round is a frame longer or shorter where what is left over comes to half of
/// one. Within a fade the sound moves over to where it is then.
struct LoopSeam: BitwiseCopyable {
    /// Frames by which the rounds so far were too short.
    var debt = 0.0
    /// Where the sound comes from that the fade leaves, in half frames from the place; and frames of it that are to come.
    var slip = 0, fade = 0
    /// True for the frames by which a round is longer, and how many they are where it ends.
    var holds = false, held = 0

    @_noLocks init() {}
}
