/// The text of an SFZ file, read to regions: each with its own opcodes and those of the headers above it, which it shares.
///
/// Headers nest by order: global, master, group, region; a header forgets the opcodes of those below it. Source:
/// sfzformat.com, "Headers", "Opcodes", "Directives".
struct SFZText {
    struct Value {
        var text: String
        var line: Int
        /// The name as it is written, and the place of the opcode among all of the file.
        var name = "", place = 0
    }

    typealias Opcodes = [String: Value]

    struct Region {
        /// From the outermost to its own.
        var headers: [SFZHeader]
        /// Semitones by which <control> moves its keys: as it stands before it.
        var shift: Int
    }

    private(set) var regions: [Region] = []
    private(set) var control: Opcodes = [:]
    private(set) var curves: [Opcodes] = [], effects: [Opcodes] = []
    /// Texts that are included under a name in other letters of upper and lower case.
    private(set) var otherCase: [(name: String, line: Int, found: String)] = []
    /// Headers that are unknown here, or have no voice: how often each occurs.
    private(set) var unknownHeaders: [String: Int] = [:]

    /// Every name of an opcode in it, in its one spelling.
    private(set) var names: Set<String> = []

    private let path: String
    private var levels = [Opcodes](repeating: [:], count: 4)
    /// The levels as regions have them, nil for one that has changed since.
    private var headers = [SFZHeader?](repeating: nil, count: 4)
    /// Index in `levels`; nil means opcodes go nowhere.
    private var level: Int?
    private var isControl = false, isCurve = false, isEffect = false, inComment = false
    private var place = 0
    private var folders = FolderNames()
    /// Values by name, the dollar included.
    private var definitions: [String: String] = [:]
    /// The lengths of their names, in bytes.
    private var definedLengths: Set<Int> = []
    private var included = 0
    private var byteCount = 0

    /// All texts of a file together: a library of ten thousand regions has two megabytes.
    private static let mostBytes = 16 << 20
    private static let longestLine = 16_384
    private static let deepest = 16, mostIncludes = 2_000, mostDefinitions = 4_000
    /// More is no instrument.
    static let mostRegions = 65_535
    private static let mostCurves = 1_024

    init(path: String) throws(SoundFontError) {
        self.path = path
        try include(path, depth: 0)
        endRegion()
    }

    private mutating func include(_ file: String, depth: Int) throws(SoundFontError) {
        let bytes = try SoundFontBytes(path: file)
        byteCount += bytes.size
        guard byteCount <= Self.mostBytes else {
            throw .tooMany(path: file, what: "bytes of SFZ text", count: byteCount, limit: Self.mostBytes)
        }
        var read = try bytes.read("text", at: 0, count: bytes.size)[...]
        // A mark that says UTF-8, as editors on Windows write it.
        if read.starts(with: [0xEF, 0xBB, 0xBF]) { read = read.dropFirst(3) }
        let text = String(decoding: read, as: UTF8.self)
        inComment = false
        var number = 0
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            number += 1
            guard line.utf8.count <= Self.longestLine else {
                throw Self.tooLong(file, number)
            }
            try self.read(withoutComments(line), file, number, depth)
        }
    }

    private mutating func read(_ line: String, _ file: String, _ number: Int, _ depth: Int) throws(SoundFontError) {
        var rest = line.drop(while: \.isWhitespace)
        if rest.hasPrefix("#include") {
            let parts = rest.split(separator: "\"", omittingEmptySubsequences: false)
            included += 1
            var problem: String?
            if parts.count < 3 { problem = "names no file to include; write #include \"file.sfz\"" }
            if depth >= Self.deepest { problem = "includes files that include each other; remove the loop" }
            if included > Self.mostIncludes { problem = "comes after \(Self.mostIncludes) included files; join some" }
            if let problem { throw .text(path: file, line: number, problem: problem) }
            // Counted from the first file, for a line in any file.
            var name = try expanded(parts[1], file, number)
            if FileIdentity(path: Self.joined(path, name)) == nil {
                guard let found = folders.inOtherCase(path, name) else {
                    throw .text(path: file, line: number, problem: "includes \(name), which is not there; check the name")
                }
                otherCase.append((name, number, found))
                name = found
            }
            try include(Self.joined(path, name), depth: depth + 1)
            inComment = false
            return
        }
        while rest.hasPrefix("#define") {
            let words = rest.dropFirst(7).split(maxSplits: 2, whereSeparator: \.isWhitespace)
            guard words.count >= 2, words[0].hasPrefix("$") else {
                throw .text(path: file, line: number, problem: "defines nothing; write #define $NAME value")
            }
            guard definitions.count < Self.mostDefinitions || definitions[String(words[0])] != nil else {
                let problem = "comes after \(Self.mostDefinitions) definitions; remove some"
                throw .text(path: file, line: number, problem: problem)
            }
            definitions[String(words[0])] = try expanded(words[1], file, number)
            definedLengths.insert(words[0].utf8.count)
            rest = words.count > 2 ? words[2] : ""
        }
        var text = Substring(try expanded(rest, file, number))
        while !text.isEmpty {
            text = text.drop(while: \.isWhitespace)
            if text.hasPrefix("<") {
                guard let end = text.firstIndex(of: ">") else {
                    throw .text(path: file, line: number, problem: "opens a header without closing it; write <region>")
                }
                try begin(text[text.index(after: text.startIndex)..<end].lowercased(), file, number)
                text = text[text.index(after: end)...]
                continue
            }
            guard let sign = text.firstIndex(of: "=") else { break }
            let name = text[..<sign].split(whereSeparator: \.isWhitespace).last.map { $0.lowercased() } ?? ""
            let value = Self.value(text[text.index(after: sign)...])
            set(name, Value(text: value.text, line: number))
            text = value.rest
        }
    }

    private mutating func begin(_ header: String, _ file: String, _ line: Int) throws(SoundFontError) {
        endRegion()
        isControl = header == "control"
        isCurve = header == "curve"
        isEffect = header == "effect"
        if isEffect { effects.append([:]) }
        if isCurve {
            curves.append([:])
            guard curves.count <= Self.mostCurves else {
                throw .text(path: file, line: line, problem: "comes after \(Self.mostCurves) curves; remove some")
            }
        }
        level = ["global", "master", "group", "region"].firstIndex(of: header)
        if let level {
            for lower in level..<4 { (levels[lower], headers[lower]) = ([:], nil) }
        } else if !isControl && !isCurve && !isEffect {
            unknownHeaders[header, default: 0] += 1
        }
        guard regions.count < Self.mostRegions, effects.count < Self.mostRegions else {
            throw .text(path: file, line: line, problem: "comes after \(Self.mostRegions) regions; split the file")
        }
    }

    private mutating func endRegion() {
        guard level == 3 else { return }
        for level in 0..<4 where headers[level] == nil && !levels[level].isEmpty { headers[level] = SFZHeader(levels[level]) }
        let notes = control["note_offset"].flatMap { SFZOpcodes.number($0.text) } ?? 0
        let octaves = control["octave_offset"].flatMap { SFZOpcodes.number($0.text) } ?? 0
        let shift = Int(min(max(notes, -127), 127)) + 12 * Int(min(max(octaves, -10), 10))
        regions.append(Region(headers: headers.compactMap { $0 }, shift: shift))
    }

    /// Sets an opcode. A sample's path is relative to the default path at that line.
    private mutating func set(_ written: String, _ value: Value) {
        let name = SFZOpcodeName.canonical(written)
        names.insert(name)
        place += 1
        var value = value
        (value.name, value.place) = (written, place)
        if isControl {
            control[name] = value
        } else if isCurve {
            curves[curves.count - 1][name] = value
        } else if isEffect {
            effects[effects.count - 1][name] = value
        } else if let level {
            if name == "sample", !value.text.hasPrefix("*") { value.text = (control["default_path"]?.text ?? "") + value.text }
            levels[level][name] = value
            headers[level] = nil
        }
    }

    /// A value goes on to the next opcode, header or the line's end: names of samples have spaces.
    private static func value(_ text: Substring) -> (text: String, rest: Substring) {
        var end = text.endIndex
        if let header = text.firstIndex(of: "<") { end = header }
        if let sign = text[..<end].firstIndex(of: "=") {
            let before = text[..<sign]
            if let space = before.lastIndex(where: \.isWhitespace) { end = space }
        }
        let value = text[..<end]
        return (String(value.reversed().drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace)), text[end...])
    }

    /// The line without what `//` begins, and what stands between `/*` and `*/`, in this line or over several.
    private mutating func withoutComments(_ line: Substring) -> String {
        var kept: [UInt8] = [], previous: UInt8 = 0x20
        for byte in line.utf8 {
            let pair = (previous, byte)
            previous = byte
            if inComment {
                if pair == (UInt8(ascii: "*"), UInt8(ascii: "/")) {
                    inComment = false
                    previous = 0x20
                }
                continue
            }
            if pair == (UInt8(ascii: "/"), UInt8(ascii: "/")) {
                kept.removeLast()
                break
            }
            if pair == (UInt8(ascii: "/"), UInt8(ascii: "*")) {
                kept.removeLast()
                // What was apart stays apart.
                kept.append(0x20)
                inComment = true
                previous = 0x20
                continue
            }
            kept.append(byte)
        }
        return String(decoding: kept, as: UTF8.self)
    }

    /// Names that were defined, replaced by their values: of several that fit, the longest.
    private func expanded(_ text: Substring, _ file: String, _ number: Int) throws(SoundFontError) -> String {
        var result = "", rest = text
        let lengths = definedLengths.sorted(by: >)
        while let sign = rest.firstIndex(of: "$") {
            result += rest[..<sign]
            rest = rest[sign...]
            let most = 1 + rest.utf8.dropFirst().prefix(while: Self.isInName).count
            let found = lengths.lazy.filter { $0 <= most }.compactMap { length in
                definitions[String(rest.utf8.prefix(length)) ?? ""].map { ($0, length) }
            }.first
            result += found?.0 ?? "$"
            rest = Substring(rest.utf8.dropFirst(found?.1 ?? 1))
            guard result.utf8.count <= Self.longestLine else { throw Self.tooLong(file, number) }
        }
        return result + rest
    }

    private static func isInName(_ byte: UInt8) -> Bool {
        byte == 0x5F || (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
    }

    private static func tooLong(_ file: String, _ line: Int) -> SoundFontError {
        .text(path: file, line: line, problem: "is longer than \(longestLine) bytes; break it")
    }

    /// A name inside `file`'s folder; Windows writes `\\`.
    static func joined(_ file: String, _ name: String) -> String {
        let name = String(name.map { $0 == "\\" ? "/" : $0 })
        guard !name.hasPrefix("/"), let slash = file.lastIndex(of: "/") else { return name }
        return file[...slash] + name
    }
}
