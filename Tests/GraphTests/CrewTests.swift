import Glibc
import MIDI
import RealtimeCore
import Synchronization
import Testing

@testable import CarillonTestKit
@testable import Graphs
@testable import UnitAPI

/// A plan that several threads walk, and units whose work is dealt into shares: nobody can hear either.
@Suite struct CrewTests {
    /// A choir, stairs and four counting units behind them, two in a row and two beside each other.
    private func rig(threads: Int) throws -> (rig: OfflineRig, choir: NodeID) {
        // Several threads render up to sixteen slices in one go.
        let rig = OfflineRig(maximumFrames: 50, threads: threads, pull: 1024)
        let choir = try rig.add(ChoirUnit.self), stairs = try rig.add(StairsUnit.self)
        let late = try rig.add(LateUnit.self), sum = try rig.add(CountingUnit.self, name: "sum")
        let beside = try rig.add(CountingUnit.self, name: "beside")
        try rig.graph.connect(choir, to: late)
        try rig.graph.connect(stairs, to: late)
        try rig.graph.connect(choir, to: beside)
        try rig.graph.connect(late, to: sum)
        try rig.graph.connect(beside, to: sum)
        try rig.graph.setOutput(sum)
        for part in 0..<3 { try rig.graph.route(part: part, to: part == 1 ? stairs : choir) }
        try rig.publish()
        return (rig, choir)
    }

    @Test(arguments: [UInt64(1), 2, 3]) func anImprovisationIsTheSameOnEveryNumberOfThreads(_ seed: UInt64) throws {
        var takes: [[[Float]]] = []
        for threads in [1, 2, 3, 5] {
            let (rig, choir) = try rig(threads: threads)
            _ = rig.improvise(seed: seed, frames: 20_000, node: choir, parameter: (0, 0...4))
            #expect(rig.violations.total == 0, "\(rig.violations)")
            takes.append(rig.recording)
        }
        #expect(takes[0][0].contains { $0 != 0 })
        for take in takes.dropFirst() { #expect(firstDifference(takes[0], take) == nil) }
    }

    @Test func helpersThatSleepAreWokenForTheNextRound() throws {
        var takes: [[Float]] = []
        for helpers in [0, 1, 3] {
            let (rig, choir) = try rig(threads: 1), hands = HelpingHands(helpers)
            let block = AudioBuffer(channels: 2, capacity: 800)
            var take: [Float] = []
            for number in 0..<150 {
                // Short rounds and long ones, some of them while all sleep.
                let frames = [50, 800, 300][number % 3]
                rig.send(.note(velocity: UInt8(1 + number % 100), key: UInt8(40 + number % 60)), to: choir, at: number * 7)
                if number % 2 == 0 { while hands.crew.rounds.sleepers < helpers { sched_yield() } }
                _ = rig.renderer.render(
                    into: AudioBlock(block.channels, channelCount: 2, frames: frames), with: .passUnretained(hands.crew))
                take += UnsafeBufferPointer(start: block.channels[0], count: frames)
            }
            let violations = hands.stop()
            #expect(violations.total == 0, "\(violations)")
            takes.append(take)
        }
        #expect(takes[0].contains { $0 != 0 })
        #expect(takes[1] == takes[0] && takes[2] == takes[0])
    }

    @Test func whoeverIsDismissedGoesWhetherItSleepsOrNot() {
        for isAsleep in [true, false] {
            let hands = HelpingHands(3)
            if isAsleep { while hands.crew.rounds.sleepers < 3 { sched_yield() } }
            #expect(hands.stop().total == 0)
        }
    }

    /// Nanoseconds that a unit in the middle of a chain takes for each slice, and what the plan of it makes of them.
    private func isShared(_ nanoseconds: [Int64], sources: Int = 1) throws -> [Bool] {
        let rig = OfflineRig(maximumFrames: 64)
        let sum = try rig.add(CountingUnit.self)
        for index in 0..<sources {
            try rig.graph.connect(try rig.add(StairsUnit.self, name: "source \(index)"), to: sum)
        }
        try rig.graph.setOutput(sum)
        let compiled = try GraphCompiler.compile(rig.graph)
        defer { withExtendedLifetime(compiled) {} }
        let weights = compiled.ticket.pointee.settled.first.queue.weights
        var seen = [weights.isShared]
        for slices in [1, 15, 1] {
            weights.begin(slices)
            if weights.start() != 0 {
                for (step, taken) in nanoseconds.enumerated() { weights.add(step, since: weights.start() - taken) }
            }
            weights.end(slices)
            seen.append(weights.isShared)
        }
        return seen
    }

    @Test func whereOneUnitDoesNearlyAllTheWorkNobodyHelpsIt() throws {
        #expect(try isShared([9_000_000, 800_000]) == [false, false, false, false])
        #expect(try isShared([9_000_000, 6_000_000]) == [false, true, true, true], "an effect behind it costs enough")
        #expect(try isShared([900, 600]) == [false, false, false, false], "nothing costs anything")
        #expect(try isShared([9_000_000, 0], sources: 2) == [true, true, true, true], "sound begins in two places")
    }

    @Test func sharesTogetherSoundLikeTheWhole() throws {
        var takes: [[[Float]]] = []
        for isChoir in [false, true] {
            let rig = OfflineRig()
            let node = isChoir ? try rig.add(ChoirUnit.self) : try rig.add(StairsUnit.self)
            try rig.graph.setOutput(node)
            try rig.publish()
            for n in 0..<40 { rig.send(.note(velocity: UInt8(1 + n), key: UInt8(40 + n)), to: node, at: n * 37) }
            rig.render(2_000, block: 300)
            takes.append(rig.recording)
            if isChoir {
                let choir = try rig.graph.node(node).instance
                #expect(choir.shares.count == 3)
                #expect(choir.readout("notes") == 40, "what the shares show is added up")
                #expect(takes[0][1].elementsEqual(takes[1][1].map { -$0 }))
            }
        }
        #expect(takes[0][0] == takes[1][0])
    }

    @Test func whatIsSaidToAUnitIsSaidToAllItsShares() throws {
        let rig = OfflineRig()
        let node = try rig.add(ChoirUnit.self)
        try rig.graph.setOutput(node)
        try rig.publish()
        for key in UInt8(60)..<64 { rig.send(.note(key: key), to: node, at: 0) }
        rig.set(ChoirUnit.Parameter.factor, 3, of: node, at: 100)
        rig.render(9_000)
        #expect(rig.recording[0][50] == 4)
        #expect(rig.recording[0][8_000] == 12, "each share's parameter has moved")
        #expect(try !rig.graph.node(node).instance.isAtRest)
    }

    @Test func aUnitIsAtRestWhenAllItsSharesAre() throws {
        let rig = OfflineRig()
        let node = try rig.add(ChoirUnit.self)
        try rig.graph.setOutput(node)
        try rig.publish()
        rig.render(64)
        let choir = try rig.graph.node(node).instance
        #expect(choir.isAtRest)
        rig.send(.note(key: 63), to: node, at: 64)
        rig.render(64)
        #expect(!choir.isAtRest, "the last share sounds")
    }

    @Test(arguments: [1, 3]) func aShareThatGivesNoNumbersIsMutedAndNamedAsItsUnit(_ threads: Int) throws {
        let rig = OfflineRig(maximumFrames: 64, threads: threads, pull: 192)
        let node = try rig.add(ChoirUnit.self)
        try rig.graph.setOutput(node)
        try rig.publish()
        rig.send(.note(velocity: 5, key: 60), to: node, at: 0)
        rig.send(.note(velocity: 127, key: 63), to: node, at: 100)
        rig.render(192, block: 192)
        #expect(rig.recording[0][..<128].allSatisfy { $0 == 5 })
        let fault = try #require(rig.renderer.nextFault())
        #expect(fault.node == node && fault.time == SampleTime(64))
        #expect(rig.renderer.nextFault() == nil)
        #expect(try rig.graph.node(node).instance.faults == 1)
        #expect(rig.violations.total == 0, "\(rig.violations)")
    }

    @Test(arguments: [1, 3]) func whereOneShareHadToStartAfreshAllDo(_ threads: Int) throws {
        let rig = OfflineRig(maximumFrames: 64, threads: threads, pull: 320)
        let node = try rig.add(ChoirUnit.self)
        try rig.graph.setOutput(node)
        try rig.publish()
        for key in UInt8(60)..<64 { rig.send(.note(velocity: 5, key: key), to: node, at: 0) }
        rig.send(.note(velocity: 127, key: 63), to: node, at: 100)
        rig.send(.note(velocity: 1, key: 63), to: node, at: 130)
        rig.render(320, block: 320)
        #expect(rig.recording[0][..<64].allSatisfy { $0 == 20 })
        #expect(rig.recording[0][64..<130].allSatisfy { $0 == 15 }, "the others are heard, and may be a slice ahead")
        #expect(rig.recording[0][130..<192].allSatisfy { $0 == 16 })
        #expect(rig.recording[0][192...].allSatisfy { $0 == 0 }, "then all are as new, at the same time")
    }

    @Test func whoCannotHelpSaysSo() throws {
        let crew = RenderCrew()
        #expect(!crew.help(), "no round is open")
    }

    @Test func aUnitThatLeavesFadesWithAllItsShares() throws {
        let rig = OfflineRig()
        let choir = try rig.add(ChoirUnit.self), sum = try rig.add(CountingUnit.self)
        try rig.graph.connect(choir, to: sum)
        try rig.graph.setOutput(sum)
        try rig.publish()
        for key in UInt8(60)..<64 { rig.send(.note(key: key), to: choir, at: 0) }
        rig.render(512)
        try rig.graph.remove(choir)
        try rig.publish()
        rig.render(1_024)
        let sound = rig.recording[0]
        #expect(sound[511] == 4 && sound[1_200] == 0)
        let steps = zip(sound[512...], sound[513...]).map { abs($1 - $0) }
        #expect((steps.max() ?? 1) < 4.0 / 200, "it fades, and no share of it ends at once")
    }

    @Test func theTimeOfAllSharesIsTheUnits() throws {
        let rig = OfflineRig()
        let node = try rig.add(ChoirUnit.self)
        try rig.graph.setOutput(node)
        try rig.publish()
        let choir = try rig.graph.node(node).instance
        choir.measureTime()
        rig.send(.note(), to: node, at: 0)
        rig.render(6_400, block: 64)
        #expect(choir.renderTime?.summary.count == 100, "a slice counts once")
    }

    @Test func aStepWaitsForItsSourcesAndForThoseThatStillReadItsBuffers() throws {
        let (rig, _) = try rig(threads: 1)
        let compiled = try GraphCompiler.compile(rig.graph)
        defer { withExtendedLifetime(compiled) {} }
        let plan = compiled.ticket.pointee.settled.first, slices = 5, count = plan.steps.count
        #expect(count == 10, "four shares, where they are added up, four units and the outside")
        plan.queue.open(plan.steps, slices: slices)
        func sources(_ index: Int) -> Set<Int> {
            let inlets = (0..<plan.steps[index].ports.pointee.inputCount).map { plan.steps[index].inlets[$0] }
            return Set(inlets.flatMap { plan.feeds[$0.firstFeed..<$0.firstFeed + $0.feedCount].map { Int($0.sourceStep) } })
        }
        var done: Set<Int> = []
        var task = plan.queue.take()
        while task >= 0 {
            let slice = task / count, index = task % count
            #expect(sources(index).allSatisfy { done.contains(slice * count + $0) }, "\(task) before its sources")
            if slice > 0 {
                #expect(done.contains(task - count), "\(task) before itself in the slice before")
            }
            if slice > 1 {
                // It has two sets of buffers.
                let former = (slice - 2) * count
                for reader in 0..<count where sources(reader).contains(index) {
                    #expect(done.contains(former + reader), "\(task) before \(former + reader) has read")
                }
            }
            #expect(done.insert(task).inserted)
            task = plan.queue.finish(task, plan)
            if task < 0 { task = plan.queue.take() }
        }
        #expect(done.count == count * slices)
    }

    @Test func eachStepIsUpToTwoSlicesAheadOfThoseThatReadIt() throws {
        let (rig, choir) = try rig(threads: 1)
        let compiled = try GraphCompiler.compile(rig.graph)
        defer { withExtendedLifetime(compiled) {} }
        let plan = compiled.ticket.pointee.settled.first, count = plan.steps.count
        plan.queue.open(plan.steps, slices: 8)
        var waiting: [Int] = [], done: Set<Int> = []
        func look() {
            let ends = plan.queue.ends
            while ends.pointee.taken.load(ordering: .relaxed) < ends.pointee.filled.load(ordering: .relaxed) {
                waiting.append(plan.queue.take())
            }
        }
        look()
        while let task = waiting.popLast() {
            // Somebody takes for ever over what leads outside.
            if task < count,
                (0..<Int(plan.steps[task].followerCount)).contains(where: {
                    Int(plan.followers[Int(plan.steps[task].firstFollower) + $0]) == plan.outside
                })
            {
                continue
            }
            done.insert(task)
            let next = plan.queue.finish(task, plan)
            if next >= 0 { waiting.append(next) }
            look()
        }
        let share = plan.step(of: choir)
        for slice in 0..<8 {
            let sung = (share..<share + 4).map { done.contains(slice * count + $0) }
            // Ahead of what it is added up in, which is ahead of the effects.
            #expect(sung == Array(repeating: slice < 4, count: 4), "the choir in slice \(slice)")
        }
        #expect(!done.contains(plan.outside) && !done.contains(count + plan.outside))
    }
}
