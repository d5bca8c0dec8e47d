import Document
import Glibc
import RealtimeCore
import Reports
import Sequencer
import Units

/// Saves loops and brings them back: a thread of its own reads and writes files, while loops play on and may be changed. Session's
/// thread.
final class LoopKeeper {
    private let core: SessionCore
    private let loops: AudioLoops
    private let midi: MIDILoops
    private let metronome: MetronomePart
    private var work: Work?
    /// Returns true while the desks are used for something else.
    var isBlocked: () -> Bool = { false }
    /// True while it uses desks.
    var isBusy: Bool { work != nil }
    /// True until the loops that are being read are there.
    var isLoading: Bool { work?.isLoad ?? false }

    private struct Work {
        let order: LoopOrder
        let isLoad: Bool
        /// nil without loops of sound.
        let desk: LoopDesk?
        /// Of what is saved, for each item of the file, the edition of its loop.
        var editions: [Int?] = []
        var thread: LoopThread?
    }

    /// Called when a track is of a kind from now on.
    var onKind: (Int, Session.LoopKind) -> Void = { _, _ in }

    init(_ core: SessionCore, _ loops: AudioLoops, _ midi: MIDILoops, _ metronome: MetronomePart) {
        (self.core, self.loops, self.midi, self.metronome) = (core, loops, midi, metronome)
    }

    /// Saves all loops under a name that is free: `NAME.yaml`, and a folder of that name.
    func save(_ name: String) throws(Fault) {
        let path = try free(name)
        for taken in [path, path + ".yaml"] where access(taken, F_OK) == 0 { throw .loopsExist(path: taken) }
        var file = LoopFile()
        file.tempo = Float(metronome.tempo)
        var songs: [Int: Song] = [:]
        for index in loops.loops.indices {
            if !loops.loops[index].isEmpty, loops.loops[index].state != .recording {
                file.items.append(loops.item(index, folder: path))
            } else if let (item, song) = midi.item(index, folder: path, part: core.stage.patchPart) {
                file.items.append(item)
                songs[item.track] = song
            }
        }
        if file.items.isEmpty { throw .option(name: "looper save", value: name, remedy: "record a loop first") }
        let order = LoopOrder(path: path, file: file, sampleRate: core.options.sampleRate, songs: songs)
        // What is written meanwhile is not in the file.
        let editions = file.items.map { item in
            let loop = tracks(of: item).loops[item.track - 1]
            return loop.writes ? nil : loop.edition
        }
        work = Work(order: order, isLoad: false, desk: file.sounds.isEmpty ? nil : try loops.desk(), editions: editions)
        for item in file.sounds { try loops.ask(.held, item.track - 1) }
    }

    /// Brings saved loops back, stopped, in the place of all others, which stop at once; with their tempo unless a song plays.
    func load(_ name: String) throws(Fault) {
        let path = try free(name)
        var file: LoopFile
        do { file = try LoopFile(path: path + ".yaml") } catch { throw Fault(error) }
        for place in file.items.indices {
            guard let output = file.items[place].output, !loops.hasOutput(output) else { continue }
            file.items[place].output = nil
            core.tell([
                "\(path).yaml: loop \(file.items[place].track) is heard on the first two channels: there are not so many here"
            ])
        }
        let order = try LoopOrder(path: path, file: file, sampleRate: core.options.sampleRate)
        let lengths = try order.lengths()
        let desk = file.sounds.isEmpty ? nil : try loops.desk()
        work = Work(order: order, isLoad: true, desk: desk)
        for index in loops.loops.indices where !loops.loops[index].isEmpty { try loops.end(index, .stopped) }
        try midi.stopAll()
        for (item, frames) in zip(file.sounds, lengths) { try loops.ask(.reserved, item.track - 1, frames: frames) }
    }

    /// The path of a name, for which nothing else is under way.
    private func free(_ name: String) throws(Fault) -> String {
        if core.savingFolder != nil {
            throw .option(name: "looper save", value: name, remedy: "an installation keeps no loops")
        }
        if work != nil { throw .option(name: "looper", value: name, remedy: "loops are being saved or loaded; wait a moment") }
        if isBlocked() {
            throw .option(name: "looper", value: name, remedy: "loops are being stretched; wait a moment")
        }
        return name.hasSuffix(".yaml") ? String(name.dropLast(5)) : name
    }

    private func tracks(of item: LoopFile.Item) -> any LoopTracks { item.isMIDI ? midi : loops }

    func turn() {
        guard var work else { return }
        let tracks = work.order.file.sounds.map { $0.track - 1 }
        if work.thread == nil {
            if let desk = work.desk, !tracks.allSatisfy(desk.isServed) { return }
            if let desk = work.desk, tracks.contains(where: { desk.frames($0) == 0 }) {
                core.tell(["\(work.order.path): no memory is left for these loops; clear some, or give loops more seconds"])
                return close(work)
            }
            let order = work.order, desk = work.desk, isLoad = work.isLoad
            work.thread = LoopThread(core) {
                let outcome = isLoad ? order.load(into: desk) : order.save(from: desk)
                order.outcome.withLock { $0 = outcome }
            }
            self.work = work
        }
        switch work.order.outcome.withLock({ $0 }) {
        case .underWay: return
        case .failed(let fault): core.tell(["\(fault)"])
        case .done where work.isLoad: return take(work)
        case .done:
            for (item, edition) in zip(work.order.file.items, work.editions) {
                self.tracks(of: item).loops[item.track - 1].savedEdition = edition
            }
            core.tell(["the loops are saved in \(work.order.path).yaml"])
        }
        close(work)
    }

    /// Waits for what is under way: a session that ends loses no file.
    func finish() {
        work?.thread?.wait()
        turn()
    }

    private func close(_ work: Work) {
        self.work = nil
        loops.giveBack(work.order.file.sounds.map { $0.track - 1 })
    }

    private func take(_ work: Work) {
        self.work = nil
        report { () throws(Fault) in
            let file = work.order.file, taken = Set(file.sounds.map { $0.track - 1 })
            // A song that plays keeps its tempo: the loops follow it.
            if let tempo = file.tempo, !metronome.followsSong { try metronome.set(tempo: Double(tempo), ofSongs: false) }
            for index in loops.loops.indices where !taken.contains(index) { try loops.end(index, .empty) }
            for index in midi.loops.indices { try midi.end(index, .empty) }
            for var item in file.items {
                item.tempo = item.tempo ?? file.tempo
                onKind(item.track - 1, item.isMIDI ? .midi : .audio)
                if let song = work.order.songs[item.track] {
                    midi.take(item, song) { core.graph.ports.engine(part: $0) }
                } else if let desk = work.desk {
                    try loops.take(item, desk)
                }
            }
            core.tell(["the loops of \(work.order.path).yaml are here"])
        }
    }

    private func report(_ body: () throws(Fault) -> Void) { do throws(Fault) { try body() } catch { core.tell(["\(error)"]) } }
}
