import AudioFiles
import Document

/// The lines of a Scala file that are no comments, and the faults of a line.
struct ScalaLines {
    private let path: String
    private var lines: ArraySlice<(number: Int, text: String)>
    private var last = 0

    /// The most bytes of a file.
    private static let limit = 1 << 20

    /// Reads a file. Throws a fault of kind `tuning`, or `noInput` for one that cannot be read.
    init(path: String) throws(Fault) {
        let bytes: [UInt8]
        do { bytes = try BoundedFile.bytes(path: path, limit: Self.limit) } catch {
            switch error {
            case .cannotRead(let code): throw Fault("\(SystemFault(code: code))", .noInput, of: path, remedy: "check the name")
            case .tooLarge: throw Fault("is longer than a tuning", .tuning, of: path, remedy: "give a Scala file")
            }
        }
        // Comments may be in any encoding of eight bits; the rest is ASCII.
        let text = String(String.UnicodeScalarView(bytes.map { UnicodeScalar($0) }))
        let all = text.split(omittingEmptySubsequences: false) { $0.isNewline }
        lines = all.enumerated().map { ($0 + 1, String($1)) }.filter { !$1.hasPrefix("!") }[...]
        self.path = path
    }

    /// The next line; nil at the end.
    mutating func next() -> String? {
        guard let line = lines.popFirst() else { return nil }
        last = line.number
        return line.text
    }

    /// The first word of the next line that has one; nil at the end.
    mutating func nextWord() -> String? {
        while let line = lines.popFirst() {
            guard let word = line.text.split(whereSeparator: \.isWhitespace).first else { continue }
            last = line.number
            return String(word)
        }
        return nil
    }

    /// Reads the first word of the next line that has one as a whole number.
    mutating func number(_ what: String, _ range: ClosedRange<Int>) throws(Fault) -> Int {
        guard let word = nextWord() else { throw fault("ends before \(what)", "write \(what) there") }
        guard let number = Int(word), range.contains(number) else {
            throw fault("\"\(word)\" is not \(what)", "write a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// A fault of the line that was read last.
    func fault(_ sentence: String, _ remedy: String) -> Fault {
        Fault(sentence, .tuning, of: "\(path):\(max(last, 1))", remedy: remedy)
    }
}
