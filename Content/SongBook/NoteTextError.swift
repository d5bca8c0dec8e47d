/// An error in a piece of written music.
public enum NoteTextError: Error, Equatable, CustomStringConvertible {
    case unreadable(String, atTick: Int)
    case octaveMissing(String)
    /// A bar line that is none, or that of another bar.
    case barLine(String, atTick: Int, bar: Int?)
    /// A chord, tie or tuplet that is never closed.
    case unfinished(String, atTick: Int)
    /// A drum pattern whose bar is too short or too long.
    case steps(String, wanted: Int)

    public var description: String {
        switch self {
        case .unreadable(let word, let tick): "“\(word)” at tick \(tick) is no note, rest, dynamic or bar line"
        case .octaveMissing(let word): "“\(word)” stands before the first @octave; begin the text with one, such as @c4"
        case .barLine(let word, let tick, nil):
            "bar line “\(word)” at tick \(tick) stands within a bar; count the lengths before it"
        case .barLine(let word, let tick, let bar?):
            "bar line “\(word)” at tick \(tick) stands at the start of bar \(bar); count the bars before it"
        case .unfinished(let mark, let tick): "“\(mark)” is not closed by tick \(tick)"
        case .steps(let row, let wanted): "drum row “\(row)” does not have \(wanted) steps"
        }
    }
}
