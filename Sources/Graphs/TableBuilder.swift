import RealtimeCore
import UnitAPI

/// Lays out one stage of a plan in memory. Control side.
struct TableBuilder {
    private let graph: Graph
    private let solos: SoloGroups
    private let transition: Transition
    private let memory: PlanMemory
    private var outputs: [NodeID: Buses] = [:]
    /// The step that writes a place's outputs, and the one that takes its events: two if a unit works in shares.
    private var stepOf: [NodeID: Int32] = [:], earOf: [NodeID: Int32] = [:]
    private var steps: [RenderStep] = []
    private var feeds: [Feed] = []
    /// The feeds of each connection: several if its delay has changed.
    private var feedsOf: [ObjectIdentifier: [Int32]] = [:]
    private var loops: [(step: Int32, lanes: [(lane: GraphLayout.Lane, role: Feed.Role)])] = []
    private var music: [NodeID: UnsafeMutablePointer<MusicBuffer>] = [:]
    private let players: Set<NodeID>

    init(_ graph: Graph, _ solos: SoloGroups, _ transition: Transition, memory: PlanMemory) {
        (self.graph, self.solos, self.transition, self.memory) = (graph, solos, transition, memory)
        let instruments = transition.places.filter { place in
            place.instance.map { $0.descriptor.acceptsMusic && !$0.descriptor.sendsMusic } ?? false
        }
        let ids = Set(instruments.map(\.id))
        players = Set(transition.links.filter { ids.contains($0.destination) }.map(\.source))
    }

    /// Frames: `latency` by which the output is later than the events, `fade` that an edge takes to appear or vanish.
    mutating func tables(latency: Int, fade: Int) -> PlanTables {
        var into: [NodeID: [(lane: GraphLayout.Lane, role: Feed.Role)]] = [:]
        for entry in transition.lanes { into[entry.lane.edge.destination, default: []].append(entry) }
        for place in transition.places {
            earOf[place.id] = Int32(steps.count)
            if let instance = place.instance, !instance.shares.isEmpty {
                addShares(of: instance, place)
            } else if transition.loops.contains(place.id) {
                // What leads there comes after it: those edges are laid when all sources are.
                add(step(place, []))
                loops.append((Int32(steps.count - 1), into[place.id] ?? []))
            } else {
                add(step(place, into[place.id] ?? []))
            }
            stepOf[place.id] = Int32(steps.count - 1)
        }
        for (index, lanes) in loops {
            let step = steps[Int(index)], ports = step.bothPorts.pointee
            lead(lanes, to: Buses(first: ports.inputs, count: ports.inputCount), of: step)
        }
        // What shares give is heard where their sum is.
        for step in steps where !step.isJoin { hear(step) }
        for step in steps where step.isJoin { hear(step) }
        return stage(latency: latency, fade: fade)
    }

    private func hear(_ step: RenderStep) {
        for bus in 0..<step.ports.pointee.inputCount where !step.isJoin || step.ports.pointee.inputs[bus].isHeard {
            let inlet = step.inlets[bus]
            for feed in feeds[inlet.firstFeed..<inlet.firstFeed + inlet.feedCount] {
                for side in 0..<2 { feed.source[side * feed.twin].isHeard = true }
            }
        }
    }

    private mutating func add(_ step: RenderStep) {
        var step = step
        if step.eventStep < 0 { step.eventStep = Int32(steps.count) }
        steps.append(step)
    }

    /// A step for each share of a unit, followed by one that adds up their outputs.
    private mutating func addShares(of instance: UnitInstance, _ place: GraphLayout.Place) {
        let all = [instance] + instance.shares, first = steps.count
        var givers: [Buses] = []
        for share in all {
            memory.keep(share)
            let buses = buses(place.outputs)
            givers.append(buses)
            var step = step(place, share, inputs: Buses(first: buses.first, count: 0), outputs: buses)
            step.shareCount = Int32(all.count)
            step.eventStep = Int32(first)
            add(step)
        }
        let sums = buses(place.outputs)
        outputs[place.id] = sums
        // A gain of 1 for good, and no delay: nothing that the edges could not have in common.
        let lane = EdgeLane(delay: 0, channels: 0, value: 1)
        memory.keep(lane)
        var join = step(place, memory.wire, inputs: sums, outputs: Buses(first: sums.first, count: 0))
        for b in place.outputs.indices {
            for (index, giver) in givers.enumerated() {
                feeds.append(
                    Feed(
                        source: giver.first + b, twin: giver.count, sourceStep: Int32(first + index), role: .full,
                        gain: lane.gain, gate: lane.gate, ring: nil, delay: 0, ringPosition: lane.position,
                        quietFrames: lane.quietFrames))
            }
            lead(all.count, to: sums, b, of: join)
        }
        join.isJoin = true
        join.linkCount = 0
        join.shareCount = Int32(all.count)
        add(join)
    }

    private mutating func step(
        _ place: GraphLayout.Place, _ lanes: [(lane: GraphLayout.Lane, role: Feed.Role)]
    ) -> RenderStep {
        let instance = place.instance ?? memory.wire
        memory.keep(instance)
        let inBuses = buses(inputs(of: place, lanes))
        let outBuses = place.instance == nil ? inBuses : buses(place.outputs)
        outputs[place.id] = outBuses
        let step = step(
            place, instance, inputs: inBuses,
            outputs: place.instance == nil ? Buses(first: outBuses.first, count: 0) : outBuses)
        lead(lanes, to: inBuses, of: step)
        return step
    }

    private mutating func lead(
        _ lanes: [(lane: GraphLayout.Lane, role: Feed.Role)], to buses: Buses, of step: RenderStep
    ) {
        for b in 0..<buses.count {
            let first = feeds.count
            for (lane, role) in lanes where lane.edge.destinationBus == b {
                if let feed = feed(lane, role, channels: buses.first[b].channelCount) {
                    feedsOf[ObjectIdentifier(lane.edge.gain), default: []].append(Int32(feeds.count))
                    feeds.append(feed)
                }
            }
            lead(feeds.count - first, to: buses, b, of: step)
        }
    }

    private func lead(_ count: Int, to buses: Buses, _ bus: Int, of step: RenderStep) {
        for side in 0..<2 {
            step.bothInlets[side * buses.count + bus] = Inlet(
                firstFeed: feeds.count - count, feedCount: count, sum: buses.first[side * buses.count + bus].channels,
                isClear: side == 0)
            buses.first[side * buses.count + bus].isConnected = count > 0
        }
    }

    /// Room for what a MIDI unit plays in even slices and in odd ones; nil for others.
    private mutating func musicBuffers(_ instance: UnitInstance, _ place: NodeID) -> UnsafeMutablePointer<MusicBuffer>? {
        guard let sent = instance.memory.pointee.sent else { return nil }
        let record = players.contains(place) ? instance.played : nil
        func buffer() -> MusicBuffer {
            let filler = MusicBuffer.Entry(offset: 0, event: .reset(.generalMIDI, port: 0))
            return MusicBuffer(entries: memory.allocate(MusicBuffer.capacity, filler), sent: sent, record: record)
        }
        let buffers = memory.buffer([buffer(), buffer()]).baseAddress.unsafelyUnwrapped
        music[place] = buffers
        return buffers
    }

    /// The music edges that lead to a place; their sources have been laid out before.
    private func musicFeeds(_ place: GraphLayout.Place) -> UnsafeMutableBufferPointer<MusicFeed> {
        memory.buffer(
            transition.links.filter { $0.destination == place.id && place.instance != nil }.compactMap { link in
                guard let source = music[link.source], let step = stepOf[link.source] else { return nil }
                return MusicFeed(source: source, sourceStep: step)
            })
    }

    private mutating func step(
        _ place: GraphLayout.Place, _ instance: UnitInstance, inputs: Buses, outputs: Buses
    ) -> RenderStep {
        let parameters = instance.parameters
        func ports(_ side: Int) -> RenderPorts {
            RenderPorts(
                inputs: inputs.first + side * inputs.count, inputCount: inputs.count,
                outputs: outputs.first + side * outputs.count, outputCount: outputs.count,
                parameters: parameters.ramps, elements: parameters.elements, readouts: instance.readouts,
                readoutCount: instance.descriptor.readouts.count, music: music.map { $0 + side },
                sampleRate: instance.setup.sampleRate)
        }
        let music = musicBuffers(instance, place.id)
        let both = memory.allocate(2, ports(0))
        both[1] = ports(1)
        let inlets = memory.allocate(
            2 * inputs.count, Inlet(firstFeed: 0, feedCount: 0, sum: inputs.first.pointee.channels, isClear: true))
        let links = musicFeeds(place)
        return RenderStep(
            instance: .passUnretained(instance), role: role(of: place), id: place.id, ports: both, inlets: inlets,
            bothPorts: both, bothInlets: inlets, memory: instance.memory, parameterCount: parameters.specs.count,
            movingCount: parameters.movingCount,
            glides: parameters.glides, initials: parameters.initials, targets: parameters.targets,
            controllerParameters: parameters.controllerParameters, controllerValues: parameters.controllerValues,
            effects: EffectLinks(shared: parameters.effects, insertion: parameters.insertion), settings: parameters.settings,
            tempo: parameters.tempo,
            lowestTempo: parameters.tempoRange.lowerBound, highestTempo: parameters.tempoRange.upperBound,
            acceptsMusic: instance.descriptor.acceptsMusic, followsTime: instance.followsTime,
            links: links.baseAddress.unsafelyUnwrapped, linkCount: links.count, isReturning: place.returns,
            isPassing: place.passes,
            isScanned: instance.descriptor.component.type != .mixer, closesLoop: instance.memory.pointee.loop != nil,
            granularity: instance.descriptor.eventGranularity)
    }

    private func role(of place: GraphLayout.Place) -> RenderStep.Role {
        if place.instance == nil { return .wire }
        if place.rests && !place.leaves { return .resting }
        return place.leaves ? .leaving : .live
    }

    /// While an output moves, the outside takes the widest of the buses that lead there.
    private func inputs(
        of place: GraphLayout.Place, _ lanes: [(lane: GraphLayout.Lane, role: Feed.Role)]
    ) -> [UnitDescriptor.Bus] {
        guard place.id == .outside else { return place.inputs }
        let widths = lanes.map { (lane, _) in
            outputs[lane.edge.source].map { $0.first[lane.edge.sourceBus].channelCount } ?? 0
        }
        return [UnitDescriptor.Bus("main", channels: widths.max() ?? 0)]
    }

    /// Buses of a place: `count` for even slices, followed by as many for odd ones.
    private struct Buses {
        let first: UnsafeMutablePointer<RenderBus>
        let count: Int
    }

    /// Buses with buffers of their own, one arena for all of a unit's channels. The arena of odd slices is not touched before
    /// the first odd slice: odd slices need several threads, and live playing in slices of one period has one.
    private func buses(_ list: [UnitDescriptor.Bus]) -> Buses {
        let channels = list.reduce(0) { $0 + $1.channels }
        let arenas = [
            memory.audio(channels: channels, frames: graph.maximumFrames),
            memory.blank(channels: channels, frames: graph.maximumFrames),
        ].map(memory.table)
        let buses = memory.allocate(2 * list.count, RenderBus(channels: arenas[0], channelCount: 0))
        for side in 0..<2 {
            var next = 0
            for (index, bus) in list.enumerated() {
                var made = RenderBus(channels: arenas[side] + next, channelCount: bus.channels)
                made.isClear = side == 0
                made.isHeard = false
                buses[side * list.count + index] = made
                next += bus.channels
            }
        }
        return Buses(first: buses, count: list.count)
    }

    private func feed(_ lane: GraphLayout.Lane, _ role: Feed.Role, channels: Int) -> Feed? {
        let edge = lane.edge
        guard let source = outputs[edge.source], let step = stepOf[edge.source] else { return nil }
        // What is new begins at 0; an edge around or through a unit that had none of its own was there all the time.
        let isNew = role == .live || role == .filling || role == .full
        let kept = edge.gain.lane(delay: lane.delay, channels: channels, value: isNew ? 0 : 1)
        memory.keep(kept)
        return Feed(
            source: source.first + edge.sourceBus, twin: source.count, sourceStep: step, role: role, gain: kept.gain,
            gate: kept.gate,
            ring: kept.ring.map { memory.table($0) }, delay: lane.delay, ringPosition: kept.position,
            quietFrames: kept.quietFrames)
    }

    /// A step waits for all steps whose outputs it reads, and their next slice waits for it.
    private mutating func order() -> (followers: [Int32], origins: [Int32]) {
        var following = Array(repeating: [Int32](), count: steps.count), origins = following
        for index in steps.indices {
            let inlets = (0..<(steps[index].closesLoop ? 0 : steps[index].ports.pointee.inputCount)).map {
                steps[index].inlets[$0]
            }
            let links = (0..<steps[index].linkCount).map { steps[index].links[$0].sourceStep }
            let sources = Set(
                inlets.flatMap { feeds[$0.firstFeed..<$0.firstFeed + $0.feedCount].map(\.sourceStep) } + links)
            steps[index].sourceCount = Int32(sources.count)
            for source in sources.sorted() { following[Int(source)].append(Int32(index)) }
            // A wire may lead on to buffers that are not its own.
            let behind = sources.filter { steps[Int($0)].isWire }.flatMap { origins[Int($0)] }
            origins[index] = sources.union(behind).sorted()
            for origin in origins[index] { steps[Int(origin)].readerCount += 1 }
        }
        var allFollowing: [Int32] = [], allOrigins: [Int32] = []
        for index in steps.indices {
            steps[index].firstFollower = Int32(allFollowing.count)
            steps[index].followerCount = Int32(following[index].count)
            allFollowing += following[index]
            steps[index].firstOrigin = Int32(allOrigins.count)
            steps[index].originCount = Int32(origins[index].count)
            allOrigins += origins[index]
        }
        return (allFollowing, allOrigins)
    }

    /// The units that messages to the effects move and that receive no part: they get those of all ports.
    private var sharedEffects: [NodeID] {
        let routed = Set(graph.routes.joined())
        return transition.places.filter { $0.instance?.parameters.effects != nil && !routed.contains($0.id) }.map(\.id)
    }

    private func soloTable() -> (switches: [SoloSwitch], gates: [SoloGate], rows: [Int32]) {
        var switches: [SoloSwitch] = [], places: [SoloGroups.Switch: Int32] = [:], rows: [Int32] = []
        func list(_ list: [SoloGroups.Switch]) -> SoloList {
            let first = rows.count
            for entry in list {
                guard let step = earOf[entry.node] else { continue }
                let place = places[entry] ?? Int32(switches.count)
                if places.updateValue(place, forKey: entry) == nil {
                    switches.append(SoloSwitch(step: step, place: Int32(entry.place)))
                }
                rows.append(place)
            }
            return SoloList(first: Int32(first), count: Int32(rows.count - first))
        }
        let groups = solos.groups.map(list)
        let gates = solos.gates.flatMap { gate in
            let openers = list(gate.openers)
            return (feedsOf[gate.edge] ?? []).map { SoloGate(feed: $0, group: groups[gate.group], openers: openers) }
        }
        return (switches, gates, rows)
    }

    private mutating func stage(latency: Int, fade: Int) -> PlanTables {
        var targets: [Int32] = []
        let leaving = Set(graph.nodes.filter(\.isLeaving).map(\.id))
        func route(_ nodes: [NodeID]) -> PartRoute {
            let found = nodes.compactMap { id in earOf[id].map { leaving.contains(id) ? ~$0 : $0 } }
            targets += found
            return PartRoute(first: Int32(targets.count - found.count), count: Int32(found.count))
        }
        let routes = graph.routes.map(route)
        let shared = sharedEffects
        let portRoutes = (0..<16).map { port in
            var nodes = shared
            for part in graph.routes[port * 16..<port * 16 + 16] {
                for id in part where !nodes.contains(id) { nodes.append(id) }
            }
            return route(nodes)
        }
        let timeRoute = route(transition.places.filter { $0.instance?.followsTime ?? false }.map(\.id))
        let units = earOf.filter { $0.key.rawValue >= 0 }.sorted { $0.key < $1.key }
        let partings = transition.partings.compactMap { link, source -> Parting? in
            guard let step = earOf[link.destination], let sent = source.memory.pointee.sent else { return nil }
            memory.keep(source)
            return Parting(sent: sent, step: step)
        }
        let solo = soloTable()
        let order = order(), outside = Int(stepOf[.outside] ?? 0)
        let poolCapacity = 4096 + steps.count
        return PlanTables(
            steps: memory.buffer(steps), feeds: memory.buffer(feeds),
            routes: memory.buffer(routes), portRoutes: memory.buffer(portRoutes), timeRoute: timeRoute,
            routeTargets: memory.buffer(targets),
            nodes: memory.buffer(units.map(\.key.rawValue)), stepOfNode: memory.buffer(units.map { Int32($0.value) }),
            partings: memory.buffer(partings), music: memory.buffer(steps.compactMap(\.bothPorts.pointee.music)),
            followers: memory.buffer(order.followers), origins: memory.buffer(order.origins),
            solos: memory.buffer(solo.switches), soloGates: memory.buffer(solo.gates), soloRows: memory.buffer(solo.rows),
            queue: memory.queue(steps), outside: outside, loops: memory.buffer(loops.map(\.step)),
            rows: memory.allocate(steps.count * PlanTables.sliceLimit, StepSlice()),
            pool: memory.allocate(poolCapacity, SliceEvent(offset: 0, next: -1, event: .reset)),
            poolCapacity: Int32(poolCapacity), state: memory.allocate(1, PlanTables.State()),
            maximumFrames: loops.isEmpty ? graph.maximumFrames : min(graph.maximumFrames, LoopRing.frames),
            sampleRate: graph.sampleRate, latency: latency, fade: Int32(fade),
            hold: fade == 0 ? 0 : transition.hold)
    }
}
