import Sequencer
import SongFiles
import Testing

/// What a damaged byte takes from a song is that byte's event: the rest plays where it would have, and all of it is told.
struct DamagedSongTests {
    private let wanted: [SongEvent]

    init() throws { wanted = try SongReader.read(bytes: DamagedSongs.sound, name: "sound").song.tracks[0].events }

    /// The damage, what is said of it, and the byte.
    @Test(arguments: [
        ("track length of 0", 18, SongFault.trackLength(declared: 0, found: 155)),
        ("text without its status", 22, .unreadable(count: 13)),
        ("text that is a clock", 22, .unreadable(count: 13)),
        ("text that swallows events", 25, .eventLength(declared: 30, found: 9)),
        ("text longer than the track", 25, .eventLength(declared: 16_335, found: 8)),
        ("text shorter than it is", 30, .unreadable(count: 5)),
        ("delta time that swallows a status", 22, .unreadable(count: 1)),
    ])
    func everythingBehindADamagedTitlePlaysWhereItWould(_ name: String, _ offset: Int, _ fault: SongFault) throws {
        let file = try read(name)
        #expect(file.repairs == [SongRepair(byteOffset: offset, fault: fault)])
        #expect(file.song.tracks[0].events.suffix(wanted.count - 1) == wanted.dropFirst())
    }

    @Test func aNoteOnWithoutItsStatusIsAllThatIsLost() throws {
        let file = try read("note-on that is a data byte")
        let lost = wanted[3 + 18]
        let notes = file.song.tracks[0].events.filter { wanted.contains($0) }
        #expect(notes == wanted.filter { $0 != lost })
    }

    /// The delta time of 4 ticks is lost with it, so everything behind plays 4 ticks early, and not hours late.
    @Test func aDeltaTimeThatSwallowsANoteOnGivesItBack() throws {
        let file = try read("delta time that swallows a note-on")
        #expect(file.repairs == [SongRepair(byteOffset: 117, fault: .unreadable(count: 1))])
        #expect(file.song.tracks[0].events.map(\.kind) == wanted.map(\.kind))
        #expect(file.song.endTick == 16 * 100 - 4)
    }

    @Test func aPauseOfDaysStandsInATrackThatReadsByTheLetterAndIsDamageInAnother() throws {
        let alone = try read("delta time of days")
        #expect(alone.song.tracks[0].events[1].tick == 0x0FFF_FFFF)
        #expect(alone.readings == [.asItStands])
        let damaged = try read("delta time of days, a velocity above 127")
        let pause = SongRepair(byteOffset: 35, fault: .deltaTime(ticks: 0x0FFF_FFFF, taken: 96))
        #expect(damaged.repairs == [SongRepair(byteOffset: 175, fault: .dataByte(0xC0)), pause])
        #expect(damaged.song.tracks[0].events[1].tick == 96)
        #expect(damaged.song.endTick == 96 + 1600)
        let two = try read("delta time of days in one of two tracks, a velocity above 127")
        #expect(two.song.tracks[1].events.map(\.tick) == wanted.dropFirst().map(\.tick))
    }

    /// 16 384 ticks and more take three bytes, whose last two may look like a status and its key.
    @Test(arguments: ["", ", no End of Track", ", a velocity above 127", ", a length too great"])
    func aLongRestInRunningStatusStaysWhatItIs(_ damage: String) throws {
        let sound = try read("long rest in running status").song.tracks[0]
        let file = try read("long rest in running status" + damage)
        #expect(file.song.tracks[0].events.count == sound.events.count)
        #expect(file.song.tracks[0].events.map(\.tick) == sound.events.map(\.tick))
        #expect(file.repairCount == (damage.isEmpty ? 0 : 1))
        #expect((file.readings == [.asItStands]) == damage.isEmpty)
    }

    @Test func thePauseIsToldWithItsTicks() {
        let repair = SongRepair(byteOffset: 35, fault: .deltaTime(ticks: 268_435_455, taken: 96))
        #expect(
            "\(repair)" == "byte 35: delta time of 268435455 ticks: hours, in a song of minutes: taken as 96 ticks")
    }

    /// Wherever one byte is damaged, a handful of events is the most that is lost, unless what it makes reads by the letter.
    @Test func noDamagedByteOfATrackTakesMoreThanItsNeighbourhood() throws {
        let start = 22
        for offset in start..<DamagedSongs.sound.count - 4 {
            for byte in [0x00, 0x10, 0x7F, 0x80, 0x90, 0xC0, 0xF0, 0xF7, 0xFE, 0xFF] as [UInt8] {
                var bytes = DamagedSongs.sound
                // Another message is a sound message.
                if (0x80..<0xF0).contains(bytes[offset]), (0x80..<0xF0).contains(byte) { continue }
                bytes[offset] = byte
                let file = try SongReader.read(bytes: bytes, name: "damaged")
                if file.readings == [.asItStands] { continue }
                let events = file.song.tracks[0].events
                var left = wanted.map(\.kind)
                for event in events { left.firstIndex(of: event.kind).map { _ = left.remove(at: $0) } }
                #expect(left.count <= 4, "byte \(offset) as \(byte): \(left.count) of \(wanted.count)")
            }
        }
    }

    private func read(_ name: String) throws -> SongFile {
        try SongReader.read(bytes: OddSongs.named(name).bytes, name: name)
    }
}
