import UnitAPI

/// The way in which one layout becomes the next: the edges that stay, appear and vanish, and when. Control side.
///
/// A new unit whose input sounds already is filled first: its inputs fade in at once, and until what they bring
/// has passed it, everything else stays (`hold`). Then all that vanishes and all that appears crosses over, in straight
/// lines over the same frames, so that a signal that takes a new way neither dips nor doubles.
struct Transition {
    private(set) var places: [GraphLayout.Place] = []
    private(set) var lanes: [(lane: GraphLayout.Lane, role: Feed.Role)] = []
    /// The connections that carry music, and those of before that are gone. They neither fade nor wait.
    private(set) var links: [Connection]
    private(set) var partings: [(link: Connection, source: UnitInstance)] = []
    private(set) var loops: Set<NodeID>
    /// Frames before the crossing begins.
    private(set) var hold = 0
    /// Edges that appear only after the rest, because old ways and new ones together would be a circle.
    private(set) var later: [GraphLayout.Lane] = []

    /// The way to `target` from the remains of `former`, oldest first; the last of them is the one that is replaced. `earlier`:
    /// all layouts that may not have been rendered yet, for their music edges: an edit may be followed by the next before a
    /// slice.
    init(
        to target: GraphLayout, after former: [GraphLayout], earlier: [GraphLayout], fade: Int
    ) throws(GraphValidation.Circle) {
        let sounding = Set(former.last?.lanes.map(\.key) ?? [])
        loops = former.reduce(target.loops) { $0.union($1.loops) }
        lanes = target.lanes.map { ($0, .live) }
        links = target.links
        var known = Set(target.links.map { ObjectIdentifier($0.gain) })
        for layout in earlier.reversed() {
            for link in layout.links where known.insert(ObjectIdentifier(link.gain)).inserted {
                if let source = layout.places[link.source]?.instance { partings.append((link, source)) }
            }
        }
        if let old = former.last { fill(target, old, sounding, fade) }
        let leaving = Self.leaving(to: target, after: former)
        do { try line(up: target, former, leaving) } catch {
            guard former.count == 1 else { throw error }
            for lane in target.lanes where !sounding.contains(lane.key) { later.append(lane) }
            lanes.removeAll { !sounding.contains($0.lane.key) }
            // What fits in beside the old ways does not wait. One by one: circles are rare and short.
            for lane in later {
                lanes.append((lane, .live))
                do {
                    try line(up: target, former, leaving)
                    later.removeFirst()
                } catch {
                    lanes.removeLast()
                    later.append(later.removeFirst())
                }
            }
            try line(up: target, former, leaving)
        }
        let used = Set(places.map(\.id))
        lanes += leaving.filter { used.contains($0.lane.edge.destination) }
        partings.removeAll { !used.contains($0.link.destination) }
    }

    /// The way from that first stage to the whole of `target`.
    init(to target: GraphLayout, adding later: [GraphLayout.Lane]) {
        lanes = target.lanes.map { ($0, .live) }
        links = target.links
        loops = target.loops
        hold = later.map(\.delay).max() ?? 0
        places = target.order.compactMap { target.places[$0] }
    }

    /// Finds the places that are new, how their inputs begin, and how long it takes until they are full.
    private mutating func fill(_ target: GraphLayout, _ old: GraphLayout, _ known: Set<GraphLayout.Lane.Key>, _ fade: Int) {
        func isOld(_ id: NodeID) -> Bool { old.places[id].map { !$0.rests } ?? false }
        var into: [NodeID: [Int]] = [:]
        for (index, lane) in target.lanes.enumerated() { into[lane.edge.destination, default: []].append(index) }
        // Frames until a new place has passed on all that it was given at once; and whether an old one feeds it.
        var frames: [NodeID: Int] = [:], isFed: [NodeID: Bool] = [:]
        for id in target.order {
            for index in into[id] ?? [] {
                let lane = target.lanes[index], source = lane.edge.source
                let hearsOld = isOld(source) || isFed[source] == true
                var needed = frames[source] ?? 0
                if isOld(id) {
                    if !known.contains(lane.key) { hold = max(hold, needed + lane.delay) }
                    continue
                }
                if hearsOld {
                    isFed[id] = true
                    needed = max(needed, fade)
                }
                lanes[index].role = hearsOld ? .filling : .full
                frames[id] = max(frames[id] ?? 0, needed + lane.delay)
            }
            if !isOld(id) { frames[id, default: 0] += target.places[id]?.instance?.latency ?? 0 }
        }
    }

    /// Edges of `former` that the target no longer has, each once; those into places that are gone stay as they are.
    private static func leaving(
        to target: GraphLayout, after former: [GraphLayout]
    ) -> [(lane: GraphLayout.Lane, role: Feed.Role)] {
        var known = Set(target.lanes.map(\.key))
        var leaving: [(lane: GraphLayout.Lane, role: Feed.Role)] = []
        for lane in former.reversed().flatMap(\.lanes) where known.insert(lane.key).inserted {
            let place = target.places[lane.edge.destination]
            leaving.append((lane, place.map { !$0.rests } ?? false ? .leaving : .kept))
        }
        return leaving
    }

    private mutating func line(
        up target: GraphLayout, _ former: [GraphLayout], _ leaving: [(lane: GraphLayout.Lane, role: Feed.Role)]
    ) throws(GraphValidation.Circle) {
        let edges = (lanes + leaving).map(\.lane.edge) + links
        let order = try GraphValidation.order(roots: [.outside] + target.order, edges: edges, loops: loops)
        places = order.compactMap { id in
            if var place = target.places[id] {
                place.returns =
                    place.instance?.descriptor.isMIDIUnit == true
                    && former.last.map { $0.places[id] == nil } ?? false
                return place
            }
            var place = former.reversed().lazy.compactMap { $0.places[id] }.first
            place?.leaves = true
            place?.passes = false
            return place
        }
    }
}
