import Carillon

/// A request that a gateway passes on for somebody on a network: `from http 192.168.1.7 full pause`. Whoever speaks for others
/// (`role remote`) says so before each request, so that log and status can name them.
struct RemoteRequest {
    let asker: Asker
    let request: String

    /// Reads a line; nil for one that does not say for whom it is.
    init?(_ line: String) {
        let words = line.split(separator: " ", maxSplits: 4)
        guard words.count == 5, words[0] == "from", words[1...3].allSatisfy({ $0.utf8.count <= 64 }) else { return nil }
        func word(_ place: Int) -> String? { words[place] == "-" ? nil : String(words[place]) }
        asker = Asker(surface: String(words[1]), address: word(2), role: word(3))
        request = String(words[4])
    }
}
