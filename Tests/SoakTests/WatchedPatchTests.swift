import Carillon
import CarillonTestKit
import MIDI
import RemoteIO
import Testing

/// A patch file that is saved again and again while it sounds, as somebody does who writes it: no save is heard as a click, and
/// what a save does not touch goes on. In simulated time.
///
/// One of the edit tests, because both count the same units.
extension EditStressTests {
    static let saves = count / 2

    private static let written = """
        # What somebody has written.
        version: 1
        units:
          low: {unit: sine, pitch: 20}   # it hums
          high: {unit: sine, pitch: 32}
          organ:
            unit: soft-organ
            role: instrument
            parts: 1
          mixer: {unit: multichannel-mixer, role: master, inputs: 4}
        connections:
          - low -> mixer
          - high -> mixer[1]
          - organ -> mixer[2]
        outputs: mixer

        """

    /// What somebody saves next: effects come and go and are another way, sources leave and come back, faders are moved.
    private static func changed(_ random: inout SeededRandom) -> Patch {
        func one(_ odds: Int) -> Bool { Int.random(in: 0..<odds, using: &random) == 0 }
        var patch = Patch()
        var mixer = PatchUnit("mixer", "multichannel-mixer", role: .master)
        mixer.inputCount = 4
        mixer.values["gain"] = [0, 0, one(3) ? -6 : 0, 0]
        if one(3) { mixer.values["volume"] = [Float.random(in: -6...0, using: &random).rounded()] }
        for (bus, name) in ["low", "high", "organ"].enumerated() {
            if name != "organ", one(4) { continue }
            var unit = PatchUnit(name, name == "organ" ? "soft-organ" : "sine")
            if name == "organ" { (unit.role, unit.parts) = (.instrument, PartList([0])) }
            if name == "low" { unit.values["pitch"] = [20] }
            if name == "high" { unit.values["pitch"] = [32] }
            patch.units.append(unit)
            var last = name
            for place in 0..<(one(2) ? 0 : Int.random(in: 1...3, using: &random)) {
                var effect = PatchUnit("\(name)-\(place)", "tallied")
                effect.values["lag"] = [Float(Int.random(in: 0...2, using: &random) * 20)]
                effect.isBypassed = one(4)
                patch.units.append(effect)
                patch.connections.append(.init(PatchPort(last), to: PatchPort(effect.name)))
                last = effect.name
            }
            patch.connections.append(.init(PatchPort(last), to: PatchPort("mixer", bus)))
        }
        patch.units.append(mixer)
        patch.outputs = [PatchPort("mixer")]
        return patch
    }

    @Test func noSaveIsHeardAsAClick() throws {
        for entry in [UnitEntry(SineUnit.self), UnitEntry(SoftOrganUnit.self), UnitEntry(TalliedUnit.self)] {
            _ = UnitCatalog.register(entry)
        }
        var random = SeededRandom(seed: 5), source = Self.written
        var options = LiveOptions()
        options.ports = 0
        options.patch = try PatchFile(text: source, units: UnitCatalog.entries).patch
        let port = SimulatedPort(), session = try Session(options, on: port)
        try session.start()
        let organ = try #require(session.engine.graph.node(named: "organ")).id
        for key in [60, 61, 62] as [UInt8] {
            try session.receive(.message(MIDIMessage(status: 0x90, data1: key, data2: 100)))
        }
        for _ in 0..<20 {
            port.advance(seconds: 0.01)
            try session.maintain()
        }
        var heard = port.played[0].count, worst: Float = 0, broken = 0
        // What the sources move, what one edit's fades add, and a fader that goes from one end to the other in 20 ms.
        let bound = GraphEditor.slope + 2 * GraphEditor.peak / Float(GraphCompiler.fade) + GraphEditor.peak / 960 + 1e-5
        for save in 0..<Self.saves {
            let patch = Self.changed(&random)
            let text = try PatchFile.update(source: source, to: patch, units: UnitCatalog.entries)
            if Int.random(in: 0..<10, using: &random) == 0 {
                // Half of a file, or one that names what is not there: nothing changes.
                let half = Int.random(in: 0...1, using: &random) == 0
                let bad =
                    half ? String(text.dropLast(text.count / 2)) + "\n  ?: [" : text.replacing("soft-organ", with: "soft-orgen")
                let before = session.engine.patch
                #expect(throws: (any Error).self) { try session.apply(PatchFile(text: bad, units: UnitCatalog.entries).patch) }
                #expect(session.engine.patch == before)
                broken += 1
            } else {
                try session.apply(PatchFile(text: text, units: UnitCatalog.entries).patch)
                source = text
            }
            for _ in 0..<4 {
                port.advance(seconds: 0.01)
                try session.maintain()
            }
            let sound = port.played[0][max(heard - 1, 0)...]
            let step = zip(sound, sound.dropFirst()).map { abs($1 - $0) }.max() ?? 0
            #expect(step <= bound, "save \(save): a step of \(step)")
            worst = max(worst, step / bound)
            heard = port.played[0].count
            #expect(session.engine.graph.node(named: "organ")?.id == organ)
        }
        #expect(source.hasPrefix("# What somebody has written.\n") && broken > Self.saves / 20 && worst > 0.3, "\(worst)")
        // The keys that were held before the first save are heard behind the last, alone and as loud as ever.
        let alone = Self.written.replacing("  - low -> mixer\n  - high -> mixer[1]\n", with: "")
            .replacing("  low: {unit: sine, pitch: 20}   # it hums\n  high: {unit: sine, pitch: 32}\n", with: "")
        try session.apply(PatchFile(text: alone, units: UnitCatalog.entries).patch)
        for _ in 0..<120 {
            port.advance(seconds: 0.01)
            try session.maintain()
        }
        let loudest = port.played[0].suffix(48_000).map { abs($0) }.max() ?? 0
        #expect(abs(loudest - SoftOrganUnit.amplitude) < 0.02, "\(loudest)")
        for key in [60, 61, 62] as [UInt8] {
            try session.receive(.message(MIDIMessage(status: 0x80, data1: key, data2: 0)))
        }
        for _ in 0..<20 {
            port.advance(seconds: 0.01)
            try session.maintain()
        }
        #expect(port.played[0].suffix(100).allSatisfy { $0 == 0 })
        try session.finish()
        #expect(TalliedUnit.alive.load(ordering: .relaxed) == 0)
        print("\(Self.saves) saves, \(broken) of them broken; steepest step \(worst) of the bound")
    }
}
