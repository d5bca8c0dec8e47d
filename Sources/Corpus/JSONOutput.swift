import FoundationEssentials

/// JSON objects, keys sorted, on one line, each with the version of the reports.
package enum JSONOutput {
    /// Rises when a key changes its meaning or goes; new keys do not raise it.
    package static let version = 3

    /// `value` as text.
    package static func text(_ value: some Encodable) -> String { encoded(Report(value: value)) }

    /// An array of objects as text.
    package static func text(array: [some Encodable]) -> String { encoded(array.map { Report(value: $0) }) }

    /// `value` as text, without the version.
    package static func plain(_ value: some Encodable) -> String { encoded(value) }

    private struct Report<Value: Encodable>: Encodable {
        package let value: Value

        private enum Key: String, CodingKey { case reportVersion }

        package func encode(to encoder: any Encoder) throws {
            try value.encode(to: encoder)
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(JSONOutput.version, forKey: .reportVersion)
        }
    }

    /// Encoding plain values cannot fail; if it does, that is a fault of this program and is reported.
    private static func encoded(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return String(decoding: try encoder.encode(value), as: UTF8.self)
        } catch {
            fatalError("a report could not be encoded: \(error)")
        }
    }
}
