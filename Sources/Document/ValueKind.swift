import Reports
import UnitAPI

/// A kind of value in files: how it is read, how it is written, and its JSON Schema for editors.
package struct ValueKind<Value> {
    /// The words of its JSON Schema.
    package var schema: [(String, JSONText)] { words() }
    private let words: () -> [(String, JSONText)]
    package let read: (FileCursor) throws(DocumentError) -> Value
    /// Throws for a value that cannot be written in a file.
    package let write: (Value) throws(DocumentError) -> FileTree

    package init(
        _ schema: @escaping @autoclosure () -> [(String, JSONText)], read: @escaping (FileCursor) throws(DocumentError) -> Value,
        write: @escaping (Value) throws(DocumentError) -> FileTree
    ) {
        (words, self.read, self.write) = (schema, read, write)
    }

    /// A text with a value. The schema says that it is a text, or also a number if digits can be one.
    package static func parsed(
        _ expected: String, orNumber: Bool = false, _ value: @escaping (String) -> Value?, _ text: @escaping (Value) -> String
    ) -> ValueKind {
        ValueKind(orNumber ? [("type", .strings(["string", "integer"]))] : [("type", .string("string"))]) {
            (cursor) throws(DocumentError) in
            guard let value = value(try cursor.text(expected)) else { throw cursor.error(.wrongKind(expected: expected)) }
            return value
        } write: {
            orNumber ? .setting(text($0)) : .text(text($0))
        }
    }

    /// The kind with other words for editors.
    package func withSchema(_ schema: [(String, JSONText)]) -> ValueKind { ValueKind(schema, read: read, write: write) }

    /// The kind of what is another value in the program.
    package func map<New>(_ read: @escaping (Value) -> New, _ write: @escaping (New) -> Value) -> ValueKind<New> {
        ValueKind<New>(schema) { (cursor) throws(DocumentError) in
            read(try self.read(cursor))
        } write: {
            (value) throws(DocumentError) in
            try self.write(write(value))
        }
    }

    /// A list of such values, or one alone.
    package var orMore: ValueKind<[Value]> {
        let items = [("type", JSONText.string("array")), ("items", .object(schema))]
        return ValueKind<[Value]>([("anyOf", .array([.object(schema), .object(items)]))]) { (cursor) throws(DocumentError) in
            if cursor.items.isEmpty { throw cursor.error(.valueCount(0, most: 1)) }
            return try cursor.items.map(read)
        } write: { (values) throws(DocumentError) in
            values.count == 1 ? try write(values[0]) : .row(try values.map(write))
        }
    }

    /// A list of such values.
    package func list(_ expected: String) -> ValueKind<[Value]> {
        ValueKind<[Value]>([("type", .strings(["array", "null"])), ("items", .object(schema))]) {
            (cursor) throws(DocumentError) in
            try cursor.list(expected).map(read)
        } write: { (values) throws(DocumentError) in
            .row(try values.map(write))
        }
    }

    /// A mapping of such values by name.
    package func named(_ expected: String) -> ValueKind<[String: Value]> {
        ValueKind<[String: Value]>([("type", .string("object")), ("additionalProperties", .object(schema))]) {
            (cursor) throws(DocumentError) in
            var values: [String: Value] = [:]
            for entry in try cursor.entries(expected) { values[entry.name] = try read(entry.value) }
            return values
        } write: { (values) throws(DocumentError) in
            var entries: [FileTree.Entry] = []
            for (name, value) in values { entries.append(.init(key: name, value: try write(value))) }
            return .mapping(entries)
        }
    }
}

extension ValueKind where Value == String {
    /// Text that is not empty.
    package static func text(_ expected: String) -> Self { .parsed(expected, { $0 }, { $0 }) }
}

extension ValueKind where Value == [String] {
    /// The list, which is empty if there is no value.
    package var orNone: Self {
        ValueKind([("anyOf", .array([.object(schema), .object([("type", .string("null"))])]))]) {
            (cursor) throws(DocumentError) in
            cursor.isEmpty ? [] : try read(cursor)
        } write: { (texts) throws(DocumentError) in
            try write(texts)
        }
    }

    /// The list with each text on a line of its own; a single text may follow the key.
    package var lines: Self {
        ValueKind(schema, read: read) { (texts) throws(DocumentError) in
            if texts.count == 1, case .text(let text) = try write(texts) { return .text(text) }
            return .list(texts.map { .init(text: $0, parts: [$0]) })
        }
    }
}

extension ValueKind where Value == Bool {
    /// A switch: on or off.
    package static var flag: Self {
        ValueKind([("enum", ParameterSchema.switches)]) { (cursor) throws(DocumentError) in
            let name = cursor.key.split(separator: ".").last.map(String.init) ?? ""
            let text = try cursor.text("on or off")
            do throws(ParameterError) { return try ParameterSpec.toggle(name, default: false, help: "").value(text) == 1 } catch {
                throw cursor.error(.value(error))
            }
        } write: {
            .text($0 ? "on" : "off")
        }
    }
}

extension ValueKind where Value == Float {
    /// A number without a unit.
    package static func number(_ range: ClosedRange<Value>) -> Self {
        let expected =
            "a number from \(Quantity(Double(range.lowerBound), .none)) to \(Quantity(Double(range.upperBound), .none))"
        return ValueKind(ParameterSchema.number(range)) { (cursor) throws(DocumentError) in
            guard let number = Value(try cursor.text(expected)), range.contains(number) else {
                throw cursor.error(.wrongKind(expected: expected))
            }
            return number
        } write: {
            .literal("\($0)")
        }
    }
}

extension ValueKind where Value: FixedWidthInteger {
    /// A whole number.
    package static func whole(_ range: ClosedRange<Value>) -> Self {
        let expected = "a whole number from \(range.lowerBound) to \(range.upperBound)"
        return ValueKind([
            ("type", .string("integer")), ("minimum", .number(Double(range.lowerBound))),
            ("maximum", .number(Double(range.upperBound))),
        ]) { (cursor) throws(DocumentError) in
            guard let number = Value(try cursor.text(expected)), range.contains(number) else {
                throw cursor.error(.wrongKind(expected: expected))
            }
            return number
        } write: {
            .literal("\($0)")
        }
    }
}

extension ValueKind where Value == Int {
    /// A whole number in the unit and the range of a declaration.
    package static func whole(_ spec: ParameterSpec) -> Self {
        let kind = ValueKind<Float>.quantity(spec)
        return ValueKind(kind.schema) { (cursor) throws(DocumentError) in
            guard let number = Int(exactly: try kind.read(cursor)) else {
                throw cursor.error(.wrongKind(expected: "a whole number"))
            }
            return number
        } write: { (value) throws(DocumentError) in
            try kind.write(Float(value))
        }
    }
}

extension ValueKind where Value == Float {
    /// A number in the unit and the range that `spec` declares.
    package static func quantity(_ spec: ParameterSpec) -> Self {
        ValueKind([("anyOf", .array(ParameterSchema(spec: spec, bands: 0).one))]) { (cursor) throws(DocumentError) in
            let text = try cursor.text("a value, \(spec.valid),")
            do throws(ParameterError) { return try spec.fileValue(text) } catch { throw cursor.error(.value(error)) }
        } write: { (value) throws(DocumentError) in
            if let tree = spec.fileTree(value) { return tree }
            let bounds = (spec.text(spec.range.lowerBound), spec.text(spec.range.upperBound))
            throw DocumentError(
                .value(.outOfRange(parameter: spec.name, text: "\(value)", low: bounds.0, high: bounds.1)), path: "")
        }
    }
}

extension ValueKind where Value == Double {
    /// A number in the unit and the range that `spec` declares.
    package static func quantity(_ spec: ParameterSpec) -> Self {
        let kind = ValueKind<Float>.quantity(spec)
        return ValueKind(kind.schema) { (cursor) throws(DocumentError) in
            Double(try kind.read(cursor))
        } write: {
            (value) throws(DocumentError) in
            // A file has the digits of a Float.
            try kind.write(Double(Float(value)) == value ? Float(value) : .nan)
        }
    }
}

extension ValueKind where Value: RawRepresentable<String> & CaseIterable {
    /// One of the words of a type.
    package static var choice: Self {
        .choice(Value.allCases.map(\.rawValue), "", Value.init(rawValue:), \.rawValue)
    }
}

extension ValueKind {
    /// One of `words`; `kind` is what errors call one, `role`.
    package static func choice(
        _ words: [String], _ kind: String, _ value: @escaping (String) -> Value?, _ text: @escaping (Value) -> String
    ) -> Self {
        ValueKind([("enum", .strings(words))]) { (cursor) throws(DocumentError) in
            let word = try cursor.text(words.joined(separator: ", "))
            guard words.contains(word), let value = value(word) else {
                throw cursor.error(.unknown(word, kind: kind, known: words))
            }
            return value
        } write: {
            .text(text($0))
        }
    }
}

extension ValueKind where Value: BinaryFloatingPoint & LosslessStringConvertible {
    /// Any number, without a unit and with all its digits.
    package static var number: Self {
        let expected = "a number"
        return ValueKind([("type", .string("number"))]) { (cursor) throws(DocumentError) in
            guard let number = Value(try cursor.text(expected)), number.isFinite else {
                throw cursor.error(.wrongKind(expected: expected))
            }
            return number
        } write: { (number) throws(DocumentError) in
            guard number.isFinite else { throw DocumentError(.refused("\(number) is no number; give another"), path: "") }
            return .literal("\(number)")
        }
    }
}
