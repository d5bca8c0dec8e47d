import RealtimeCore
import Reports
import Sequencer
import SongRendering
import SoundFonts

/// The instruments that a session's songs play: those that they need, and those of the SoundFonts that they bring.
final class SongInstruments {
    private let core: SessionCore
    private let keys: KeysPart
    private let sounds: SoundsPart
    private(set) var demand: SongDemand
    /// The SoundFont of the songs that each deck's instruments have.
    private var banks: [SongBank?]
    /// Decks whose instruments lack what a song on the other one has asked for.
    private var stale: Set<Int> = []
    /// The time at which the instruments of a song with other SoundFonts took or take over, and the time from which the current
    /// song has to send them its programs anew.
    private var takeover = SampleTime.zero, refresh: SampleTime?

    init(_ core: SessionCore, _ keys: KeysPart, _ sounds: SoundsPart, _ demand: SongDemand) {
        (self.core, self.keys, self.sounds, self.demand) = (core, keys, sounds, demand)
        banks = [core.options.songBank, nil]
    }

    /// Makes the graph able to play a song from a frame on: one that came into the list after the start, or has other
    /// SoundFonts than the song before it, which then fades. `ports`: those that songs before it have used.
    func makeRoom(
        for timeline: Timeline, bank: SongBank?, on deck: SongDeck, at time: SampleTime, after ports: Set<UInt8>
    ) throws(Fault) {
        var wanted = demand
        let hasGrown = wanted.grow(by: timeline, bank: bank)
        if hasGrown { stale = [0, 1] }
        if stale.contains(deck.number) || bank != banks[deck.number] {
            try exchange(bank, wanted, deck.number, at: time)
            // On ports of songs everything is as after power-on when this one begins.
            let ports = ports.union(timeline.summary.parts.map(\.port))
            try tellAgain(keys.playedParts.filter { !ports.contains(UInt8($0 / 16)) }, at: time)
            // Plans take over one after the other.
            takeover = max(takeover, time, core.now)
        }
        // It begins on instruments of before: once its own are there, it goes on with its programs.
        if takeover > max(time, core.now) { refresh = takeover }
        demand = wanted
    }

    /// Keeps effects that keyboards need in the graphs of later songs.
    func add(_ effects: SongEffects) { demand.add(effects) }

    /// Returns true once new instruments are there that lack the programs of the current song, which then seeks to its place.
    func needPrograms() -> Bool {
        guard let time = refresh, core.now >= time else { return false }
        refresh = nil
        return true
    }

    /// The deck on which songs cross over with those of the first.
    func addDeck() throws(Fault) -> SongDeck {
        var options = core.options
        options.songBank = nil
        let deck = try core.stage.addDeck(demand, options)
        try core.copyMix(fromDeck: 0, to: deck.number)
        return deck
    }

    /// Gives the current song its instruments back, if those of the next were made ready and it no longer follows.
    func keep(_ bank: SongBank?, on deck: SongDeck, for timeline: Timeline) throws(Fault) {
        if bank == banks[deck.number] { return }
        refresh = max(takeover, core.now)
        do {
            try exchange(bank, demand, deck.number, at: nil)
            let played = Set(timeline.summary.parts.map { Int($0.port) * 16 + Int($0.channel) })
            try tellAgain(keys.playedParts.subtracting(played), at: nil)
        } catch {
            // The fault is reported once, not in each turn.
            banks[deck.number] = bank
            throw error
        }
    }

    private func exchange(_ bank: SongBank?, _ demand: SongDemand, _ deck: Int, at time: SampleTime?) throws(Fault) {
        var wanted = core.options
        wanted.songBank = bank
        try sounds.keepNames(until: time) { () throws(Fault) in
            try core.stage.exchange(demand, wanted, deck: deck, at: time)
        }
        core.options = wanted
        banks[deck] = bank
        stale.remove(deck)
        keys.renewControls()
        core.remarks.note(core.stage.songGraph.remarks)
    }

    /// Sends instruments that songs and keys share, if they are new, the presets of parts that keys play.
    private func tellAgain(_ parts: Set<Int>, at time: SampleTime?) throws(Fault) {
        if !core.stage.hasOwnSongs { try sounds.tellAgain(parts, at: time) }
    }
}
