import FoundationEssentials

/// One JSON object, keys sorted, on one line.
enum JSONOutput {
    /// Of every report, as its key `reportVersion`: grows when a key changes its meaning or goes, not when one is added.
    static let version = 2

    /// `value`, which must be encoded as an object, as text. Encoding plain values cannot fail; if it does, that is a fault
    /// of this program and is said.
    static func text(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return String(decoding: try encoder.encode(Report(value: value)), as: UTF8.self)
        } catch {
            fatalError("a report could not be encoded: \(error)")
        }
    }
}

/// A value's own keys, and the version beside them.
private struct Report<Value: Encodable>: Encodable {
    let value: Value

    private enum Key: String, CodingKey { case reportVersion }

    func encode(to encoder: any Encoder) throws {
        try value.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(JSONOutput.version, forKey: .reportVersion)
    }
}
