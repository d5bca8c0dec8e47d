/// The reason why a plug-in is not available.
public enum PlugInError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The library that finds plug-ins is not there; `reason` is the loader's.
    case noLibrary(reason: String)
    /// No plug-in of that name is installed; `near` is one that is called almost so.
    case unknown(name: String, near: String?)
    /// The plug-in is installed and cannot be a unit.
    case refused(name: String, reason: String)
    /// The plug-in did not come to life.
    case notMade(name: String, library: String)
    /// The process of its own could not be started.
    case noProcess(name: String, reason: String)
    /// Two plug-ins have the same name: their URIs distinguish them.
    case ambiguous(name: String, uris: [String])

    public var description: String {
        switch self {
        case .noLibrary(let reason):
            "LV2 plug-ins need lilv, which cannot be loaded: \(reason); install the package liblilv-0-0"
        case .unknown(let name, let near):
            "no LV2 plug-in \(name) is installed"
                + (near.map { "; did you mean \($0)?" } ?? "; install its package, or name another")
        case .refused(let name, let reason): "\(name) cannot be a unit: \(reason)"
        case .notMade(let name, let library):
            "\(name) did not start" + (library.isEmpty ? "" : " (\(library))") + "; reinstall its package, or leave it out"
        case .noProcess(let name, let reason): "\(name): no process of its own could be started: \(reason)"
        case .ambiguous(let name, let uris):
            "\(uris.count) plug-ins are called \(name); name one by its URI: "
                + uris.map { PlugInName.prefix + $0 }.joined(separator: ", ")
        }
    }
}
