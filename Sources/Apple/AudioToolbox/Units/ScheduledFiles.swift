internal import EngineCore
internal import Graphs
internal import RealtimeCore

struct ScheduledFiles {
    struct Region {
        let path: String
        let start: Int64
        let frames: UInt32
        let passes: Int
        let offset: Int64
        let completion: (@Sendable () -> Void)?
    }

    var paths: [String] = []
    private(set) var regions: [Region] = []
    private var players: [(region: Region, player: FilePlayer)] = []
    private(set) var startTime: Int64?

    var nodes: [NodeID] { players.map(\.player.node) }

    mutating func schedule(_ region: Region) { regions.append(region) }

    mutating func attach(to graph: inout Graph) throws {
        for region in regions {
            players.append((region, try graph.add(player: region.path)))
        }
        regions = []
    }

    /// The players' nodes, which are to be removed; their regions wait again.
    mutating func detach() -> [NodeID] {
        let nodes = nodes
        regions = players.map(\.region) + regions
        players = []
        return nodes
    }

    /// Plays all regions from a sample time on, nil for the next slice.
    mutating func begin(at time: SampleTime?, now: SampleTime) throws {
        startTime = (time ?? now).rawValue
        for (region, player) in players {
            let frames = region.frames == .max ? nil : min(Int64(region.frames), max(0, player.frames - region.start))
            let start = region.offset == 0 && time == nil ? nil : (time ?? now) + Int(region.offset)
            if let completion = region.completion { player.onEnd { _ in completion() } }
            try player.play(
                at: start, from: region.start, frames: frames, passes: region.passes == 1 ? .once : .times(region.passes))
        }
    }

    func clear() { for (_, player) in players { player.stop() } }
}
