/// A number with its noun, as a sentence has it: `1 bar`, `2 bars`. Control side.
package enum CountedNoun {
    /// - Parameter plural: the noun for other numbers than 1; nil means with an s appended.
    package static func text(_ count: some BinaryInteger, _ noun: String, _ plural: String? = nil) -> String {
        "\(count) \(count == 1 ? noun : plural ?? noun + "s")"
    }
}
