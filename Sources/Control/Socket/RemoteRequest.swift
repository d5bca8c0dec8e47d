import Carillon

/// A request that a gateway passes on for a network client: `from http 192.168.1.7 full pause`. A client in the role `remote`
/// names the origin before each request, so that the log and the status can show it.
struct RemoteRequest {
    let asker: Asker
    let request: String

    /// Reads a line; nil if it does not name its origin.
    init?(_ line: String) {
        let words = line.split(separator: " ", maxSplits: 4)
        guard words.count == 5, words[0] == "from", words[1...3].allSatisfy({ $0.utf8.count <= 64 }) else { return nil }
        func word(_ place: Int) -> String? { words[place] == "-" ? nil : String(words[place]) }
        asker = Asker(surface: String(words[1]), address: word(2), role: word(3))
        request = String(words[4])
    }
}
