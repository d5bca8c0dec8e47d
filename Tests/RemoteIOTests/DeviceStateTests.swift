import Testing

@testable import RemoteIO

@Suite struct DeviceStateTests {
    static let events: [DeviceEvent] = [
        .start, .opened, .stillOpening, .openFailed(19), .openFailed(16), .started, .wrote, .preferred(0), .preferred(5),
        .xrun(.driver),
        .xrun(.wokeLate),
        .xrun(.renderLate), .prepared, .prepareFailed(77), .suspended, .resumed, .stillSuspended, .resumeFailed(38),
        .gone(19), .stalled, .tick, .stop,
    ]
    /// What may come of each effect that is awaited.
    static func answers(_ effect: DeviceEffect) -> [DeviceEvent] {
        switch effect {
        case .open: [.opened, .stillOpening, .openFailed(19), .openFailed(16), .stop]
        case .start, .restart: [.started, .xrun(.driver), .suspended, .gone(19), .stalled, .stop]
        case .prepare: [.prepared, .prepareFailed(19), .stop]
        case .resume: [.resumed, .stillSuspended, .resumeFailed(38), .stop]
        case .awaitSubstitute: [.tick, .stop]
        case .serveDevice: [.wrote, .preferred(0), .xrun(.wokeLate), .suspended, .gone(19), .stalled, .stop]
        default: []
        }
    }
    static func isAwaited(_ effect: DeviceEffect) -> Bool { !answers(effect).isEmpty || effect == .finish }

    /// A state that can be reached, with the last effect it answered.
    private struct Reached {
        var state: DeviceState
        var last: DeviceEffect
        var depth: Int
    }

    /// Every state that a driver that keeps to the rules can reach within `depth` events, but for counts and clock.
    private static func reachable(devices: Int, depth: Int) -> [Reached] {
        var seen: Set<String> = [], found: [Reached] = []
        var state = DeviceState(deviceCount: devices)
        let first = state.handle(.start, at: 0)
        var queue = [Reached(state: state, last: first[first.count - 1], depth: 0)]
        while let next = queue.popLast() {
            let key = "\(next.state.phase) \(next.state.device) \(next.last) \(next.state.nextAttempt / 10_000_000) \(next.depth)"
            if !seen.insert(key).inserted { continue }
            found.append(next)
            if next.depth == depth { continue }
            for answer in answers(next.last) {
                var state = next.state
                let effects = state.handle(answer, at: Int64(next.depth + 1) * 20_000_000)
                queue.append(Reached(state: state, last: effects[effects.count - 1], depth: next.depth + 1))
            }
        }
        return found
    }

    @Test(arguments: [0, 1, 2, 3]) func everyStateAnswersEveryEventWithSomethingToAwait(_ devices: Int) {
        let states = Self.reachable(devices: devices, depth: 9)
        let phases = Set(states.map(\.state.phase))
        print("\(devices) devices: \(states.count) states, phases \(phases.map(\.description).sorted())")
        #expect(
            phases.isSuperset(
                of: devices == 0
                    ? [.null, .stopped]
                    : [
                        .opening, .starting, .running, .recovering, .suspended, .lost, .stopped,
                    ]))
        for reached in states + [Reached(state: DeviceState(deviceCount: devices), last: .finish, depth: 0)] {
            for event in Self.events {
                var state = reached.state
                let effects = state.handle(event, at: 1_000_000_000)
                let last = effects[effects.count - 1]
                #expect(Self.isAwaited(last), "\(reached.state.phase) \(event) -> \(last)")
                for index in 0..<(effects.count - 1) {
                    #expect(!Self.isAwaited(effects[index]), "\(reached.state.phase) \(event): two things to await")
                }
                if case .open(let index) = last { #expect(index < devices) }
                if event == .stop { #expect(state.phase == .stopped && last == .finish) }
                // The device is let go of before another is opened, and whenever it is lost.
                if reached.state.phase == .running, [.lost, .opening].contains(state.phase) { #expect(effects[0] == .close) }
                #expect(state.counts.unexpected - reached.state.counts.unexpected <= 1)
            }
        }
    }

    @Test(arguments: [0, 1, 2, 3]) func aDriverThatKeepsToTheRulesNeverMeetsTheUnexpected(_ devices: Int) {
        for reached in Self.reachable(devices: devices, depth: 9) { #expect(reached.state.counts.unexpected == 0) }
    }

    /// However a device misbehaves, the substitute clock is waited for, or a slice is written, every few steps: the
    /// longest chain of answers that may come at once is finite, and short.
    @Test(arguments: [1, 2, 3]) func nothingSpins(_ devices: Int) {
        var chains: [String: Int] = [:]
        func chain(_ state: DeviceState, _ last: DeviceEffect, _ length: Int) -> Int {
            if last == .awaitSubstitute || last == .finish { return 0 }
            let key = "\(state.phase) \(state.device) \(state.xrunsInARow) \(last)"
            if let known = chains[key] { return known }
            if length > 200 { return 1_000_000 }
            var longest = 0
            for answer in Self.answers(last) where answer != .wrote && answer != .preferred(0) {
                var next = state
                let effects = next.handle(answer, at: 0)
                longest = max(longest, 1 + chain(next, effects[effects.count - 1], length + 1))
            }
            chains[key] = longest
            return longest
        }
        let longest = Self.reachable(devices: devices, depth: 9).map { chain($0.state, $0.last, 0) }.max() ?? 0
        print("\(devices) devices: at most \(longest) answers in a row without a wait")
        #expect(longest > 3 && longest <= 40)
    }

    @Test(arguments: [1, 2, 3, 5, 12, 40]) func everyDeviceOfTheListIsTriedWithinASecond(_ devices: Int) {
        var state = DeviceState(deviceCount: devices)
        _ = state.handle(.start, at: 0)
        _ = state.handle(.opened, at: 0)
        _ = state.handle(.started, at: 0)
        _ = state.handle(.wrote, at: 0)
        _ = state.handle(.gone(19), at: 0)
        var last: [Int: Int64] = [:]
        var worst: Int64 = 0, tries = 0
        // Ten seconds of slices of 5 ms.
        for tick in 1...2000 {
            let now = Int64(tick) * 5_000_000
            let effects = state.handle(.tick, at: now)
            #expect(effects[0] == .pullSubstitute)
            if case .open(let index) = effects[effects.count - 1] {
                worst = max(worst, now - (last[index] ?? 0))
                last[index] = now
                tries += 1
                #expect(state.handle(.openFailed(19), at: now)[0] == .awaitSubstitute)
            }
        }
        #expect(last.count == devices)
        #expect(worst <= 900_000_000, "\(worst / 1_000_000) ms")
        // Not more often than needed: ten times a second for one device.
        #expect(tries <= max(60, devices * 60))
        #expect(state.counts.substituteSlices == 2000 && state.counts.failedOpens == tries)
    }

    /// Drives a list in which `fails` says what becomes of a device that was opened, nil for one that plays. Returns
    /// which device plays in the end, and every attempt.
    private static func drive(
        devices: Int, seconds: Int, fails: (Int) -> DeviceEvent?
    ) -> (state: DeviceState, attempts: [(time: Int64, device: Int)]) {
        var state = DeviceState(deviceCount: devices), attempts: [(time: Int64, device: Int)] = []
        var effects = state.handle(.start, at: 0), now: Int64 = 0
        while now < Int64(seconds) * 1_000_000_000 {
            var event = DeviceEvent.tick
            switch effects[effects.count - 1] {
            case .open(let index):
                attempts.append((now, index))
                event = .opened
            case .start: event = fails(state.device).flatMap { $0 == .stalled ? .started : $0 } ?? .started
            case .prepare: event = .prepared
            case .restart: event = .started
            case .serveDevice:
                let trouble = fails(state.device)
                // A device that does not move is noticed after half a second.
                now += trouble == .stalled ? 500_000_000 : 5_000_000
                event = trouble ?? .wrote
            default: now += 5_000_000
            }
            effects = state.handle(event, at: now)
        }
        return (state, attempts)
    }

    @Test(arguments: [DeviceEvent.gone(5), .stalled, .xrun(.driver)], [2, 3, 5])
    func aDeviceThatOpensButDoesNotPlayGivesWayToTheNextOfTheList(_ trouble: DeviceEvent, _ devices: Int) {
        // The last of the list plays, the others open and fail.
        let (state, attempts) = Self.drive(devices: devices, seconds: 10) { $0 < devices - 1 ? trouble : nil }
        #expect(state.phase == .running && state.device == devices - 1)
        #expect(attempts.map(\.device) == Array(0..<devices))
        #expect(state.counts.losses == devices - 1 && state.counts.unexpected == 0)
    }

    @Test(arguments: [DeviceEvent.gone(5), .stalled, .xrun(.driver)], [1, 2, 3, 5])
    func devicesOfWhichNonePlaysAreTriedInTurnWithGrowingPauses(_ trouble: DeviceEvent, _ devices: Int) {
        let (state, attempts) = Self.drive(devices: devices, seconds: 20) { _ in trouble }
        #expect(state.counts.unexpected == 0 && attempts.count > 2 * devices)
        for (index, attempt) in attempts.enumerated() { #expect(attempt.device == index % devices) }
        let pauses = zip(attempts.dropFirst(), attempts).map { $0.0.time - $0.1.time }
        for (next, pause) in zip(pauses.dropFirst(), pauses) { #expect(next >= pause) }
        #expect(pauses[0] < pauses[pauses.count - 1])
        let longest = DeviceState.longestPause / Int64(devices)
        #expect(pauses[pauses.count - 1] >= longest && pauses[pauses.count - 1] <= longest + 600_000_000)
    }

    @Test(arguments: [1, 2, 3]) func aDeviceThatHasPlayedIsTriedAgainFirst(_ devices: Int) {
        for played in [Int64(900_000_000), 1_000_000_000, 3_600_000_000_000] {
            var state = DeviceState(deviceCount: devices)
            for event in [DeviceEvent.start, .opened, .started, .wrote] { _ = state.handle(event, at: 7) }
            _ = state.handle(.wrote, at: 7 + played)
            // It stands still for long before it is given up, which does not count as playing.
            #expect(state.handle(.stalled, at: 7 + played + 60_000_000_000)[0] == .close)
            #expect(state.device == (played >= 1_000_000_000 ? 0 : 1 % devices))
            // Having played, lost, and opening without playing, it gives way.
            while state.phase == .lost { _ = state.handle(.tick, at: state.nextAttempt) }
            let tried = state.device
            _ = state.handle(.opened, at: 1 << 50)
            _ = state.handle(.gone(5), at: 1 << 50)
            #expect(state.device == (tried + 1) % devices)
        }
    }

    @Test func aLostDeviceThatTakesItsTimeToOpenIsLookedAtAgainAndNoOtherIsTried() {
        var state = DeviceState(deviceCount: 2)
        for event in [DeviceEvent.start, .opened, .started, .wrote, .gone(19)] { _ = state.handle(event, at: 0) }
        var now = state.nextAttempt
        #expect(state.handle(.tick, at: now) == DeviceEffects(.pullSubstitute, .fadeIn, .open(1)))
        for _ in 0..<100 {
            #expect(state.handle(.stillOpening, at: now) == DeviceEffects(.awaitSubstitute) && state.phase == .lost)
            #expect(state.handle(.tick, at: now + 1) == DeviceEffects(.pullSubstitute, .awaitSubstitute))
            now += DeviceState.openingPause
            #expect(state.handle(.tick, at: now) == DeviceEffects(.pullSubstitute, .fadeIn, .open(1)))
        }
        #expect(state.handle(.opened, at: now) == DeviceEffects(.start))
        #expect(state.counts.failedOpens == 0 && state.counts.unexpected == 0 && state.counts.losses == 1)
    }

    @Test func aSwitchToADeviceThatTakesItsTimeToOpenIsNoLoss() {
        var state = DeviceState(deviceCount: 2, first: 1)
        for event in [DeviceEvent.start, .opened, .started, .wrote] { _ = state.handle(event, at: 0) }
        let switching = DeviceEffects(.close, .beginSubstitute, .fadeIn, .open(0))
        #expect(state.handle(.preferred(0), at: 0) == switching)
        for now in stride(from: Int64(0), to: 50_000_000, by: 5_000_000) {
            #expect(state.handle(.stillOpening, at: now) == DeviceEffects(.awaitSubstitute) && state.phase == .opening)
            #expect(state.handle(.tick, at: now + 1) == DeviceEffects(.pullSubstitute, .awaitSubstitute))
            #expect(state.handle(.tick, at: now + 5_000_000) == DeviceEffects(.pullSubstitute, .open(0)))
        }
        #expect(state.handle(.openFailed(19), at: 50_000_000) == DeviceEffects(.awaitSubstitute) && state.phase == .lost)
        #expect(state.counts.losses == 0 && state.counts.unexpected == 0 && state.device == 1)
    }

    @Test func theLifeOfADeviceThatVanishesAndReturns() {
        var state = DeviceState(deviceCount: 1)
        #expect(state.handle(.start, at: 0) == DeviceEffects(.beginSubstitute, .open(0)))
        #expect(state.handle(.opened, at: 0) == DeviceEffects(.start))
        #expect(state.handle(.started, at: 0) == DeviceEffects(.serveDevice))
        #expect(state.handle(.wrote, at: 0) == DeviceEffects(.serveDevice))
        #expect(state.handle(.xrun(.wokeLate), at: 0) == DeviceEffects(.prepare))
        #expect(state.handle(.prepared, at: 0) == DeviceEffects(.fadeIn, .restart))
        #expect(state.handle(.started, at: 0) == DeviceEffects(.serveDevice))
        #expect(state.handle(.gone(19), at: 0) == DeviceEffects(.close, .beginSubstitute, .awaitSubstitute))
        #expect(state.phase == .lost && state.lastCode == 19 && state.isSubstituted)
        #expect(state.handle(.tick, at: 10_000_000) == DeviceEffects(.pullSubstitute, .awaitSubstitute))
        #expect(state.handle(.tick, at: 50_000_000) == DeviceEffects(.pullSubstitute, .fadeIn, .open(0)))
        #expect(state.handle(.opened, at: 50_000_000) == DeviceEffects(.start))
        #expect(state.counts.wokeLate == 1 && state.counts.losses == 1 && state.counts.returns == 1)
    }

    @Test func aSystemThatSleepsAndWakes() {
        var state = DeviceState(deviceCount: 1)
        for event in [DeviceEvent.start, .opened, .started, .wrote] { _ = state.handle(event, at: 0) }
        #expect(state.handle(.suspended, at: 0) == DeviceEffects(.beginSubstitute, .awaitSubstitute))
        #expect(state.handle(.tick, at: 10_000_000) == DeviceEffects(.pullSubstitute, .awaitSubstitute))
        #expect(state.handle(.tick, at: 60_000_000) == DeviceEffects(.pullSubstitute, .resume))
        #expect(state.handle(.stillSuspended, at: 60_000_000) == DeviceEffects(.awaitSubstitute))
        #expect(state.handle(.tick, at: 200_000_000) == DeviceEffects(.pullSubstitute, .resume))
        #expect(state.handle(.resumeFailed(38), at: 200_000_000) == DeviceEffects(.prepare))
        #expect(state.handle(.prepared, at: 200_000_000) == DeviceEffects(.fadeIn, .start))
        #expect(state.counts.suspends == 1)
    }

    @Test func theFirstOfTheListIsTakenAgainWhenItIsBack() {
        var state = DeviceState(deviceCount: 3, first: 2)
        for event in [DeviceEvent.start, .opened, .started, .wrote] { _ = state.handle(event, at: 0) }
        #expect(state.device == 2 && state.phase == .running)
        #expect(state.handle(.preferred(2), at: 0) == DeviceEffects(.serveDevice))
        #expect(state.handle(.preferred(1), at: 0) == DeviceEffects(.close, .beginSubstitute, .fadeIn, .open(1)))
        #expect(state.handle(.opened, at: 0) == DeviceEffects(.start))
        #expect(state.device == 1 && state.counts.switches == 1 && state.counts.losses == 0)
        // And if it was not back after all, the others follow.
        _ = state.handle(.started, at: 0)
        _ = state.handle(.preferred(0), at: 0)
        #expect(state.handle(.openFailed(16), at: 0) == DeviceEffects(.awaitSubstitute))
        #expect(state.handle(.tick, at: 100_000_000) == DeviceEffects(.pullSubstitute, .fadeIn, .open(1)))
    }

    @Test func aDeviceThatOnlyRunsDryIsLostInTheEnd() {
        var state = DeviceState(deviceCount: 1)
        for event in [DeviceEvent.start, .opened, .started] { _ = state.handle(event, at: 0) }
        for _ in 0..<8 {
            #expect(state.handle(.xrun(.driver), at: 0) == DeviceEffects(.prepare))
            _ = state.handle(.prepared, at: 0)
            _ = state.handle(.started, at: 0)
        }
        #expect(state.handle(.xrun(.driver), at: 0)[0] == .close)
        #expect(state.phase == .lost)
    }
}

@Suite struct XrunCauseTests {
    @Test func theCauseIsTheOneThatUsedUpTheBuffer() {
        func judge(_ render: Int64, _ lateness: Int64) -> XrunCause {
            .judge(render: render, lateness: lateness, period: 10, inHand: 10)
        }
        #expect(judge(11, 0) == .renderLate)
        #expect(judge(11, 50) == .renderLate)
        #expect(judge(3, 11) == .wokeLate)
        #expect(judge(2, 3) == .driver)
        #expect(judge(0, 0) == .driver)
        #expect(XrunCause.judge(render: 35, lateness: 18, period: 40, inHand: 40) == .renderLate)
        #expect(XrunCause.judge(render: 18, lateness: 35, period: 40, inHand: 40) == .wokeLate)
        #expect(XrunCause.judge(render: 0, lateness: 6, period: 10, inHand: 0) == .wokeLate)
    }
}
