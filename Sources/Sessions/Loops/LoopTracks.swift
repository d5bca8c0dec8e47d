import RealtimeCore
import Reports
import Units

/// The tracks of the looper as one kind of loop has them: sound, or MIDI. Tracks count from 0. Session's thread.
protocol LoopTracks: AnyObject {
    /// As they were asked for; what was asked may still wait for its bar.
    var loops: [AskedLoop] { get }

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
    /// Says whether the pedal has taken a layer back.
    func note(wasUndone: Bool, _ index: Int)
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
}
