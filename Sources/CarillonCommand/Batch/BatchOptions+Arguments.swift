import Corpus

extension BatchOptions {
    /// The words that follow `carillon render`.
    var arguments: [String] {
        given.sorted { $0.key < $1.key }.flatMap { name, values in
            values.isEmpty ? ["--\(name)"] : values.flatMap { ["--\(name)", $0] }
        }
    }
}
