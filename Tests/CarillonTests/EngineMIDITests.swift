import ALSA
import Carillon
import Testing

/// MIDI ports that play an engine which no session has.
@Suite struct EngineMIDITests {
    private struct Stage {
        let engine = Engine(), port = SimulatedPort()
        let keyboards: SimulatedKeyboards
        let left: NodeID, right: NodeID

        init() throws {
            keyboards = SimulatedKeyboards { [port] in port.nanoseconds }
            (left, right) = try engine.edit { graph in
                let left = try graph.add(SquareWave.self), right = try graph.add(SquareWave.self)
                let mixer = try graph.add(MultichannelMixer.self, inputs: 2)
                try graph.connect(left, to: mixer[0])
                try graph.connect(right, to: mixer[1])
                try graph.setOutput(mixer)
                try graph.route(part: 0, to: left)
                try graph.route(part: 17, to: right)
                return (left, right)
            }
            keyboards.plug("Keystation")
            keyboards.plug("Pads", input: 1)
        }

        /// The frames, within the last `seconds`, on which sound begins after silence.
        func onset(after frame: Int) -> Int? { port.played[0].indices.dropFirst(frame).first { port.played[0][$0] != 0 } }
    }

    @Test func aKeyIsHeardAtItsMomentAndAConstantLatency() throws {
        var distances: Set<Int> = []
        for moment in [10_000, 10_001, 10_100, 12_345, 13_000] {
            let stage = try Stage()
            try stage.engine.midi.connect(through: stage.keyboards)
            try stage.engine.start(on: .simulated(stage.port, period: 256))
            stage.port.advance(frames: moment)
            stage.keyboards.play(.noteOn(60), on: "Keystation")
            stage.port.advance(.milliseconds(200))
            distances.insert(try #require(stage.onset(after: 0)) - moment)
            #expect(stage.engine.renderer.counters.lateLiveEvents == 0)
        }
        #expect(distances.count == 1, "\(distances)")
    }

    @Test func aKeyPlaysTheUnitsOfItsPartOrOneUnit() throws {
        let stage = try Stage(), engine = stage.engine, midi = engine.midi
        try midi.connect(["any"], ports: 2, through: stage.keyboards)
        #expect(midi.inlet?.keyboards.map(\.name) == ["Keystation", "Pads"])
        try engine.start(on: .simulated(stage.port))
        func voices(_ node: NodeID) throws -> Float? { try engine.readout("voices", of: node) }
        stage.keyboards.play(.noteOn(60, channel: 2), on: "Pads")
        stage.keyboards.play(.noteOn(61, channel: 2), on: "Keystation")
        stage.port.advance(.milliseconds(100))
        #expect(try voices(stage.left) == 0 && voices(stage.right) == 1)
        // Another connection ends what the former holds.
        try midi.connect(to: stage.left, through: stage.keyboards)
        stage.port.advance(.milliseconds(500))
        #expect(try voices(stage.right) == 0)
        stage.keyboards.play(.noteOn(62, channel: 9), on: "Pads")
        stage.port.advance(.milliseconds(100))
        #expect(try voices(stage.left) == 1)
        midi.disconnect()
        stage.port.advance(.milliseconds(500))
        #expect(try voices(stage.left) == 0 && midi.inlet == nil)
        stage.keyboards.play(.noteOn(62), on: "Keystation")
        stage.port.advance(.milliseconds(100))
        #expect(try voices(stage.left) == 0)
    }

    @Test func theFilterIsForKeyboardsToo() throws {
        let stage = try Stage(), engine = stage.engine
        engine.midi.filter = TransposeFilter(semitones: 12)
        try engine.midi.connect(through: stage.keyboards)
        try engine.start(on: .simulated(stage.port))
        stage.keyboards.play(.noteOn(60), on: "Keystation")
        engine.midi.filter = nil
        try engine.midi.send(.noteOff(72))
        stage.port.advance(.milliseconds(300))
        #expect(try engine.readout("voices", of: stage.left) == 1, "what was sent ends no key of a keyboard")
        stage.keyboards.play(.noteOff(60), on: "Keystation")
        stage.port.advance(.milliseconds(500))
        #expect(try engine.readout("voices", of: stage.left) == 0)
    }

    @Test func keysOfAnEngineThatDoesNotRunWait() throws {
        let stage = try Stage(), engine = stage.engine
        try engine.midi.connect(through: stage.keyboards)
        stage.keyboards.play(.noteOn(60), on: "Keystation")
        try engine.start(on: .offline)
        #expect(try engine.render(frames: 1000)[0].contains { $0 != 0 })
    }

    @Test func whatCannotBeConnectedIsAnError() throws {
        let stage = try Stage(), engine = stage.engine
        for ports in [0, 17, -1] {
            #expect(throws: Fault(MIDIInletError.portCount(ports))) {
                try engine.midi.connect(ports: ports, through: stage.keyboards)
            }
        }
        let error = #expect(throws: Fault.self) { try engine.midi.connect(["usb:x"], through: ALSASequencer()) }
        #expect(error?.description.contains("usb:VENDOR:PRODUCT") == true, "\(error?.description ?? "")")
        #expect(engine.midi.inlet == nil)
    }
}
