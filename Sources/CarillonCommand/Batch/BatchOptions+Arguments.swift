import Corpus

extension BatchOptions {
    /// The words that follow `carillon render`.
    var arguments: [String] {
        given.flatMap { name, values in values.isEmpty ? ["--\(name)"] : values.flatMap { ["--\(name)", $0] } }
    }
}
