/// A key as a terminal reports it.
enum Key: Hashable, Sendable {
    case character(Character)
    case up, down, left, right, home, end, pageUp, pageDown
    case escape, enter, tab, backspace, delete
    /// A key with Ctrl, by its letter in lower case.
    case control(Character)
    /// A key with Alt, or with Escape before it.
    case alt(Character)
    /// A text that was pasted, which is not a command.
    case paste
    /// A sequence that means nothing here: function keys, mice, answers of the terminal.
    case unknown
}
