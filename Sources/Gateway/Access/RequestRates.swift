import NIOCore

/// The limit of requests for each address, or each token there: a number per second, and as many at once. One event loop.
struct RequestRates {
    private struct Allowance {
        var left: Double
        var last: NIODeadline
    }

    /// Requests a second, and wrong tokens in ten.
    static let most = 100.0, mostGuesses = 5.0
    static let room = 1024

    private let perSecond: Double, burst: Double
    private var allowances: [String: Allowance] = [:]

    init(perSecond: Double, burst: Double) { (self.perSecond, self.burst) = (perSecond, burst) }

    var count: Int { allowances.count }

    /// Returns false if none is left.
    mutating func take(_ address: String, now: NIODeadline) -> Bool {
        // An address that has not asked for long has its full allowance again, and need not be remembered. If there are too
        // many all the same, unknown addresses share one allowance.
        if allowances[address] == nil, allowances.count >= Self.room {
            allowances = allowances.filter { Double((now - $1.last).nanoseconds) / 1e9 * perSecond < burst }
        }
        let name = allowances[address] == nil && allowances.count >= Self.room ? "" : address
        var allowance = allowances[name] ?? Allowance(left: burst, last: now)
        let passed = Double(max((now - allowance.last).nanoseconds, 0)) / 1e9
        allowance.left = min(allowance.left + passed * perSecond, burst)
        allowance.last = now
        let isAllowed = allowance.left >= 1
        if isAllowed { allowance.left -= 1 }
        allowances[name] = allowance
        return isAllowed
    }
}
