import CYAML

/// The events that libyaml reads in a text, piece by piece, each with its place. The one place that calls it.
struct YAMLEvents: ~Copyable {
    /// A piece.
    struct Event {
        enum Kind: Equatable {
            /// Text; `isPlain` if it has no quotes.
            case scalar(String, isPlain: Bool)
            case alias(String)
            case list, listEnd, mapping, mappingEnd
            /// A text has one document, and that has one value; events outside of it.
            case document, end
        }
        let kind: Kind
        /// Both counted from 1; a column counts Unicode scalars.
        let line: Int
        let column: Int
        var anchor: String?
        var tag: String?
    }

    /// A place where a text is not YAML, and the reason.
    struct Fault: Error, Equatable {
        let problem: String
        let line: Int
        let column: Int
    }

    /// libyaml keeps pointers into it: it must not move.
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let bytes: UnsafeMutableBufferPointer<UInt8>

    init(_ text: String) {
        parser = .allocate(capacity: 1)
        bytes = .allocate(capacity: text.utf8.count)
        _ = bytes.initialize(fromContentsOf: text.utf8)
        // It fails if memory has run out, and a Swift program ends there anyway.
        guard yaml_parser_initialize(parser) == 1 else { fatalError("memory has run out") }
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deallocate()
        bytes.deallocate()
    }

    /// Returns the next event; after the last one always `end`.
    func next() throws(Fault) -> Event {
        var event = yaml_event_t()
        guard yaml_parser_parse(parser, &event) == 1 else { throw fault }
        defer { yaml_event_delete(&event) }
        var anchor: String?, tag: String?
        let kind: Event.Kind
        switch event.type {
        case YAML_STREAM_START_EVENT, YAML_DOCUMENT_END_EVENT: return try next()
        case YAML_DOCUMENT_START_EVENT: kind = .document
        case YAML_ALIAS_EVENT: kind = .alias(Self.text(event.data.alias.anchor) ?? "")
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            (anchor, tag) = (Self.text(scalar.anchor), Self.text(scalar.tag))
            let value = String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
            kind = .scalar(value, isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE)
        case YAML_SEQUENCE_START_EVENT:
            (anchor, tag) = (Self.text(event.data.sequence_start.anchor), Self.text(event.data.sequence_start.tag))
            kind = .list
        case YAML_SEQUENCE_END_EVENT: kind = .listEnd
        case YAML_MAPPING_START_EVENT:
            (anchor, tag) = (Self.text(event.data.mapping_start.anchor), Self.text(event.data.mapping_start.tag))
            kind = .mapping
        case YAML_MAPPING_END_EVENT: kind = .mappingEnd
        default: kind = .end
        }
        let mark = event.start_mark
        return Event(kind: kind, line: Int(mark.line) + 1, column: Int(mark.column) + 1, anchor: anchor, tag: tag)
    }

    private static func text(_ bytes: UnsafePointer<yaml_char_t>?) -> String? {
        bytes.map { String(cString: $0) }
    }

    /// Returns true if there is a tab at a mark.
    private func isTab(_ mark: yaml_mark_t) -> Bool {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: Int(mark.line), omittingEmptySubsequences: false)
        guard lines.count > mark.line else { return false }
        return String(decoding: lines[Int(mark.line)], as: UTF8.self).unicodeScalars.dropFirst(Int(mark.column)).first == "\t"
    }

    /// The fault for which the parser stopped. A sign that it cannot read has no line yet, only a place among the bytes.
    private var fault: Fault {
        let problem = parser.pointee.problem.map { String(cString: $0) } ?? "it cannot be read"
        guard parser.pointee.error == YAML_READER_ERROR else {
            let mark = parser.pointee.problem_mark
            let hint =
                switch problem {
                case "could not find expected ':'": "; check the line before too: a key is followed by a colon and a space"
                case "found character that cannot start any token" where isTab(mark): "; it is a tab: indent with spaces"
                default: ""
                }
            return Fault(problem: problem + hint, line: Int(mark.line) + 1, column: Int(mark.column) + 1)
        }
        let before = String(decoding: bytes.prefix(Int(parser.pointee.problem_offset)), as: UTF8.self)
        let line = before.count { $0.isNewline } + 1
        let column = before.reversed().prefix { !$0.isNewline }.count + 1
        return Fault(problem: problem, line: line, column: column)
    }
}
