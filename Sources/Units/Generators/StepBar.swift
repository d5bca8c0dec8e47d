// [render]
import MIDI

/// A bar as a drum machine counts it, in sixteenths: how many begin in it, and where it ends.
struct StepBar: BitwiseCopyable {
    /// A quarter note in the counter: 2 to the 56th.
    static var beat: Int64 { @_noLocks get { 1 << 56 } }

    /// Steps that begin in it, the last of them cut short if the bar is not a whole number of sixteenths.
    let steps: Int
    /// Where it ends, from the beginning of its last quarter note on.
    let end: Int64
    /// The length in the counter, and in parts of a quarter note (`MusicalTime.partsPerQuarter`).
    let length: Int64
    let parts: Int64

    /// The bar of a meter; of one of more than 64 quarter notes, which the counter does not hold, four of them.
    @_noLocks init(_ meter: Meter) {
        let quarter = MusicalTime.partsPerQuarter
        let parts = meter.partsPerBar > 64 &* quarter ? 4 &* quarter : meter.partsPerBar
        let sixteenth = quarter / 4
        steps = Int((parts &+ sixteenth &- 1) / sixteenth)
        let whole = (parts &- 1) / quarter
        end = Int64(Double(parts &- whole &* quarter) / Double(quarter) * Double(Self.beat))
        length = whole &* Self.beat &+ end
        self.parts = parts
    }

    /// Returns where in the counter a number of parts of a quarter note is, counted from the bar's beginning.
    @_noLocks func place(ofPart part: Int64) -> Int64 {
        Int64(Double(part) / Double(MusicalTime.partsPerQuarter) * Double(Self.beat))
    }

    @_noLocks func quarter(of step: Int) -> Int { step / 4 }

    @_noLocks func isLast(_ step: Int) -> Bool { step / 4 == (steps &- 1) / 4 }
}
