/// The pick-up of a control: it changes nothing until it has come to the value that stands, so that none jumps. If another source
/// has changed the value, the control has to come to it again.
struct PickUp: Sendable {
    /// The last place of the control, 0...1.
    private var place: Float?
    /// The value that the control set last; nil until it has picked the value up.
    private var said: Float?

    /// Returns the value of the control at `place`; nil where it has not come to the value that stands.
    ///
    /// - Parameter value: the value for a place of the control.
    mutating func value(at place: Float, standing now: Float, _ value: (Float) -> Float) -> Float? {
        defer { self.place = place }
        if said != now { said = nil }
        if said == nil {
            let step: Float = 1 / 64, former = self.place ?? place
            let ends = [max(min(former, place) - step, 0), min(max(former, place) + step, 1)].map(value)
            guard min(ends[0], ends[1]) <= now, now <= max(ends[0], ends[1]) else { return nil }
        }
        let set = value(place)
        said = set
        return set
    }
}
