/// A job on its way from the batch to a process of it.
package struct BatchOrder: Codable {
    package let key: String
    package let song: String
    package let songHash: String
    package let arguments: [String]
    package let fields: [String: JSONValue]

    package init(key: String, song: String, songHash: String, arguments: [String], fields: [String: JSONValue]) {
        (self.key, self.song, self.songHash) = (key, song, songHash)
        (self.arguments, self.fields) = (arguments, fields)
    }

    /// The order on one line.
    package var text: String { JSONOutput.plain(self) }
}
