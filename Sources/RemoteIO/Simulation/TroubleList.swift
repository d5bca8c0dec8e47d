// [render]
import RealtimeCore

/// The troubles that a simulated device meets, sorted by time. Times in nanoseconds.
struct TroubleList: BitwiseCopyable {
    struct Trouble: BitwiseCopyable {
        enum Kind: Int32, BitwiseCopyable { case holdUp, xrun, suspension, absence }
        var kind: Kind
        var start: Int64, end: Int64

        /// Control side.
        init(_ trouble: SimulatedTrouble) {
            kind =
                switch trouble {
                case .holdUp: .holdUp
                case .xrun: .xrun
                case .suspension: .suspension
                case .absence: .absence
                }
            start = Int64(Int(nearest: trouble.start * 1e9))
            end = Int64(Int(nearest: (trouble.start + trouble.length) * 1e9))
        }
    }

    private var troubles: UnsafeMutablePointer<Trouble>?
    private var count = 0
    /// All before it have happened, but for hold-ups.
    private var nextPlace = 0

    @_noLocks init() {}

    /// Those that have happened by `now` stay. Control side.
    mutating func set(_ list: [SimulatedTrouble], now: Int64) {
        let list = list.sorted { $0.start < $1.start }.map(Trouble.init)
        let made = UnsafeMutablePointer<Trouble>.allocate(capacity: max(1, list.count))
        made.initialize(from: list, count: list.count)
        troubles?.deallocate()
        (troubles, count, nextPlace) = (made, list.count, list.count { $0.start < now })
    }

    /// Control side, once.
    func deallocate() { troubles?.deallocate() }

    /// The end of what holds the machine up at `moment`, or that moment.
    @_noLocks func woken(at moment: Int64) -> Int64 {
        var moment = moment
        if let troubles {
            for i in 0..<count where troubles[i].kind == .holdUp && troubles[i].start <= moment {
                moment = max(moment, troubles[i].end)
            }
        }
        return moment
    }

    /// When the device meets the next one.
    var nextStart: Int64 {
        @_noLocks get {
            var start = Int64.max
            if let troubles {
                for i in nextPlace..<max(nextPlace, count) where troubles[i].kind != .holdUp {
                    start = min(start, troubles[i].start)
                }
            }
            return start
        }
    }

    /// The next trouble of the device that has begun by `moment`.
    @_noLocks mutating func next(until moment: Int64) -> Trouble? {
        guard let troubles else { return nil }
        while nextPlace < count, troubles[nextPlace].start <= moment {
            nextPlace &+= 1
            if troubles[nextPlace &- 1].kind != .holdUp { return troubles[nextPlace &- 1] }
        }
        return nil
    }
}
