import Glibc
import Graphs
import Patches
import RealtimeCore
import RemoteIO
import Reports
import SongRendering

/// The patches of a session, of which one sounds; of a set list also those that are ready, and the values that were set by hand
/// in those that were left.
///
/// Of a set list the next one and the one before are made ready in the background, so that going there takes no longer than to connect
/// them, and as many more as the options and memory allow: first those that programs select, then those that come next. Never
/// more than so many are ready; the one that was wanted longest ago goes first. Control side.
final class PatchList {
    /// The share of the machine's memory that samples may have before no further patches are made ready than the two beside the
    /// one that sounds.
    private static let memoryShare = 0.5

    private struct Item {
        var listed: ListedPatch
        /// False where the session plays its instrument without a patch.
        var isGiven = true
        var kept: PreparedPatch.Kept?
        var fault: Fault?
        /// The number of times that it has become another patch.
        var revision = 0

        /// False if it is left out on the way to the next one.
        var isOnTheWay: Bool { fault == nil && !listed.isSkipped }
    }

    private let options: LiveOptions
    private let keyboards: [String]
    private let songs: SongDemand?
    private var items: [Item]
    /// The number of the newest revision of any item.
    private var newest = 0
    /// The place of the one that sounds.
    private(set) var current = 0
    private(set) var wanted: Int?
    /// The patches that are ready, the one that was wanted last at the end.
    private var ready: [(index: Int, patch: PreparedPatch)] = []
    /// Bytes of samples of the patch that sounds, by SoundFont.
    private var sounding: [String: Int] = [:]
    let loader = PatchLoader()
    private var thread: PeriodicThread?
    private var remarks: [Remark] = []
    /// True if a thread of its own makes patches ready; else, in simulated time or for a single one, `attend` does.
    private let isThreaded: Bool

    /// `songs` are those that play from the start on; nil: none are played.
    init(_ options: LiveOptions, keyboards: [String], songs: SongDemand?, isThreaded: Bool) {
        (self.options, self.keyboards, self.songs) = (options, keyboards, songs)
        items = options.patches.map { Item(listed: $0, isGiven: $0.hasPatch) }
        if items.isEmpty {
            let alone = ListedPatch("", options.patch ?? Patch(), path: options.patchPath)
            items = [Item(listed: alone, isGiven: options.patch != nil)]
        }
        isSetList = items.count > 1
        self.isThreaded = isThreaded && isSetList
    }

    /// True if there were several at the start, so that one can take over from another.
    let isSetList: Bool
    /// True if what keyboards play has a place of its own in the graph, so that something can take over from it or lie beside it.
    private var hasPlace: Bool { isSetList || songs != nil && options.songsAreApart || options.list.always != nil }
    /// The other patches, which do not sound.
    var others: [ListedPatch] { items.indices.filter { $0 != current }.map { items[$0].listed } }

    deinit { thread?.stop() }

    func start() throws(Fault) {
        if !isThreaded { return }
        do {
            thread = try PeriodicThread(name: "carillon-patches", milliseconds: 5) { [loader] in loader.work() }
        } catch { throw .unavailable(device: error, sequencer: nil) }
    }

    /// Ends it, after its current job.
    func stop() {
        thread?.stop()
        thread = nil
    }

    /// Starts the one that the options name, else the first patch that can be played and is not skipped. Those before it, and files that are not patches, are left out and reported.
    /// Throws the fault of the first one, if none can be played.
    func begin(at start: SampleTime) throws(Fault) -> PatchStage {
        let first = options.list.first.flatMap { name in items.firstIndex { $0.listed.name == name } }
        for index in (first.map { [$0] } ?? []) + items.indices.filter({ $0 != first && !items[$0].listed.isSkipped }) {
            do throws(Fault) {
                let first =
                    hasPlace
                    ? try loader.make(job(index)).get()
                    : try version(items[index].isGiven ? items[index].listed.patch : nil, of: index, options, songs: songs)
                let stage = try PatchStage(options, first, hasPlace: hasPlace, songs: songs, start: start)
                enter(index, first, leaving: nil)
                for other in items.indices where other != index && items[other].fault == nil {
                    if let fault = items[other].listed.fault { leaveOut(other, Fault(fault)) }
                }
                return stage
            } catch { leaveOut(index, error) }
        }
        throw items.lazy.compactMap(\.fault).first ?? .noPatchList
    }

    private func leaveOut(_ index: Int, _ error: Fault) {
        items[index].fault = error
        remarks.append(Remark(.missing, items[index].listed.name, "\(error); it cannot be played"))
    }

    func takeRemarks() -> [Remark] {
        defer { remarks = [] }
        return remarks
    }

    /// The place that is meant; nil if there is none, past the last or before the first.
    func index(of place: PatchPlace) throws(Fault) -> Int? {
        if !isSetList { throw .noPatchList }
        let from = wanted ?? current
        switch place {
        case .next: return items.indices.dropFirst(from + 1).first { items[$0].isOnTheWay }
        case .previous: return items.indices.prefix(from).last { items[$0].isOnTheWay }
        case .number(let number):
            guard items.indices.contains(number - 1) else {
                throw .outOfRange(name: "patch", value: "\(number)", remedy: "choose from 1 to \(items.count)")
            }
            return number - 1
        case .named(let name):
            guard let index = items.firstIndex(where: { $0.listed.name == name }) else {
                throw .unknownPatch(name, known: items.map(\.listed.name))
            }
            return index
        }
    }

    /// Asks for the patch at a place: it sounds as soon as it is ready. A patch that could not be played is tried again.
    func ask(for index: Int) {
        wanted = index == current ? nil : index
        items[index].fault = nil
    }

    /// Takes out the requested patch, once it is ready.
    func takeWanted() -> (index: Int, patch: PreparedPatch)? {
        guard let wanted, let place = ready.firstIndex(where: { $0.index == wanted }) else { return nil }
        self.wanted = nil
        return ready.remove(at: place)
    }

    /// Another version of a patch, without units of its own: those that sound stay. nil: the instrument.
    func version(
        _ patch: Patch?, of index: Int, _ options: LiveOptions, songs: SongDemand?
    ) throws(Fault) -> PreparedPatch {
        var options = options
        options.patch = patch
        return try PreparedPatch(options, songs: hasPlace ? nil : songs, in: hasPlace ? setList(index) : nil)
    }

    /// Two patches of a list must fit beside each other, and beside songs.
    private func setList(_ index: Int) -> PreparedPatch.SetList {
        PreparedPatch.SetList(
            name: items[index].listed.name, keyboards: keyboards,
            mostPorts: (16 - (songs?.ports.count ?? 0) - (options.list.always == nil ? 0 : 2)) / (isSetList ? 2 : 1))
    }

    /// Makes the patch at `index` the one that sounds, and keeps the state of the previous one for its return.
    func enter(_ index: Int, _ patch: PreparedPatch, leaving kept: PreparedPatch.Kept?) {
        // It was made for its next turn with other values.
        if let kept { items[current].kept = kept }
        drop(current)
        drop(index)
        (current, sounding) = (index, patch.sampleBytes)
    }

    /// Replaces the patch at a place of the list, as when its file was saved. Values that were set by hand are kept.
    func replace(_ index: Int, by patch: Patch) {
        (items[index].listed.patch, items[index].listed.fault, items[index].isGiven) = (patch, nil, true)
        revise(index)
        items[index].fault = nil
        drop(index)
    }

    private func revise(_ index: Int) {
        newest += 1
        items[index].revision = newest
    }

    /// Takes another version of the list. Entries of the same name keep what was set by hand; the one that sounds stays, at the
    /// end if the new list has it no more.
    func exchange(_ listed: [ListedPatch]) {
        let former = items, sounds = items[current]
        let asked = wanted.map { items[$0].listed.name }
        for item in ready { loader.discard(item.patch) }
        ready = []
        items = listed.map { new in
            let old = former.first { $0.listed.name == new.name }
            var new = new
            if new.isTrimmed { new.trim = old?.listed.trim ?? 0 }
            return Item(listed: new, isGiven: new.hasPatch, kept: old?.listed.patch == new.patch ? old?.kept : nil)
        }
        let place = items.firstIndex { $0.listed.name == sounds.listed.name }
        // At the end it moves no other.
        if place == nil { items.append(sounds) }
        current = place ?? items.count - 1
        // Its patch is changed as one that is saved.
        items[current].listed.patch = sounds.listed.patch
        (items[current].isGiven, items[current].kept) = (sounds.isGiven, sounds.kept)
        for index in items.indices { revise(index) }
        wanted = asked.flatMap { name in items.firstIndex { $0.listed.name == name } }
    }

    /// The place of the next entry with a song, round the list's end; nil for none.
    var nextWithSong: Int? {
        (1...items.count).map { (current + $0) % items.count }.first { items[$0].isOnTheWay && items[$0].listed.song != nil }
    }

    private func drop(_ index: Int) {
        for item in ready where item.index == index { loader.discard(item.patch) }
        ready.removeAll { $0.index == index }
    }

    func listed(_ index: Int) -> ListedPatch { items[index].listed }
    var all: [ListedPatch] { items.map(\.listed) }

    /// The place of the first entry that a program selects; nil for none.
    func index(ofProgram program: Int) -> Int? { items.firstIndex { $0.listed.program == program } }

    /// Takes in the patches that are ready, and has the next missing one made. Returns remarks on patches that cannot be
    /// played.
    func attend() -> [Remark] {
        if !isThreaded { loader.work() }
        if !isSetList { return [] }
        for outcome in loader.takeOutcomes() where items[outcome.index].revision == outcome.revision {
            switch outcome.result {
            case .success(let patch) where outcome.index == current: loader.discard(patch)
            case .success(let patch):
                drop(outcome.index)
                ready.append((outcome.index, patch))
            case .failure(let error):
                if wanted == outcome.index { wanted = nil }
                leaveOut(outcome.index, error)
            }
        }
        let near = neighbours
        // Wanted again: last to go.
        for index in near.reversed() {
            if let place = ready.firstIndex(where: { $0.index == index }) { ready.append(ready.remove(at: place)) }
        }
        while ready.count > options.list.ready { loader.discard(ready.removeFirst().patch) }
        let missing = near.first { index in !ready.contains { $0.index == index } }
        if let missing, loader.isFree { loader.post(job(missing)) }
        return takeRemarks()
    }

    /// The places of the patches that ought to be ready, the most urgent first.
    private var neighbours: [Int] {
        var places: [Int] = []
        let next = items.indices.dropFirst(current + 1).first { items[$0].isOnTheWay }
        let previous = items.indices.prefix(current).last { items[$0].isOnTheWay }
        for case let index? in [wanted, next, previous] where !places.contains(index) && items[index].fault == nil {
            places.append(index)
        }
        if sampleBytes > Self.mostBytes { return Array(places.prefix(options.list.ready)) }
        let called = items.indices.filter { items[$0].listed.program != nil }
        let ahead = (1..<items.count).map { (current + $0) % items.count }
        for index in called + ahead where !places.contains(index) && index != current && items[index].isOnTheWay {
            places.append(index)
        }
        return Array(places.prefix(options.list.ready))
    }

    /// Bytes of samples of the patches that are ready and of the one that sounds, those of each SoundFont once.
    private var sampleBytes: Int {
        ready.reduce(sounding) { $0.merging($1.patch.sampleBytes) { $1 } }.values.reduce(0, +)
    }

    private static let mostBytes = Int(
        memoryShare * Double(sysconf(Int32(_SC_PHYS_PAGES))) * Double(sysconf(Int32(_SC_PAGESIZE))))

    private func job(_ index: Int) -> PatchLoader.Job {
        let item = items[index]
        var options = options
        options.patch = item.isGiven ? item.listed.patch : nil
        options.list.level = item.listed.gain
        return PatchLoader.Job(
            index: index, revision: item.revision, listed: item.listed, options: options, list: setList(index),
            kept: item.kept)
    }

    /// Returns the state of the set list; nil for a single patch.
    func snapshot(ringing: Int) -> SessionSnapshot.PatchList? {
        if !isSetList { return nil }
        let next = items.indices.dropFirst((wanted ?? current) + 1).first { items[$0].isOnTheWay }
        return SessionSnapshot.PatchList(
            name: items[current].listed.name, number: current + 1, count: items.count,
            wanted: wanted.map { items[$0].listed.name }, next: next.map { items[$0].listed.name },
            isNextReady: next.map { index in ready.contains { $0.index == index } } ?? false, ready: ready.count,
            ringing: ringing, sampleBytes: sampleBytes)
    }
}
