import Carillon
import CarillonTestKit
import Graphs
import MIDI
import Patches
import RealtimeCore
import RemoteIO
import Testing
import UnitAPI
import Units

@testable import EngineCore
@testable import Sessions
@testable import SongRendering

/// What was heard while the graph was edited can be made again from its journal, bit for bit.
@Suite struct EditJournalTests {
    @Test(arguments: 1...5) func aJournalWithTwoHundredLiveEditsReplaysToTheSameSamples(_ seed: Int) throws {
        var evening = try Evening(seed: UInt64(seed))
        while evening.editCount < 200 { try evening.edit() }
        try evening.play(frames: 20_000)
        let journal = try Journal(text: evening.journal().text, path: "evening")
        #expect(journal.edits.count == evening.editCount)
        var left: [Float] = []
        try JournalRenderer(journal).render { (channels, frames) throws(AudioFileError) in
            left += UnsafeBufferPointer(start: channels[0], count: frames)
        }
        #expect(left.count == evening.heard.count)
        let difference = zip(left, evening.heard).enumerated().first { $0.element.0 != $0.element.1 }
        #expect(difference == nil, "frame \(difference?.offset ?? 0) of \(left.count)")
        #expect(evening.heard.contains { abs($0) > 0.01 })
    }
}

/// A session without a device in which somebody changes the graph all the time.
private struct Evening {
    private let engine: Engine
    private let output: OfflineOutput
    private var random: SeededRandom
    private let setup: Patch
    private var entries: [Journal.Entry] = [], edits: [Journal.Edit] = []
    private var names: [NodeID: String] = [:]
    private var chain: [NodeID]
    private var next = 0
    var heard: [Float] = []
    var editCount: Int { edits.count }

    init(seed: UInt64) throws {
        random = SeededRandom(seed: seed)
        var options = LiveOptions()
        options.instrument = .squareWave
        let stage = try PatchStage(options, PreparedPatch(options, parts: [0], songs: nil))
        (engine, chain) = (stage.engine, [stage.graph.mixer, stage.graph.limiter])
        setup = engine.beginJournal()
        output = try OfflineOutput(renderer: engine.renderer, maximumFrames: engine.maximumFrames)
    }

    func journal() -> Journal {
        var journal = Journal()
        journal.setup = Journal.Setup(patch: setup)
        (journal.entries, journal.edits) = (entries, edits)
        journal.end = engine.renderer.sampleTime
        return journal
    }

    /// One change of the graph, and what a player does meanwhile.
    mutating func edit() throws {
        for node in engine.graph.nodes { names[node.id] = node.name }
        let key = UInt8.random(in: 48...72, using: &random)
        // Messages of songs move reverb and chorus meanwhile, those that have been inserted too.
        if Int.random(in: 0..<3, using: &random) == 0, let effect = EffectParameter.allCases.randomElement(using: &random) {
            try engine.send(.effect(effect.value(of: UInt8.random(in: 0...127, using: &random)), of: effect, port: 0))
        }
        if Int.random(in: 0..<20, using: &random) == 0 { try engine.send(.reset(.gs, port: 0)) }
        let note = MIDIMessage(status: Bool.random(using: &random) ? 0x90 : 0x80, data1: key, data2: 100)
        try engine.send(.message(note))
        let extra = Array(chain.dropFirst().dropLast())
        switch Int.random(in: 0..<7, using: &random) {
        case 0, 1: try insert()
        case 2: if let node = extra.randomElement(using: &random) { try remove(node) }
        case 3:
            if let node = extra.randomElement(using: &random) {
                let isBypassed = try engine.graph.node(node).isBypassed
                try engine.edit { (graph) throws(Fault) in try graph.bypass(node, !isBypassed) }
            }
        case 4:
            let output = Bool.random(using: &random) ? chain[chain.count - 1] : chain[0]
            try engine.edit { (graph) throws(Fault) in try graph.setOutput(output) }
        case 5: try engine.set("mixer.volume=\(Int.random(in: -12...0, using: &random)) dB")
        default: try engine.set("strip-1.pan=\(Int.random(in: -100...100, using: &random))")
        }
        try play(frames: Int.random(in: 1...900, using: &random))
        if Int.random(in: 0..<5, using: &random) == 0 { try engine.maintain() }
    }

    private mutating func insert() throws {
        let place = Int.random(in: 0..<chain.count - 1, using: &random)
        let (before, after) = (chain[place], chain[place + 1])
        let kind = ["reverb", "chorus", "limiter"][Int.random(in: 0..<3, using: &random)]
        next += 1
        let instance = try #require(UnitCatalog.named(kind)).make(
            UnitSetup(sampleRate: 48_000, maximumFrames: engine.maximumFrames))
        let name = "extra-\(next)"
        let node = try engine.edit { (graph) throws(Fault) in
            let node = try graph.add(instance, name: name)
            try graph.disconnect(before, from: after)
            try graph.connect(before, to: node)
            try graph.connect(node, to: after)
            return node
        }
        chain.insert(node, at: place + 1)
        names[node] = name
    }

    private mutating func remove(_ node: NodeID) throws {
        guard let place = chain.firstIndex(of: node) else { return }
        let (before, after) = (chain[place - 1], chain[place + 1])
        try engine.edit { (graph) throws(Fault) in
            try graph.remove(node)
            try graph.connect(before, to: after)
        }
        chain.remove(at: place)
    }

    mutating func play(frames: Int) throws {
        var left = frames
        while left > 0 {
            let count = min(left, Int.random(in: 1...512, using: &random))
            output.pull(count)
            heard += UnsafeBufferPointer(start: output.buffer.channels[0], count: count)
            left -= count
        }
        while let performed = engine.renderer.nextPerformed() {
            let command = performed.command
            if case .adopted(let plan) = command.event {
                guard let difference = engine.takeDifference(ofEdit: Int(plan)) else { continue }
                edits.append(.init(time: command.time, difference))
            } else {
                let unit = command.node.map { names[$0] ?? "\($0)" }
                entries.append(.init(time: command.time, unit: unit, event: command.event))
            }
        }
    }
}
