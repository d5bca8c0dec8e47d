import FoundationEssentials

/// One JSON object, keys sorted, on one line.
enum JSONOutput {
    /// `value` as text. Encoding plain values cannot fail; if it does, that is a fault of this program and is said.
    static func text(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return String(decoding: try encoder.encode(value), as: UTF8.self)
        } catch {
            fatalError("a report could not be encoded: \(error)")
        }
    }
}
