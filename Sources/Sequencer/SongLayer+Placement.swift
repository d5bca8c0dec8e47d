import MIDI
import Reports

extension SongLayer {
    /// The place of a layer over a song.
    public struct Placement: Sendable {
        struct Window: Hashable, Sendable {
            /// Unit: ticks of the song.
            var ticks: Range<Int64>
            /// True if the layer has sounded before: its instruments are as it has left them.
            var goesOn = false
        }

        /// The layer over the song.
        public let layer: SongLayer
        /// The tick of the song at which the layer begins; one without end is there before too, in the same beat.
        public let start: Int64
        /// Where it is heard: sorted, none over another.
        let windows: [Window]

        /// Creates a layer from a tick of the song on, without end also before it.
        public init(_ layer: SongLayer, start: Int64 = 0) {
            self.init(layer, start: start, windows: [Window(ticks: 0..<Int64.max)])
        }

        /// Creates a layer that is heard everywhere but in a range of the song.
        public init(_ layer: SongLayer, start: Int64, outside hole: Range<Int64>) {
            let windows = [Window(ticks: 0..<max(hole.lowerBound, 0)), Window(ticks: max(hole.upperBound, 0)..<Int64.max)]
            self.init(layer, start: start, windows: windows)
        }

        /// Creates a layer that sounds already and is heard up to the end of a range of the song, and nowhere outside of it.
        public init(_ layer: SongLayer, start: Int64, endingIn rest: Range<Int64>) {
            self.init(layer, start: start, windows: [Window(ticks: rest, goesOn: true)])
        }

        private init(_ layer: SongLayer, start: Int64, windows: [Window]) {
            (self.layer, self.start, self.windows) = (layer, start, windows)
        }

        /// Returns the tick of the song at which a layer that is counted has come to its end, the next whole one; nil means
        /// never.
        public func endTick(perQuarter: Int64) -> Int64? {
            guard let rounds = layer.rounds else { return nil }
            let ticks = layer.length + Int64(rounds - 1) * (layer.loop.upperBound - layer.loop.lowerBound)
            let (product, overflow) = ticks.multipliedReportingOverflow(by: perQuarter)
            return overflow ? .max : start + (product + layer.ticksPerQuarter - 1) / layer.ticksPerQuarter
        }

        /// The events of the layer that sound, in the order of time; nothing sounds from `endTick`, the song's last, on.
        func events(along map: TempoMap, endTick: Int64) throws(Fault) -> [TimedMusicEvent] {
            guard case .ticksPerQuarter(let ticks) = map.division else { throw .countsFilmFrames }
            let perQuarter = Int64(min(max(ticks, 1), 32_767))
            // Before anything takes memory.
            let rounds =
                Double(endTick) * Double(layer.ticksPerQuarter) / Double(perQuarter)
                / Double(layer.loop.upperBound - layer.loop.lowerBound)
            let count = (layer.rounds.map { min(Double($0), rounds) } ?? rounds) * Double(layer.events.count)
            if count > Double(SongLayer.mostEvents) { throw .tooManyEvents }
            var walk = LayerWalk(self, map, perQuarter: perQuarter)
            for window in windows {
                let first = max(window.ticks.lowerBound, layer.rounds == nil ? 0 : start)
                let end = min(window.ticks.upperBound, endTick)
                if first < end { try walk.play(first..<end, goesOn: window.goesOn) }
            }
            return walk.events
        }
    }
}
