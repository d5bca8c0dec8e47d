/// Remarks of something that runs for long, each reported once in its life.
public struct RemarkLedger: Sendable {
    /// Remarks that were reported or are to be reported.
    private var known: Set<Remark> = []
    private var waiting: [Remark] = []

    public init() {}

    /// The number of different remarks so far.
    public var count: Int { known.count }

    /// Takes remarks in; those that were taken in before are left out.
    public mutating func note(_ remarks: some Sequence<Remark>) {
        for remark in remarks where known.insert(remark).inserted { waiting.append(remark) }
    }

    /// Returns the remarks that are to be reported now, each once.
    public mutating func take() -> [Remark] {
        defer { waiting = [] }
        return waiting
    }
}
