import ArgumentParser
import Carillon

/// The way in which the graph of a song or a patch is drawn.
struct DrawingArguments: ParsableArguments {
    @Flag(help: "Draw for a terminal, in its width. (default)")
    var text = false

    @Flag(help: "Print Graphviz's DOT language.")
    var dot = false

    @Flag(help: "Print a drawing as SVG.")
    var svg = false

    /// `more` are further ways, each with its option and whether it was chosen.
    func requireOne(_ more: (String, Bool)...) throws {
        let chosen = ([("--text", text), ("--dot", dot), ("--svg", svg)] + more).filter(\.1).map(\.0)
        if chosen.count > 1 {
            throw ValidationError("\(chosen.joined(separator: " and ")) exclude each other; leave one of them out")
        }
    }

    var isText: Bool { !dot && !svg }

    /// 80 columns wide if there is no terminal.
    func draw(_ report: GraphReport) -> String {
        dot ? report.dot : svg ? report.svg : report.text(width: TerminalSize.now.columns)
    }
}
