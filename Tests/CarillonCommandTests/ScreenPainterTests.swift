import Testing

@testable import CarillonCommand

/// Lines are redrawn where they stand, and only those that have changed.
@Suite struct ScreenPainterTests {
    private func lines(_ texts: String...) -> [ScreenLine] { texts.map { ScreenLine($0) } }

    @Test func thePainterLeavesWhatTheTerminalShouldShow() {
        var painter = ScreenPainter(hasColour: true), terminal = TerminalModel(columns: 20)
        terminal.write("$ carillon live\r\n")
        var state: UInt64 = 7
        func random(_ limit: UInt64) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33 % limit)
        }
        for _ in 0..<500 {
            let screen = (0..<(1 + random(6))).map { _ in
                var line = ScreenLine(String(repeating: "a", count: random(5)), .dim)
                line.add(String(repeating: "b", count: random(5)), .green)
                line.add(random(3) == 0 ? "\u{E9}" : "c")
                return line
            }
            terminal.write(painter.update(screen, columns: 20))
            #expect(terminal.text == ["$ carillon live"] + screen.map(\.text))
        }
        terminal.write(painter.erase(columns: 20))
        #expect(terminal.text == ["$ carillon live"])
        #expect(terminal.row == 1)
    }

    @Test func whatHasNotChangedIsNotWritten() {
        var painter = ScreenPainter(hasColour: false)
        #expect(painter.update(lines("one", "two"), columns: 80) == "one\u{1B}[K\r\ntwo\u{1B}[K\r\n")
        #expect(painter.update(lines("one", "two"), columns: 80) == "")
        #expect(painter.update(lines("ONE", "two"), columns: 80) == "\u{1B}[2A\rONE\r\n\u{1B}[1B\r")
        #expect(painter.update(lines("ONE", "tw"), columns: 80) == "\u{1B}[1A\rtw\u{1B}[K\r\n")
    }

    @Test func onlyTheEndOfALineIsWrittenWhereItsBeginningStays() {
        var painter = ScreenPainter(hasColour: true)
        var line = ScreenLine("position  ", .dim)
        line.add("1:02")
        _ = painter.update([line], columns: 80)
        var next = ScreenLine("position  ", .dim)
        next.add("1:03")
        #expect(painter.update([next], columns: 80) == "\u{1B}[1A\r\u{1B}[10C1:03\r\n")
    }

    @Test func aNarrowerTerminalHasBrokenTheLinesThatStood() {
        var painter = ScreenPainter(hasColour: false)
        _ = painter.update(lines(String(repeating: "x", count: 79), "y"), columns: 80)
        // 79 columns stand on two rows now, and y on one.
        #expect(painter.update(lines("z"), columns: 40) == "\u{1B}[3A\r\u{1B}[Jz\u{1B}[K\r\n")
    }

    @Test func aWindowOfAnotherSizeIsDrawnWholly() {
        var painter = ScreenPainter(hasColour: false)
        _ = painter.update(lines("one", "two"), columns: 80)
        painter.repaint()
        #expect(painter.update(lines("one", "two"), columns: 80) == "\u{1B}[H\u{1B}[2Jone\r\ntwo\r\n")
        #expect(painter.update(lines("one", "two"), columns: 80) == "")
    }

    @Test func whatIsForgottenStays() {
        var painter = ScreenPainter(hasColour: false), terminal = TerminalModel(columns: 20)
        terminal.write(painter.update(lines("one"), columns: 20))
        painter.forget()
        terminal.write("$ fg\r\n" + painter.update(lines("two"), columns: 20))
        #expect(terminal.text == ["one", "$ fg", "two"])
    }
}

/// As much of a terminal as the painter needs: rows without an end, the cursor's moves, erasing.
struct TerminalModel {
    private let columns: Int
    private var rows: [[Character]] = [[]]
    private(set) var row = 0
    private var column = 0

    init(columns: Int) { self.columns = columns }

    /// The rows up to the last that holds something.
    var text: [String] {
        var lines = rows.map { row in
            var text = String(row)
            while text.last == " " { text.removeLast() }
            return text
        }
        while lines.last == "" { lines.removeLast() }
        return lines
    }

    mutating func write(_ text: String) {
        var rest = Array(text.unicodeScalars)[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\r": column = 0
            case "\n":
                row += 1
                while rows.count <= row { rows.append([]) }
            case "\u{1B}":
                precondition(rest.popFirst() == "[")
                var number = ""
                while let next = rest.first, ("0"..."9").contains(next) {
                    number.unicodeScalars.append(next)
                    rest.removeFirst()
                }
                command(rest.popFirst() ?? " ", Int(number))
            default:
                while rows[row].count <= column { rows[row].append(" ") }
                rows[row][column] = Character(scalar)
                column += 1
                precondition(column <= columns, "a line wraps")
            }
        }
    }

    private mutating func command(_ letter: Unicode.Scalar, _ number: Int?) {
        switch letter {
        case "A": row = max(row - (number ?? 1), 0)
        case "B": row = min(row + (number ?? 1), rows.count - 1)
        case "C": column += number ?? 1
        case "K": rows[row] = Array(rows[row].prefix(column))
        case "J":
            rows[row] = Array(rows[row].prefix(column))
            rows = Array(rows[...row])
        case "m": break
        default: preconditionFailure("ESC [ \(letter)")
        }
    }
}
