import Reports

/// One key of a mapping in a file, declared once: what reads it, writes it, checks it in an editor and explains it.
package struct FileField<Root> {
    package let name: String
    /// One sentence: what it does.
    package let help: String
    /// The words of its JSON Schema.
    package var schema: [(String, JSONText)] { words() }
    private let words: () -> [(String, JSONText)]
    /// A value, as an error proposes it, if the key must not be missing.
    package let example: String?
    /// True if an error names the key before others.
    package var isForemost = false
    /// True if the key names something elsewhere in the file.
    let namesOthers: Bool
    package let read: (inout Root, FileCursor) throws(DocumentError) -> Void
    /// The entry of a value; nil if it is as in the second root, which has only defaults.
    package let write: (Root, Root) throws(DocumentError) -> FileTree.Entry?

    /// Creates a key with its own reader and writer.
    package init(
        _ name: String, _ help: String, schema: @escaping @autoclosure () -> [(String, JSONText)], example: String? = nil,
        namesOthers: Bool = false,
        read: @escaping (inout Root, FileCursor) throws(DocumentError) -> Void = { (_, _) throws(DocumentError) in },
        write: @escaping (Root, Root) throws(DocumentError) -> FileTree.Entry? = { (_, _) throws(DocumentError) in nil }
    ) {
        (self.name, self.help, words, self.example) = (name, help, schema, example)
        (self.namesOthers, self.read, self.write) = (namesOthers, read, write)
    }

    /// Creates a key for the value of a property. A default value is not written.
    package init<Value: Equatable>(
        _ name: String, _ kind: ValueKind<Value>, _ property: WritableKeyPath<Root, Value>, example: String? = nil,
        namesOthers: Bool = false, _ help: String
    ) {
        self.init(name, help, schema: kind.schema, example: example, namesOthers: namesOthers) {
            (root, cursor) throws(DocumentError) in
            root[keyPath: property] = try kind.read(cursor)
        } write: { (root, plain) throws(DocumentError) in
            if example == nil, root[keyPath: property] == plain[keyPath: property] { return nil }
            return .init(key: name, value: try kind.write(root[keyPath: property]))
        }
    }

    /// Creates a key for the value of an optional property.
    package init<Value: Equatable>(
        _ name: String, _ kind: ValueKind<Value>, _ property: WritableKeyPath<Root, Value?>, namesOthers: Bool = false,
        _ help: String
    ) {
        self.init(name, help, schema: kind.schema, namesOthers: namesOthers) { (root, cursor) throws(DocumentError) in
            root[keyPath: property] = try kind.read(cursor)
        } write: { (root, plain) throws(DocumentError) in
            guard let value = root[keyPath: property], value != plain[keyPath: property] else { return nil }
            return .init(key: name, value: try kind.write(value))
        }
    }

    /// Creates a mapping of items by name, in an order that matters.
    package init<Item>(
        _ name: String, itemsOf table: @escaping (String) -> FileTable<Item>, _ property: WritableKeyPath<Root, [Item]>,
        name itemName: KeyPath<Item, String>, namesOthers: Bool = false, isRequired: Bool = false, _ help: String
    ) {
        self.init(
            name, help,
            schema: [("type", .strings(["object", "null"])), ("additionalProperties", .object(table("").schema))],
            example: isRequired ? "" : nil, namesOthers: namesOthers
        ) { (root, cursor) throws(DocumentError) in
            let expected = "a mapping of \(name) by name", entries = try cursor.entries(expected)
            if isRequired && entries.isEmpty { throw cursor.error(.wrongKind(expected: expected)) }
            for entry in entries {
                if let item = table(entry.name).read(entry.value) { root[keyPath: property].append(item) }
            }
        } write: { (root, _) throws(DocumentError) in
            var entries: [FileTree.Entry] = []
            for item in root[keyPath: property] {
                let key = item[keyPath: itemName]
                let inside: [FileTree.Entry]
                do throws(DocumentError) { inside = try table(key).entries(item) } catch { throw error.inside(key) }
                entries.append(.init(key: key, value: .mapping(inside)))
            }
            return entries.isEmpty ? nil : .init(key: name, value: .mapping(entries), isOrdered: true)
        }
    }

    /// The version of a file, which has been looked at when the other keys are read.
    package static func version(_ version: Int, key: String = "version") -> FileField {
        FileField(
            key, "The version of the file's form.", schema: [("const", .whole(version))], example: "\(version)",
            write: { (_, _) throws(DocumentError) in .init(key: key, value: .literal("\(version)")) })
    }

    /// The key with a value, as an error proposes it; nil for one that may be missing.
    var proposal: String? { example.map { "\(name):" + ($0.isEmpty ? "" : " \($0)") } }

    /// The property of a JSON Schema; nil for a key that is not in the schema.
    var property: (String, JSONText)? {
        let words = schema
        return words.isEmpty ? nil : (name, .object((help.isEmpty ? [] : [("description", .string(help))]) + words))
    }
}

/// The keys of a mapping, each on a line of its own.
@resultBuilder package enum FieldList<Root> {
    package static func buildExpression(_ field: FileField<Root>) -> [FileField<Root>] { [field] }
    package static func buildExpression(_ fields: [FileField<Root>]) -> [FileField<Root>] { fields }
    package static func buildBlock(_ fields: [FileField<Root>]...) -> [FileField<Root>] { fields.flatMap(\.self) }
    package static func buildOptional(_ fields: [FileField<Root>]?) -> [FileField<Root>] { fields ?? [] }
    package static func buildArray(_ fields: [[FileField<Root>]]) -> [FileField<Root>] { fields.flatMap(\.self) }
}

/// The keys that a mapping of a file may have, and the value that it becomes: reader, writer and schema in one.
package struct FileTable<Root> {
    /// The keys in the order in which they are read and written.
    package let fields: [FileField<Root>]
    private let plain: Root
    private let expected: String
    /// The field whose value may be written alone, in place of the mapping.
    private let short: String?
    private let finish: (inout Root, FileCursor) throws(DocumentError) -> Void

    /// - Parameters:
    ///   - plain: the value of an empty mapping.
    ///   - expected: what errors call the mapping.
    ///   - short: the key whose value may be written alone.
    ///   - finish: called if every key of the mapping is right, to complete or check the value.
    package init(
        _ plain: Root, _ expected: String, short: String? = nil, @FieldList<Root> _ fields: () -> [FileField<Root>],
        finish: @escaping (inout Root, FileCursor) throws(DocumentError) -> Void = { (_, _) throws(DocumentError) in }
    ) {
        (self.plain, self.expected, self.short, self.finish) = (plain, expected, short, finish)
        self.fields = fields()
    }

    /// The value of a mapping; nil for what is none. What is wrong in it is noted, all of it.
    package func read(_ cursor: FileCursor, hidesNames: Bool = false) -> Root? {
        var root = plain
        do throws(DocumentError) { try read(cursor, into: &root) } catch {
            cursor.faults.add(error, hidesNames: hidesNames)
            return nil
        }
        return root
    }

    /// Reads into a value that has something already.
    package func read(_ cursor: FileCursor, into root: inout Root) throws(DocumentError) {
        let faults = cursor.faults.count
        if let short, !isMapping(cursor), let field = fields.first(where: { $0.name == short }) {
            return try field.read(&root, cursor)
        }
        let entries = try cursor.entries(expected)
        let names = Set(entries.map(\.name)), unknown = entries.filter { entry in !fields.contains { $0.name == entry.name } }
        // A key that is not known may be meant for one that is missing.
        let known = (fields.filter(\.isForemost) + fields.filter { !$0.isForemost }).map {
            names.contains($0.name) ? $0.name : $0.proposal ?? $0.name
        }
        for entry in unknown {
            cursor.faults.add(cursor.error(.unknownKey(entry.name, known: known), at: entry.value.place))
        }
        for field in fields {
            guard let entry = entries.first(where: { $0.name == field.name }) else {
                guard unknown.isEmpty, let proposal = field.proposal else { continue }
                cursor.faults.add(cursor.error(.missingKey(proposal), at: cursor.place))
                continue
            }
            if field.namesOthers && cursor.faults.hideNames { continue }
            do throws(DocumentError) { try field.read(&root, entry.value) } catch { cursor.faults.add(error) }
        }
        if cursor.faults.count == faults { try finish(&root, cursor) }
    }

    private func isMapping(_ cursor: FileCursor) -> Bool { if case .mapping = cursor.node.content { true } else { false } }

    /// The value of a whole file, whose version has been checked.
    ///
    /// - Throws: all faults of the file.
    package func document(_ cursor: FileCursor) throws(DocumentError) -> Root {
        let root = read(cursor)
        try cursor.faults.check()
        return root ?? plain
    }

    /// The entries of a mapping that means `root`; what is as it always is, is left out.
    package func entries(_ root: Root) throws(DocumentError) -> [FileTree.Entry] {
        var entries: [FileTree.Entry] = []
        for field in fields {
            do throws(DocumentError) { if let entry = try field.write(root, plain) { entries.append(entry) } } catch {
                throw error.inside(field.name)
            }
        }
        return entries
    }

    /// The words of the mapping's JSON Schema.
    package var schema: [(String, JSONText)] {
        let required = fields.filter { $0.example != nil }.map(\.name)
        let mapping: [(String, JSONText)] =
            [("type", required.isEmpty ? .strings(["object", "null"]) : .string("object"))]
            + (required.isEmpty ? [] : [("required", .strings(required))])
            + [("properties", .object(fields.compactMap(\.property))), ("additionalProperties", .flag(false))]
        guard let short = fields.first(where: { $0.name == short }) else { return mapping }
        // A mapping is the table's, even if the value that may be written alone could be one.
        let alone = [("not", JSONText.object([("type", .string("object"))]))] + short.schema
        return [("anyOf", .array([.object(alone), .object(mapping)]))]
    }

    /// The JSON Schema (draft 2020-12) of a file that is such a mapping, with definitions that its fields refer to.
    package func document(title: String, definitions: [(String, JSONText)] = []) -> String {
        let head = [("$schema", JSONText.string("https://json-schema.org/draft/2020-12/schema")), ("title", .string(title))]
        let more = definitions.isEmpty ? [] : [("$defs", JSONText.object(definitions))]
        return JSONText.object(head + schema + more).written() + "\n"
    }

    /// The kind of value that such a mapping is.
    package var kind: ValueKind<Root> {
        ValueKind(schema) { (cursor) throws(DocumentError) in
            var root = plain
            try read(cursor, into: &root)
            return root
        } write: { (root) throws(DocumentError) in
            .mapping(try entries(root))
        }
    }
}
