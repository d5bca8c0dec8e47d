import RealtimeCore
import Reports
import Sequencer
import SongRendering

/// The layers of a session's list: which of them lie over the song that plays, from where to where. A pure machine: requests
/// and places in the song go in, what lies over the song comes out.
///
/// ```
/// off -- asked for --> coming -- its bar --> on -- asked to end --> going -- the next bar --> off
/// ```
/// A layer comes or goes on a bar that is still ahead: the song is laid out anew before, unchanged up to that bar.
struct LayerMachine {
    enum Phase: Hashable {
        /// The layer is heard everywhere but in this range.
        case coming(Range<Int64>)
        case on
        /// The layer is heard in this range and nowhere else.
        case going(Range<Int64>)
    }

    /// A layer that lies over the song that plays, or waits for the next.
    struct Active: Hashable {
        let name: String
        var start: Int64
        var phase: Phase
        /// True if the layer belongs to the song; false if it was requested.
        var isOfSong = false
        /// The sample time up to which places in the song say nothing about the layer.
        var from = SampleTime.zero
    }

    /// A place in a song at which a request takes effect. Unit: ticks.
    struct Place {
        var tick: Int64
        /// The next bar, or the end of the repeated range, and the tick at which the song goes on there.
        var bar: Int64
        var landing: Int64
        /// When the song is there.
        var time: SampleTime
    }

    let ready: [ReadyLayer]
    /// The reasons why the other layers cannot be used, by their names.
    private let broken: [String: Fault]
    private(set) var active: [Active] = []
    /// Rises with every change.
    private(set) var edition = 0

    init(_ ready: [ReadyLayer], broken: [String: Fault] = [:]) { (self.ready, self.broken) = (ready, broken) }

    func check(_ name: String) throws(Fault) {
        if let fault = broken[name] { throw fault }
        if !ready.contains(where: { $0.name == name }) { throw .unknownLayer(name, known: ready.map(\.name)) }
    }

    /// Handles a request for a layer or for its end. Returns whether anything changes.
    mutating func set(_ name: String, _ isOn: Bool, at place: Place) -> Bool {
        guard let index = active.firstIndex(where: { $0.name == name }) else {
            if !isOn { return false }
            append(Active(name: name, start: place.landing, phase: .coming(place.tick..<place.bar), from: place.time))
            return true
        }
        switch (active[index].phase, isOn) {
        case (.coming, true), (.on, true), (.going, false): return false
        case (.going, true): active[index].phase = .on
        case (.coming, false): active.remove(at: index)
        case (.on, false):
            active[index].phase = .going(place.tick..<place.bar)
            active[index].from = place.time
        }
        edition += 1
        return true
    }

    /// Takes the song's place `tick`: layers whose bar has come are on, and those that have gone or been played to their end
    /// are removed. Returns whether anything changes.
    mutating func look(at tick: Int64, now: SampleTime, perQuarter: Int64) -> Bool {
        let before = active
        active = active.compactMap { layer in
            if now < layer.from { return layer }
            var layer = layer
            if case .coming(let hole) = layer.phase, !hole.contains(tick) { layer.phase = .on }
            if case .going(let rest) = layer.phase, !rest.contains(tick) { return nil }
            if layer.phase == .on, let end = placement(layer)?.endTick(perQuarter: perQuarter) {
                return tick < layer.start || tick >= end ? nil : layer
            }
            return layer
        }
        if active == before { return false }
        edition += 1
        return true
    }

    /// Another song plays from its beginning: layers that were on stay on, and those that were coming begin.
    mutating func begin(with song: PlayingSong) {
        active = lasting(own: song.takesLayers ? song.manner.layers : [])
        for index in active.indices { (active[index].start, active[index].phase, active[index].from) = (0, .on, .zero) }
        takesOthers = song.takesLayers && song.manner.takesLayers
        edition += 1
    }

    /// True if the song that plays has room for layers that are not its own.
    private var takesOthers = true

    var placements: [SongLayer.Placement] { active.filter { takesOthers || $0.isOfSong }.compactMap(placement) }

    /// Returns the layers that will lie over a song that plays from its beginning.
    func placements(of manner: SongManner) -> [SongLayer.Placement] {
        lasting(own: manner.layers).filter { manner.takesLayers || $0.isOfSong }.compactMap { layer in
            ready.first { $0.name == layer.name }.map { SongLayer.Placement($0.layer) }
        }
    }

    var states: [SessionSnapshot.Layer] {
        ready.map { ready in
            guard let layer = active.first(where: { $0.name == ready.name }) else {
                return SessionSnapshot.Layer(name: ready.name, state: .off)
            }
            let state: SessionLayer.State =
                switch layer.phase {
                case .coming: .coming
                case .on: takesOthers || layer.isOfSong ? .on : .coming
                case .going: .going
                }
            return SessionSnapshot.Layer(name: ready.name, state: state)
        }
    }

    private mutating func append(_ layer: Active) {
        active.append(layer)
        edition += 1
    }

    /// Returns the layers that are there in the next song too, with those that are its own.
    private func lasting(own: [String]) -> [Active] {
        let others = active.filter { layer in
            if layer.isOfSong || own.contains(layer.name) { return false }
            switch layer.phase {
            case .coming: return true
            // A layer with a number of rounds has been played.
            case .on: return ready.first { $0.name == layer.name }?.layer.rounds == nil
            case .going: return false
            }
        }
        return own.map { Active(name: $0, start: 0, phase: .on, isOfSong: true) } + others
    }

    private func placement(_ active: Active) -> SongLayer.Placement? {
        ready.first { $0.name == active.name }.map { ready in
            switch active.phase {
            case .on: SongLayer.Placement(ready.layer, start: active.start)
            case .coming(let hole): SongLayer.Placement(ready.layer, start: active.start, outside: hole)
            case .going(let rest): SongLayer.Placement(ready.layer, start: active.start, endingIn: rest)
            }
        }
    }
}
