import RealtimeCore
import Reports
import Units

/// The tracks of the looper as one kind of loop has them: sound, or MIDI. Tracks count from 0. Session's thread.
protocol LoopTracks: AnyObject {
    /// As they were asked for; what was asked may still wait for its bar.
    var loops: [AskedLoop] { get set }
    /// Returns true if there are no loops of the other kind.
    var isAlone: () -> Bool { get }

    /// Follows what has happened by itself.
    func update(_ index: Int)
    /// Begins what a state says, on the bar or when it was asked for.
    func begin(_ state: LoopState, _ index: Int, at moment: SampleTime) throws(Fault)
    /// Stops a loop, or forgets it, at once.
    func end(_ index: Int, _ state: LoopState) throws(Fault)
    /// Takes the last request back if its time is still to come. Returns whether it was.
    @discardableResult func callOff(_ index: Int) throws(Fault) -> Bool
    /// Takes back so many layers; below 0 brings them back.
    func undo(_ index: Int, by layers: Int) throws(Fault)
    /// Plays a loop from its beginning.
    func restart(_ index: Int, isOnce: Bool, at moment: SampleTime) throws(Fault)
    /// Makes a loop so many times as long as its first recording.
    func multiply(_ index: Int, by times: Int) throws(Fault)
    /// Switches something on or off: mute, solo, reverse.
    func flip(_ parameter: Looper.Parameter, _ index: Int) throws(Fault)
    /// Plays a loop at another speed, 0 half, 2 double; at its own if it has that speed already.
    func set(speed: Float, _ index: Int) throws(Fault)
    func set(_ parameter: Looper.Parameter, _ value: Float, _ index: Int, at time: SampleTime?) throws(Fault)
    /// Corrects how many beats the loop has that has set the tempo.
    func set(beats: Int) throws(Fault)
    /// A track as it is shown.
    func shown(_ index: Int) -> SessionSnapshot.Loop
}

extension LoopTracks {
    static func noLoop(_ index: Int, _ remedy: String = "record a loop on this track first") -> Fault {
        .option(name: "looper", value: "\(index + 1)", remedy: remedy)
    }
    static func hasOtherSpeed(_ index: Int) -> Fault {
        .option(
            name: "looper", value: "\(index + 1)", remedy: "it is at half or double speed, or backwards; a layer needs its own")
    }
    static func records(_ index: Int) -> Fault {
        .option(name: "looper", value: "\(index + 1)", remedy: "it records; let it play first")
    }
    static func hasNoTempo(_ beats: Int) -> Fault {
        .option(name: "looper beats", value: "\(beats)", remedy: "record a first loop without a tempo")
    }

    func needsLoop(_ index: Int) throws(Fault) { if loops[index].isEmpty { throw Self.noLoop(index) } }

    /// Takes back so many layers of a loop, if it has them; below 0 brings them back.
    static func undo(_ layers: Int, of loop: inout AskedLoop, _ index: Int) throws(Fault) {
        loop.undone += layers
        guard (0...loop.layers.count).contains(loop.undone) else {
            throw .option(
                name: "looper", value: "\(index + 1)",
                remedy: layers > 0 ? "no layer is left to take back; record a new loop" : "no layer was taken back")
        }
    }

    /// Says whether the pedal has taken a layer back.
    func note(wasUndone: Bool, _ index: Int) { loops[index].wasUndone = wasUndone }

    /// True if there is no other loop: then it may give the session its tempo.
    func isFirst(_ index: Int) -> Bool {
        isAlone() && loops.enumerated().allSatisfy { $0.offset == index || $0.element.length == 0 }
    }
}
