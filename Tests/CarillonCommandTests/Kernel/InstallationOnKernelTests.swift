import Glibc
import TestFolders
import Testing

/// `carillon serve` on a real ALSA kernel that nobody needs (tools/alsa-vm): its card is pulled out, the clock on the wall
/// is set, its audio thread stands still, and a service manager listens.
@Suite(.enabled(if: LoopbackCard.isDisposable, "takes cards away and sets the clock; runs in tools/alsa-vm"), .serialized)
struct InstallationOnKernelTests {
    /// Seconds after the last frame in which it may still be fed: what a change of devices takes, two turns of the program, and
    /// the making of an answer.
    private static let lastFood = 0.8

    @Test(.timeLimit(.minutes(20))) func aCardPulledTwentyTimesAndAClockThatIsSetCostNoBeat() throws {
        let house = try ServedInstallation(), manager = house.manager
        let begin = try house.readings(for: 3), origin = begin.lead()
        let first = try #require(begin.last)
        expectMusic(begin, "at the beginning")
        let song = first.songSeconds - Double(first.frames) / 48_000
        var worst = 0.0, returns: [Double] = []

        func expectPosition(_ name: String) throws {
            let readings = try house.readings(for: 2)
            expectMusic(readings, name)
            let shift = readings.lead() - origin
            worst = max(worst, abs(shift))
            // Frames are counted by the period; and how old the freshest reading may be.
            #expect(abs(shift) <= Double(first.periodFrames) + 960, "\(name): \(shift) frames from where it would have been")
            for reading in readings {
                let drift = reading.songSeconds - Double(reading.frames) / 48_000 - song
                if abs(drift) > 0.001 { Issue.record("\(name): the song is \(drift) s from its frames") }
            }
            print("\(name): \(Int(shift.rounded())) frames from where it would have been, \(readings.last?.xruns ?? -1) xruns")
        }

        for round in 0..<20 {
            // Odd moments: no two rounds meet the same place of a beat, of a buffer or of a turn of the program.
            usleep(UInt32(137_911 * (round % 7) + 1_013 * round))
            let isModule = round % 4 == 3
            let pulled = monotonic()
            try LoopbackCard.pull()
            let left = monotonic()
            if isModule { try LoopbackCard.removeModule(in: house.folder) }
            #expect(left - pulled < 1, "round \(round): the card was held for \(left - pulled) s")
            let absence = [30_000, 700_000, 1_900_000, 350_000, 3_100_000][round % 5] + 7_001 * round
            usleep(UInt32(absence))
            let away = try house.reading()
            #expect(away.isPlaying, "round \(round): \(away)")
            if absence > 500_000 {
                #expect(away.device != "running", "round \(round): \(away)")
                // Whoever asks the service manager reads what is missing.
                #expect(manager.status?.hasPrefix("silent: \(LoopbackCard.name): no such audio device") == true)
            }
            if isModule { try LoopbackCard.insertModule(in: house.folder) } else { try LoopbackCard.plug() }
            let plugged = monotonic()
            #expect(eventually(within: 5) { LoopbackCard.state == "RUNNING" }, "round \(round)")
            returns.append(monotonic() - plugged)
            // What is told is up to a turn of the program old: it may be from before the card had gone, or from between.
            usleep(300_000)
            #expect(try eventually(within: 1) { try house.reading().device == "running" }, "round \(round)")
            try expectPosition("round \(round)")
            #expect(manager.status == "a: beats.mid")
        }

        let fed = manager.feeds.count
        for hours in [1, -1, -1, 1, 48, -48] {
            try LoopbackCard.stepClock(by: hours * 3600)
            try expectPosition("the clock set by \(hours) h")
        }
        #expect(manager.feeds.count > fed)
        let status = Program.run(["ctl", "--socket", "s", "status"], in: house.folder)
        #expect(status.exitCode == 0 && status.text.contains("\"state\":\"running\""), "\(status.text)")
        expectAService(house)
        let last = try house.reading()
        print(
            """
            worst position \(Int(worst.rounded())) frames, period \(first.periodFrames); back after \(returns.sorted()[10]) s \
            (median), \(returns.max() ?? 0) s (worst); \(last.xruns) xruns, \(last.lostEvents) lost events; \(gaps(manager))
            """)
        #expect(last.lostEvents == first.lostEvents)
        #expect(house.program.errorsSoFar.count(of: "event=song ") == 1, "\(house.program.errorsSoFar)")
        expectAnEnd(house)
    }

    @Test(.timeLimit(.minutes(10))) func anAudioThreadThatStandsStillStarvesTheWatchdogAndIsWrittenDown() throws {
        let house = try ServedInstallation(), manager = house.manager
        func boxes() -> [String] { TemporaryFolder.names(in: house.folder.file("state")).filter { $0.hasPrefix("black-box-") } }
        let begin = try house.readings(for: 5), origin = begin.lead()
        expectMusic(begin, "before")
        #expect(boxes().isEmpty)
        for round in 0..<3 {
            usleep(UInt32(311_000 * round))
            let thread = try StoppedThread("carillon-audio", of: house.program.id)
            let stopped = monotonic()
            let isTold = eventually(within: 3 * ServedInstallation.patience) {
                house.program.errorsSoFar.count(of: "event=watchdog state=starves") == round + 1
            }
            let told = monotonic()
            // Its socket answers meanwhile.
            let frames = try house.reading().frames
            usleep(UInt32(ServedInstallation.patience * 1e6))
            #expect(try house.reading().frames == frames)
            let last = try #require(manager.feeds.last)
            print("round \(round): told \(told - stopped) s after it stood still, fed for the last time at \(last - stopped) s")
            #expect(isTold && told - stopped <= ServedInstallation.patience, "round \(round): \(house.program.errorsSoFar)")
            // The service manager ends it when its patience is over: counted from the last food, that is within the limit.
            #expect(last - stopped <= Self.lastFood, "round \(round): fed \(last - stopped) s after it stood still")
            try thread.release()
            let released = monotonic()
            #expect(eventually(within: ServedInstallation.patience) { manager.feeds.last ?? 0 > released }, "round \(round)")
            print("round \(round): fed again after \((manager.feeds.last ?? 0) - released) s")
            #expect(eventually(within: 5) { LoopbackCard.state == "RUNNING" })
            usleep(1_000_000)
            let after = try house.readings(for: 3)
            expectMusic(after, "after round \(round)")
            print("round \(round): \(Int((after.lead() - origin).rounded())) frames from where it would have been")
        }
        // One in ten minutes: the text, what was played as a song, and as a journal.
        let names = boxes()
        #expect(names.map { $0.split(separator: ".").last ?? "" } == ["journal", "mid", "txt"], "\(names)")
        let text = String(decoding: house.folder.bytes(of: "state/\(names.last ?? "")"), as: UTF8.self)
        #expect(text.contains("the watchdog starves: the rendering is stuck at frame "), "\(text)")
        expectAnEnd(house)
    }

    @Test(.timeLimit(.minutes(10))) func aClosedHouseLeavesTheCardAloneAndOpensWhenTheClockSaysSo() throws {
        // Set first: the machine's own time of day is anybody's.
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        try LoopbackCard.stepClock(by: 86_400 - now.tv_sec % 86_400 + 3 * 3600)
        let house = try ServedInstallation(
            "playlists: {a: [beats.mid]}\ncalendar: {day: {from: 9:00, to: 18:00, playlist: a}}", isOpen: false)
        let manager = house.manager
        #expect(LoopbackCard.state == "closed" && manager.status?.hasPrefix("closed until ") == true, "\(manager.status ?? "")")
        let idle = processorShare(house, for: 60)
        try LoopbackCard.stepClock(by: 8 * 3600)
        let set = monotonic()
        #expect(eventually(within: 12) { LoopbackCard.state == "RUNNING" }, "\(house.program.errorsSoFar)")
        let opened = monotonic() - set
        usleep(1_000_000)
        expectMusic(try house.readings(for: 3), "open")
        let playing = processorShare(house, for: 30)
        #expect(manager.status == "a: beats.mid")
        try LoopbackCard.stepClock(by: -8 * 3600)
        #expect(eventually(within: 5) { LoopbackCard.state == "closed" }, "\(house.program.errorsSoFar)")
        #expect(eventually(within: 2) { manager.status?.hasPrefix("closed until ") == true })
        print(
            """
            closed: \(idle * 100) % of a processor of 1 GHz; playing: \(playing * 100) %; open \(opened) s after the clock was \
            set; \(gaps(manager))
            """)
        #expect(idle < 0.005)
        expectAService(house)
        expectAnEnd(house)
    }

    /// A file that needs another session: it begins at frame 0, which is no rendering that stands still.
    @Test(.timeLimit(.minutes(5))) func anotherSessionStarvesNobody() throws {
        let house = try ServedInstallation(), manager = house.manager
        expectMusic(try house.readings(for: 3), "before")
        for (turn, buttons) in ["any", "[Nobody]", "any"].enumerated() {
            house.folder.add("house.yaml", Array((house.text + "buttons: \(buttons)\n").utf8))
            kill(house.program.id, SIGHUP)
            #expect(eventually(within: 5) { manager.count(of: "READY=1") == turn + 2 }, "\(house.program.errorsSoFar)")
            #expect(eventually(within: 5) { house.program.errorsSoFar.count(of: "event=resumed") == turn + 1 })
            usleep(1_000_000)
            expectMusic(try house.readings(for: 3), "session \(turn)")
        }
        #expect(manager.count(of: "RELOADING=1") == 3 && !house.program.errorsSoFar.contains("event=watchdog"))
        let names = TemporaryFolder.names(in: house.folder.file("state"))
        #expect(!names.contains { $0.hasPrefix("black-box-") }, "\(names)")
        expectFood(manager)
        expectAnEnd(house)
    }

    // MARK: - What is expected of it at all times

    /// The notes are those of the score, something is heard, and the device runs.
    private func expectMusic(_ readings: [HouseReading], _ name: String) {
        #expect(readings.allSatisfy { $0.device == "running" && $0.isPlaying }, "\(name): \(readings.map(\.device))")
        let faults = readings.compactMap(\.fault)
        #expect(faults.isEmpty, "\(name): \(faults)")
        #expect(Set(readings.map(\.keys.isEmpty)).count == 2, "\(name): notes come and go")
        #expect(readings.map(\.level).max() ?? -.infinity > -40, "\(name): something is heard")
    }

    /// One process, ready once, fed in time.
    private func expectAService(_ house: ServedInstallation) {
        let messages = house.manager.messages
        #expect(!house.program.hasEnded)
        #expect(Set(messages.map(\.process)) == [house.program.id])
        #expect(house.manager.count(of: "READY=1") == 1)
        expectFood(house.manager)
    }

    private func expectFood(_ manager: NotifySocket) {
        let feeds = manager.feeds
        #expect(zip(feeds.dropFirst(), feeds).allSatisfy { $0 - $1 < ServedInstallation.patience }, "\(gaps(manager))")
        #expect(monotonic() - (feeds.last ?? 0) < ServedInstallation.patience)
    }

    /// The program ends when it is told to.
    private func expectAnEnd(_ house: ServedInstallation) {
        kill(house.program.id, SIGTERM)
        let run = house.program.end()
        #expect(run.exitCode == 0, "\(run.errors)")
        #expect(eventually(within: 1) { house.manager.count(of: "STOPPING=1") == 1 })
    }

    private func gaps(_ manager: NotifySocket) -> String {
        let feeds = manager.feeds, gaps = zip(feeds.dropFirst(), feeds).map { $0 - $1 }
        return "fed \(feeds.count) times, \(gaps.min() ?? 0) to \(gaps.max() ?? 0) s apart"
    }

    private func processorShare(_ house: ServedInstallation, for seconds: Double) -> Double {
        let before = StoppedThread.processorSeconds(of: house.program.id), begin = monotonic()
        usleep(UInt32(seconds * 1e6))
        return (StoppedThread.processorSeconds(of: house.program.id) - before) / (monotonic() - begin)
    }
}
