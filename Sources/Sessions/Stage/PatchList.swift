import Graphs
import Patches
import RemoteIO
import Reports
import SongRendering

/// The patches of a set list: the one that sounds, those that are ready, and the values that were set by hand in those that
/// were left.
///
/// The next one and the one before are made ready in the background, so that going there takes no longer than to connect
/// them; never more than `most` are ready, the one that was wanted longest ago goes first. Control side.
final class PatchList {
    /// Patches that are ready at most, besides the one that sounds.
    static let most = 3

    private struct Item {
        var listed: ListedPatch
        var kept: PreparedPatch.Kept?
        var fault: LiveError?
        /// The number of times that it has become another patch.
        var revision = 0
    }

    private let options: LiveOptions
    private let keyboards: [String]
    private var items: [Item]
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
    /// True if a thread of its own makes patches ready; else, in simulated time, `attend` does.
    private let isThreaded: Bool

    init(_ options: LiveOptions, keyboards: [String], isThreaded: Bool) {
        (self.options, self.keyboards, self.isThreaded) = (options, keyboards, isThreaded)
        items = options.patches.map { Item(listed: $0) }
    }

    deinit { thread?.stop() }

    func start() throws(LiveError) {
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

    /// Starts the first patch that can be played. Those before it, and files that are not patches, are left out and reported.
    /// Throws the fault of the first one, if none can be played.
    func begin(on stage: PatchStage) throws(LiveError) -> (patch: PreparedPatch, graph: SongGraph) {
        for index in items.indices {
            do throws(LiveError) {
                let prepared = try make(items[index].listed, at: index, kept: nil), graph = try stage.enter(prepared, at: .zero)
                enter(index, prepared, leaving: nil)
                for later in items.indices.dropFirst(index + 1) {
                    if let fault = items[later].listed.fault { leaveOut(later, .patchFile(fault)) }
                }
                return (prepared, graph)
            } catch { leaveOut(index, error) }
        }
        throw items.first?.fault ?? .noPatchList
    }

    private func leaveOut(_ index: Int, _ error: LiveError) {
        items[index].fault = error
        remarks.append(Remark(.missing, items[index].listed.name, "\(error); it cannot be played"))
    }

    func takeRemarks() -> [Remark] {
        defer { remarks = [] }
        return remarks
    }

    /// The place that is meant; nil if there is none, past the last or before the first.
    func index(of place: PatchPlace) throws(LiveError) -> Int? {
        let from = wanted ?? current
        switch place {
        case .next: return items.indices.dropFirst(from + 1).first { items[$0].fault == nil }
        case .previous: return items.indices.prefix(from).last { items[$0].fault == nil }
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

    func make(_ listed: ListedPatch, at index: Int, kept: PreparedPatch.Kept?) throws(LiveError) -> PreparedPatch {
        try loader.make(job(index, listed, kept)).get()
    }

    /// Makes the one at `index` the sounding one; the state of the previous one is kept for its return.
    func enter(_ index: Int, _ patch: PreparedPatch, leaving kept: PreparedPatch.Kept?) {
        // It was made for its next turn with other values.
        if let kept { items[current].kept = kept }
        drop(current)
        drop(index)
        (current, sounding) = (index, patch.sampleBytes)
    }

    /// Replaces the patch at a place of the list, as when its file was saved. Values that were set by hand are kept.
    func replace(_ index: Int, by patch: Patch) {
        (items[index].listed.patch, items[index].listed.fault) = (patch, nil)
        items[index].revision += 1
        items[index].fault = nil
        drop(index)
    }

    private func drop(_ index: Int) {
        for item in ready where item.index == index { loader.discard(item.patch) }
        ready.removeAll { $0.index == index }
    }

    func listed(_ index: Int) -> ListedPatch { items[index].listed }

    /// Takes in the patches that are ready, and has the next missing one made. Returns remarks on patches that cannot be
    /// played.
    func attend() -> [Remark] {
        if !isThreaded { loader.work() }
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
        while ready.count > Self.most { loader.discard(ready.removeFirst().patch) }
        let missing = near.first { index in !ready.contains { $0.index == index } }
        if let missing, loader.isFree { loader.post(job(missing, items[missing].listed, items[missing].kept)) }
        return takeRemarks()
    }

    /// The places of the patches that ought to be ready, the most urgent first.
    private var neighbours: [Int] {
        var places: [Int] = []
        let next = items.indices.dropFirst(current + 1).first { items[$0].fault == nil }
        let previous = items.indices.prefix(current).last { items[$0].fault == nil }
        for case let index? in [wanted, next, previous] where !places.contains(index) && items[index].fault == nil {
            places.append(index)
        }
        return places
    }

    private func job(_ index: Int, _ listed: ListedPatch, _ kept: PreparedPatch.Kept?) -> PatchLoader.Job {
        PatchLoader.Job(
            index: index, revision: items[index].revision, listed: listed, options: options, keyboards: keyboards,
            kept: kept)
    }

    /// Returns the state of the list.
    func snapshot(ringing: Int) -> SessionSnapshot.PatchList {
        let next = items.indices.dropFirst((wanted ?? current) + 1).first { items[$0].fault == nil }
        let bytes = ready.reduce(sounding) { $0.merging($1.patch.sampleBytes) { $1 } }
        return SessionSnapshot.PatchList(
            name: items[current].listed.name, number: current + 1, count: items.count,
            wanted: wanted.map { items[$0].listed.name }, next: next.map { items[$0].listed.name },
            isNextReady: next.map { index in ready.contains { $0.index == index } } ?? false, ready: ready.count,
            ringing: ringing, sampleBytes: bytes.values.reduce(0, +))
    }
}
