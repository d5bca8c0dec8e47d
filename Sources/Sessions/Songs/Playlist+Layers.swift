import Graphs
import RealtimeCore
import Reports
import Sequencer
import SongRendering

/// The layers over the songs of the list.
extension Playlist {
    /// Starts a layer over the songs at the next bar, or ends it there. Returns the segments to post, in this order.
    /// - Throws: `unknownLayer`; `layer` if no layer can lie over the song that plays.
    func set(layer name: String, _ isOn: Bool, now: SampleTime, soon: SampleTime) throws(Fault) -> [ScoreSegment] {
        try layers.check(name)
        adoptFollowing(at: soon)
        var changed = layers
        guard changed.set(name, isOn, at: layerPlace(at: soon)) else { return [] }
        let timeline = try timeline(changed.placements, over: current.song, called: name)
        layers = changed
        // The next song was laid out with other layers.
        if following != nil { hasChanged = true }
        return exchange(timeline, now: now, soon: soon)
    }

    /// Reads layers. Optional layers that cannot be used are left out and reported.
    static func machine(
        _ layers: [SessionLayer], sampleRate: Int, demand: inout SongDemand, notices: inout [String]
    ) throws(Fault) -> LayerMachine {
        var ready: [ReadyLayer] = [], broken: [String: Fault] = [:]
        for (place, layer) in layers.enumerated() {
            do throws(Fault) {
                ready.append(try ReadyLayer(layer, port: place + 2, sampleRate: sampleRate, demand: &demand))
            } catch {
                if !layer.isOptional { throw error }
                broken[layer.name] = error
                notices.append("layer \(layer.name) is left out: \(error)")
            }
        }
        return LayerMachine(ready, broken: broken)
    }

    /// Takes note of layers that have come or gone, now that their bar is over.
    func followLayers(_ now: SampleTime, _ soon: SampleTime) -> [ScoreSegment] {
        if layers.active.isEmpty { return [] }
        let tick = current.transport.position(at: now).tick
        guard layers.look(at: tick, now: now, perQuarter: current.ticksPerQuarter) else { return [] }
        do throws(Fault) {
            return exchange(try timeline(layers.placements, over: current.song, called: ""), now: now, soon: soon)
        } catch {
            notices.append("\(error)")
            return []
        }
    }

    /// Lays out a song of the list with the layers over it. A song that cannot take layers is played alone, with a notice.
    static func laidOut(
        _ item: Item, _ song: Song, _ layers: LayerMachine, sampleRate: Int, notices: inout [String]
    ) throws(Fault) -> (timeline: Timeline, takesLayers: Bool) {
        let placements = layers.placements(of: item.song.manner)
        do { return (try Timeline(song, sampleRate: sampleRate, layers: placements), true) } catch {
            if error.kind != .layer { throw error }
            notices.append("\(item.song.name) plays without layers: \(error)")
            return (try Timeline(song, sampleRate: sampleRate), false)
        }
    }

    func timeline(_ placements: [SongLayer.Placement], over song: Song, called name: String) throws(Fault) -> Timeline {
        do { return try Timeline(song, sampleRate: sampleRate, layers: placements) } catch {
            throw error.kind == .layer ? error.of(layer: name) : error
        }
    }

    /// Goes on with another version of the song; its sounding notes end if it `releases` them.
    func exchange(_ timeline: Timeline, now: SampleTime, soon: SampleTime, releases: Bool = false) -> [ScoreSegment] {
        var posted = current.segments(current.transport.advance(now: now, horizon: soon - now))
        let stretches = current.transport.exchange(timeline, now: now, lookahead: soon - now, releases: releases)
        current.lay(timeline)
        posted += current.segments(stretches)
        // The song that was to follow was taken back with the rest of the current one.
        return stretches.isEmpty ? posted : posted + dropFollowing()
    }

    /// The place in the song at which a request made now takes effect.
    private func layerPlace(at time: SampleTime) -> LayerMachine.Place {
        let transport = current.transport, map = transport.timeline.tempoMap
        let tick = transport.position(at: time).tick
        let end = map.tick(at: SampleTime(transport.length))
        var bar = end, landing = end
        if let here = map.position(ofTick: tick)?.bar, let first = map.tick(ofBar: here), let next = map.tick(ofBar: here + 1) {
            let isNow = first == tick && map.time(ofTick: tick).rawValue >= transport.position(at: time).frame
            bar = min(isNow ? tick : next, end)
            landing = bar
        }
        if let loop = transport.loopAhead(at: time), map.time(ofTick: bar).rawValue >= loop.upperBound {
            bar = map.tick(at: SampleTime(loop.upperBound))
            landing = map.tick(at: SampleTime(loop.lowerBound))
        }
        return LayerMachine.Place(tick: tick, bar: max(bar, tick), landing: landing, time: time)
    }
}
