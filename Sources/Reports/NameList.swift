/// Names in a sentence: numbered ones that follow each other are drawn together. Control side.
package enum NameList {
    /// The number of names that a sentence has room for.
    package static let most = 12

    /// `mixer, strip-1 ... strip-16, reverb`: three or more of a row become its first and last.
    private static func parts(_ names: [String]) -> [String] {
        var parts: [String] = [], row: [String] = []
        func close() {
            parts += row.count > 2 ? ["\(row[0]) ... \(row[row.count - 1])"] : row
            row = []
        }
        for name in names {
            if let last = row.last, let next = follower(of: last), next == name {
                row.append(name)
            } else {
                close()
                row = [name]
            }
        }
        close()
        return parts
    }

    /// The names as `text` has them; of more than `limit` parts the first, and how many are left out.
    package static func short(_ names: [String], limit: Int = most) -> String {
        let parts = parts(names)
        if parts.count <= limit + 1 { return parts.joined(separator: ", ") }
        return parts.prefix(limit).joined(separator: ", ") + " and \(parts.count - limit) more"
    }

    /// `strip-3` for `strip-2`; nil for a name without a number.
    private static func follower(of name: String) -> String? {
        guard let dash = name.lastIndex(of: "-"), let number = Int(name[name.index(after: dash)...]), number < .max else {
            return nil
        }
        return "\(name[...dash])\(number + 1)"
    }
}
