/// The name of an LV2 plug-in's unit.
///
/// The URI alone decides, so that a patch means the same plug-in on every system: its last two words, without generic ones,
/// and if there is only one, the host's name before it. `http://drobilla.net/plugins/mda/Delay` is `lv2:mda-delay`. The URI
/// itself after `lv2:` always names the plug-in too.
enum PlugInName {
    static let prefix = "lv2:"

    static func short(_ uri: String) -> String {
        let rest = uri.split(separator: ":", maxSplits: 1).dropFirst().first.map(String.init) ?? uri
        let isPath = rest.hasPrefix("//")
        var words = rest.split(whereSeparator: { "/#:?=".contains($0) }).map(String.init)
        let host = isPath && !words.isEmpty ? words.removeFirst() : nil
        words = words.filter { !["plugins", "plugin", "lv2", "plug-ins"].contains($0.lowercased()) }
        if words.count < 2, let host {
            let labels = host.split(separator: ".").filter { $0 != "www" }
            words.insert(labels.first.map(String.init) ?? host, at: 0)
        }
        return prefix + words.suffix(2).map(kebab).filter { !$0.isEmpty }.joined(separator: "-")
    }

    /// Lower case, with dashes for all that is neither a letter nor a digit: `L Delay` is `l-delay`.
    static func kebab(_ text: String) -> String {
        var result = ""
        for byte in text.lowercased().utf8 {
            let isWord = (97...122).contains(byte) || (48...57).contains(byte)
            if isWord {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            } else if !result.isEmpty, result.last != "-" {
                result.append("-")
            }
        }
        while result.last == "-" { result.removeLast() }
        return result
    }

    /// Names of their own for all of `texts`: the second of a kind has a number, one without letters or digits is `word`.
    static func unique(_ texts: [String], word: String) -> [String] {
        var taken: Set<String> = []
        return texts.map { text in
            let base = kebab(text).isEmpty ? word : kebab(text)
            var name = base, number = 2
            while !taken.insert(name).inserted {
                name = "\(base)-\(number)"
                number += 1
            }
            return name
        }
    }

    /// A number for the URI that distinguishes plug-ins in component descriptions (FNV-1a, Fowler, Noll, Vo 1991).
    static func code(_ uri: String) -> UInt32 {
        let hash = uri.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
        return hash == 0 ? 1 : hash
    }
}
