/// The names of keys: C4 is middle C, key 60.
package enum KeyName {
    private static let names = ["C", "C#", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B"]

    /// Returns the name of a key, 0...127; the lowest is `C-1`.
    package static func text(of key: UInt8) -> String { names[Int(key) % 12] + "\(Int(key) / 12 - 1)" }
}
