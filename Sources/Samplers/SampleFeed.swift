import SoundFonts
import Synchronization
import UnitAPI

/// Fills the pages of a sampler's streamed samples ahead of its voices.
///
/// Live, a thread that the engine keeps for it reads ahead, and what comes too late is silent, counted and named in
/// `complaint`. Offline nothing is late: a voice reads what is not there yet. Control side, any thread.
///
/// Sendable: the shares write their readers on the render side; what another thread reads of them is atomic.
package final class SampleFeed: UnitCompanion, @unchecked Sendable {
    /// Pages of a sample that are to be read next.
    struct Request: Equatable {
        /// The number of the sample, in the store.
        let sample: Int
        let pages: Range<Int>
    }

    let readers: [UnsafeMutablePointer<StreamReader>]
    private let store: SampleStore
    private let names: [String]
    private let turn = Mutex(())
    /// By stream, the late frames that were complained of, or that others had lost before; and the complaint, for so many looks.
    private let reported: Mutex<(late: [Int], complaint: String?, looks: Int)>
    /// Looks for which a complaint holds: ten seconds of a session.
    private static let patience = 100
    /// Requests that one look carries out: the engine calls for the next.
    private static let mostRequests = 64

    /// Nil if no sample is streamed. `names` are those of the library's files.
    init?(_ store: SampleStore, _ names: [String], shares: Int, voices: Int) {
        guard store.streams.contains(where: { $0 != nil }) else { return nil }
        (self.store, self.names) = (store, names)
        readers = (0..<shares).map { _ in .allocate(capacity: 1) }
        reported = Mutex((Self.late(store), nil, 0))
        super.init()
        // The feed outlives the render side, which holds it by its sampler.
        let context = Unmanaged.passUnretained(self).toOpaque()
        for reader in readers {
            reader.initialize(
                to: StreamReader(voices: voices, context) { context, sample, frame, count, to in
                    Unmanaged<SampleFeed>.fromOpaque(context).takeUnretainedValue().read(
                        Int(sample), Int(frame)..<Int(frame + count), to: to)
                })
            store.budget.add(UnsafePointer(reader.pointee.turn))
        }
    }

    deinit {
        for reader in readers {
            store.budget.remove(UnsafePointer(reader.pointee.turn))
            reader.deinitialize(count: 1)
            reader.deallocate()
        }
    }

    private func read(_ sample: Int, _ frames: Range<Int>, to memory: UnsafeMutableRawPointer) {
        guard let streamed = store.streams[sample] else { return }
        streamed.stream.copy(streamed.channel, frames, to: memory)
    }

    package override var mayWait: Bool { true }

    package override func attend() { wait(true) }

    package override func beginLive() { wait(false) }

    /// Reads what the voices need next.
    package override func look() {
        wait(false)
        turn.withLock { _ in
            for _ in 0..<Self.mostRequests { guard let request = next(), load(request) else { return } }
        }
    }

    /// Chooses whether what is not in memory is read when it is needed, or silent.
    func wait(_ waits: Bool) { for reader in readers { reader.pointee.waits.store(waits, ordering: .relaxed) } }

    /// Reads pages. Returns false if that was in vain.
    func load(_ request: Request) -> Bool { store.streams[request.sample]?.stream.load(request.pages) ?? false }

    /// Frames of sound that were silent because they came too late, by stream.
    private static func late(_ store: SampleStore) -> [Int] {
        store.streams.map { streamed in
            streamed.map { $0.stream.channels[$0.channel].pointee.late.load(ordering: .relaxed) } ?? 0
        }
    }

    /// A stream that cannot be read; else what was late since the last complaint.
    package override var complaint: String? {
        for case let streamed? in store.streams {
            guard let fault = streamed.stream.fault else { continue }
            return "\(streamed.stream.name) of \(names[streamed.file]) cannot be read and is silent: \(fault)"
        }
        return reported.withLock { reported in
            let late = Self.late(store)
            if late != reported.late {
                reported = (late, complaint(of: zip(late, reported.late).map { $0 - $1 }), Self.patience)
            } else if reported.looks > 0 {
                reported.looks -= 1
                if reported.looks == 0 { reported.complaint = nil }
            }
            return reported.complaint
        }
    }

    private func complaint(of late: [Int]) -> String? {
        var worst = (frames: 0, name: "", others: 0)
        for (late, streamed) in zip(late, store.streams) where late > 0 {
            guard let streamed else { continue }
            let name = "\(streamed.stream.name) of \(names[streamed.file])"
            if late > worst.frames { worst = (late, name, worst.others + (worst.frames > 0 ? 1 : 0)) } else { worst.others += 1 }
        }
        guard worst.frames > 0 else { return nil }
        let others = worst.others == 0 ? "" : " and of \(worst.others) more sample\(worst.others == 1 ? "" : "s")"
        return "\(worst.frames) frames of \(worst.name)\(others) came too late from the disk and were silent; "
            + "allow more memory for samples, or use a faster disk"
    }

    // MARK: - What is needed next

    /// The place of a voice that sounds, as it published it.
    private struct Place {
        let sample: Int, frame: Int, loopStart: Int, loopEnd: Int
        /// Frames of the sample for each of sound.
        let pace: Double

        init?(_ voice: UnsafePointer<VoiceStream>, now: UInt32) {
            let place = voice.pointee.place.load(ordering: .relaxed), pace = voice.pointee.pace.load(ordering: .relaxed)
            // A voice whose place is old is over.
            guard place != .max, now &- UInt32(pace >> 32) < 64 else { return nil }
            let loop = voice.pointee.loop.load(ordering: .relaxed)
            (sample, frame) = (Int(place >> 32), Int(UInt32(truncatingIfNeeded: place)))
            (loopStart, loopEnd) = (Int(loop >> 32), Int(UInt32(truncatingIfNeeded: loop)))
            self.pace = max(Double(UInt32(truncatingIfNeeded: pace)) / 256, 1.0 / 256)
        }
    }

    /// The pages that some voice misses soonest; nil if all have enough.
    func next() -> Request? {
        store.budget.withPages { most, all in
            var places: [Place] = []
            for reader in readers {
                let now = reader.pointee.period.load(ordering: .relaxed)
                places += (0..<reader.pointee.count).compactMap { Place(reader.pointee.voices + $0, now: now) }
            }
            // Of the pages that there can be, a sampler gets its part, and of that a voice: as many ahead of it as are read at once,
            // and some are left.
            let part = max(most * 3 / 8 * readers.count / max(all, readers.count) / max(places.count, 1), 1)
            var best: (request: Request, due: Double)?
            for place in places {
                guard let found = missing(place, part: part) else { continue }
                if best.map({ found.due < $0.due }) ?? true { best = found }
            }
            return best?.request
        }
    }

    /// The first pages on a voice's way that are not there, and how many frames of sound remain until it needs them. Pages on
    /// the way are marked as read, so that they stay.
    private func missing(_ place: Place, part: Int) -> (request: Request, due: Double)? {
        guard place.sample < store.streams.count, let streamed = store.streams[place.sample], streamed.stream.fault == nil
        else { return nil }
        let table = streamed.stream.channels[streamed.channel], perPage = table.pointee.framesPerPage
        let loops = place.loopEnd > place.loopStart && place.loopEnd <= table.pointee.frames
        let last = loops ? (place.loopEnd - 1) / perPage : table.pointee.pageCount - 1
        let reach = min(SampleStream.reach / perPage, part)
        // As long ahead in time for a sample that is played higher.
        let ahead = min(reach * Int(min(place.pace, 8).rounded(.up)), part)
        var page = place.frame / perPage, way = 0, hasTurned = false
        for _ in 0..<ahead {
            guard page < table.pointee.pageCount else { return nil }
            if table.pointee.page(page) == nil {
                let end = page <= last ? last + 1 : table.pointee.pageCount
                return (Request(sample: place.sample, pages: page..<min(page + reach, end)), Double(way) / place.pace)
            }
            way += way == 0 ? (page + 1) * perPage - place.frame : perPage
            page += 1
            if loops, page == last + 1 {
                if hasTurned { return nil }
                (hasTurned, page) = (true, place.loopStart / perPage)
            }
        }
        return nil
    }
}
