import Carillon
import Glibc
import RemoteIO
import TestUnits
import Testing

/// The words of Audio Units: whoever knows Core Audio finds them here. Each test is called as the word, and shows what
/// the word promises; the guide "For Core Audio developers" lists them.
@Suite struct AudioUnitWordsTests {
    @Test func component() throws {
        let wanted = ComponentDescription(type: .effect, subtype: "fade", manufacturer: "Word")
        #expect("\(wanted)" == "aufx/fade/Word")
        #expect(UnitCatalog.first(matching: wanted) == nil)
        #expect(throws: Fault.self) {
            try Engine().edit { graph in _ = try graph.add(matching: wanted) }
        }
        // Registered in this process, once.
        #expect(UnitCatalog.register(TestFader.self))
        #expect(!UnitCatalog.register(TestFader.self))
        // Zeros stand for any.
        for search in [wanted, ComponentDescription(subtype: "fade"), ComponentDescription(manufacturer: "Word")] {
            #expect(UnitCatalog.first(matching: search)?.descriptor.component == wanted)
        }
        // Find next: all of them, in order.
        let effects = UnitCatalog.all(matching: ComponentDescription(type: .effect)).map(\.descriptor.component)
        #expect(effects.count > 1 && effects.contains(wanted) && effects.allSatisfy { $0.type == "aufx" })
        #expect(UnitCatalog.first(matching: ComponentDescription(type: .effect))?.descriptor.component == effects[0])
        let engine = Engine()
        try engine.edit { graph in
            let source = try graph.addSteady(1)
            let any = ComponentDescription(manufacturer: "Word")
            let node = try graph.add(matching: any, startValues: ["amount": 0.25])
            try graph.chain(source, node)
            try graph.setOutput(node)
        }
        try engine.start(on: .offline)
        #expect(try engine.render(frames: 100) == Array(repeating: Array(repeating: 0.25, count: 100), count: 2))
    }

    @Test func life() throws {
        let engine = Engine(sampleRate: 48_000, maximumFrames: 512)
        // Configured wrongly it is not made, and nothing runs before it is started.
        #expect(throws: UnitError.self) {
            _ = try UnitInstance.make(TestFader.self, UnitSetup(sampleRate: 48_000, startValues: ["amuont": 1]))
        }
        #expect(throws: Fault.notRunning) { _ = try engine.pull(64) }
        #expect(throws: Fault.notRunning) { try engine.stop() }
        let (source, fader) = try engine.edit { graph in
            let source = try graph.addSteady(1), fader = try graph.add(TestFader.self)
            try graph.chain(source, fader)
            try graph.setOutput(fader)
            return (source, fader)
        }
        weak let instance = try engine.graph.node(fader).instance
        try engine.start(on: .offline)
        #expect(throws: Fault.alreadyRunning(on: "offline")) { try engine.start(on: .offline) }
        try engine.set(TestFader.Parameter.amount, 0.5, of: fader)
        #expect(try engine.render(frames: 2000)[0].last == 0.5)
        #expect(throws: Fault(ParameterError.onlyAtStart(parameter: "channel"))) {
            try engine.set(TestFader.Parameter.channel, 1, of: fader)
        }
        // Out of the graph it plays until it has faded out, and goes when nothing can bring it back.
        try engine.edit { graph in
            try graph.remove(fader)
            try graph.setOutput(source)
        }
        #expect(instance != nil)
        for _ in 0..<2 {
            #expect(try engine.render(frames: 2000)[0].last == 1)
            engine.forgetHistory()
            try engine.maintain()
        }
        #expect(instance == nil)
        #expect(throws: Fault.self) { try engine.set(TestFader.Parameter.amount, 1, of: fader) }
        try engine.stop()
        #expect(throws: Fault.notRunning) { try engine.stop() }
    }

    @Test func scope() throws {
        let engine = Engine(sampleRate: 48_000)
        let mixer = try engine.edit { graph in
            let mixer = try graph.add(MultichannelMixer.self, inputs: 3), equalizer = try graph.add(Equalizer.self)
            try graph.connect(graph.addSteady(0.25, name: "a"), to: mixer[0])
            try graph.connect(graph.addSteady(0.5, name: "b"), to: mixer[2])
            try graph.chain(mixer, equalizer)
            try graph.setOutput(equalizer)
            return mixer
        }
        // Input scope: a value for each element; global scope: one.
        try engine.set(MultichannelMixer.Parameter.gain, -120, element: 2, of: mixer)
        #expect(try engine.value(MultichannelMixer.Parameter.gain, element: 2, of: mixer) == -120)
        #expect(try engine.value(MultichannelMixer.Parameter.gain, element: 0, of: mixer) == 0)
        #expect(MultichannelMixer.Parameter.gain.spec.scope == .input)
        #expect(MultichannelMixer.Parameter.volume.spec.scope == .global)
        try engine.start(on: .offline)
        #expect(try engine.render(frames: 4800)[0].last == 0.25)
        try engine.set("multichannel-mixer.gain[2]=0dB")
        #expect(try engine.render(frames: 4800)[0].last == 0.75)
        #expect(throws: Fault(ParameterError.outOfRange(parameter: "gain", text: "[3]", low: "[0]", high: "[2]"))) {
            try engine.set(MultichannelMixer.Parameter.gain, 0, element: 3, of: mixer)
        }
        #expect(throws: Fault(ParameterError.outOfRange(parameter: "volume", text: "[1]", low: "[0]", high: "[0]"))) {
            try engine.set(MultichannelMixer.Parameter.volume, 0, element: 1, of: mixer)
        }
        // A unit's own scope beside those of Core Audio: the bands of an equaliser.
        #expect(try engine.text("equalizer.frequency[7]") == "12 kHz")
        // Elements are buses: input and output have theirs.
        #expect(throws: Fault.noSuchBus(unit: "multichannel-mixer", direction: "input", bus: 3, count: 3)) {
            try engine.edit { (graph) throws(Fault) in try graph.connect(mixer, to: mixer[3]) }
        }
        #expect(throws: Fault.noSuchBus(unit: "multichannel-mixer", direction: "output", bus: 1, count: 1)) {
            try engine.edit { (graph) throws(Fault) in try graph.setOutput(mixer, bus: 1) }
        }
    }

    @Test func property() throws {
        let engine = Engine(sampleRate: 48_000, maximumFrames: 512)
        let (mixer, limiter, reverb) = try engine.edit { graph in
            let mixer = try graph.add(MultichannelMixer.self, inputs: 5), limiter = try graph.add(Limiter.self)
            let reverb = try graph.add(Reverb.self)
            try graph.chain(mixer, reverb, limiter)
            try graph.connect(limiter, to: graph.add(Tap.self, properties: ["seconds": .number(2)]))
            try graph.setOutput(limiter)
            return (mixer, limiter, reverb)
        }
        // Core Audio's own, read from whoever has them.
        #expect(try engine.graph.node(mixer).instance.setup.maximumFrames == 512)    // per slice
        #expect(try engine.graph.node(mixer).instance.inputs.count == 5)    // element count
        #expect(try engine.graph.node(mixer).instance.descriptor.outputs == [.init("main", channels: 2)])
        #expect(try engine.graph.node(limiter).instance.latency > 0)
        #expect(try engine.graph.node(reverb).instance.descriptor.tail > 1)
        // A unit's own: typed, by name, taken when the unit is made.
        func refusal(_ properties: [String: PropertyValue]) -> UnitError? {
            #expect(throws: UnitError.self) {
                _ = try UnitInstance.make(Tap.self, UnitSetup(sampleRate: 48_000, properties: properties))
            }
        }
        #expect(refusal(["secs": .number(2)]) == .unknownProperty(unit: "tap", name: "secs", known: Tap.descriptor.properties))
        #expect(refusal(["seconds": .text("two")])?.description.hasPrefix("tap: property seconds: ") == true)
        // Listeners run on the control side, and hear of properties and of bypass.
        var heard: [EngineChange] = []
        let token = engine.onChange { heard.append($0) }
        var patch = engine.patch
        let tap = try #require(patch.units.firstIndex { $0.name == "tap" })
        patch.units[tap].properties["seconds"] = .number(3)
        try engine.apply(patch)
        try engine.edit { graph in try graph.bypass(limiter) }
        try engine.maintain()
        #expect(heard.contains(.property(unit: "tap", name: "seconds", value: .number(3))))
        #expect(heard.contains(.bypassed(unit: "limiter", true)))
        #expect(try engine.graph.node(limiter).isBypassed)
        withExtendedLifetime(token) {}
    }

    @Test func parameter() throws {
        let engine = Engine(sampleRate: 48_000)
        let fader = try engine.edit { graph in
            let source = try graph.addSteady(1), fader = try graph.add(TestFader.self)
            try graph.chain(source, fader)
            try graph.setOutput(fader)
            return fader
        }
        let spec = TestFader.Parameter.amount.spec
        #expect(spec.range == 0...1 && spec.unit == .ratio && spec.initial == 1)
        try engine.start(on: .offline)
        // A ramp begins on its frame, while the unit sounds.
        try engine.ramp(TestFader.Parameter.amount, to: 0, of: fader, at: SampleTime(100), overFrames: 1000)
        let sound = try engine.render(frames: 2000)[0]
        #expect(sound[...100].allSatisfy { $0 == 1 } && sound[1100...].allSatisfy { $0 == 0 })
        for i in 0...1000 { #expect(abs(sound[100 + i] - (1 - Float(i) / 1000)) < 1e-5) }
        // Set, it glides for the time that its declaration says; what is out of its range is refused.
        #expect(throws: Fault.self) { try engine.set(TestFader.Parameter.amount, 7, of: fader) }
        try engine.set(TestFader.Parameter.amount, 1, of: fader)
        #expect(try engine.value(TestFader.Parameter.amount, of: fader) == 1)
        let glide = try engine.render(frames: 480)[0]
        #expect(zip(glide, glide.dropFirst()).allSatisfy { abs($1 - $0 - 1.0 / 240) < 1e-5 || $1 == 1 })
        #expect(abs(glide[120] - 0.5) < 0.01 && glide[241] == 1)
        // In its own unit, as text both ways.
        try engine.set("test-fader.amount=0.25")
        #expect(try engine.text("test-fader.amount") == "0.25")
        #expect(try engine.render(frames: 480)[0].last == 0.25)
    }

    @Test func streamFormat() throws {
        var graph = Graph(sampleRate: 48_000)
        let stereo = try graph.addSteady(1), three = try graph.add(source: "three", channels: 3) { _ in .silent }
        let fader = try graph.add(TestFader.self)
        let slow = try graph.add(UnitInstance.make(TestFader.self, UnitSetup(sampleRate: 44_100)), name: "slow")
        // Canonical: planar Float32, one buffer for each channel.
        let format = StreamFormat(sampleRate: 48_000, channels: 2)
        #expect(format.description == "2 channels at 48000.0 Hz, planar Float32")
        // A mismatch says both formats and the edge.
        let wide = StreamFormat(sampleRate: 48_000, channels: 3), other = StreamFormat(sampleRate: 44_100, channels: 2)
        let channels = #expect(throws: Fault.self) { try graph.connect(three, to: fader) }
        #expect(
            channels
                == .formatMismatch(
                    source: "three", sourceFormat: wide, destination: "test-fader", destinationFormat: format))
        let rates = #expect(throws: Fault.self) { try graph.connect(stereo, to: slow) }
        #expect(
            rates
                == .formatMismatch(
                    source: "steady", sourceFormat: format, destination: "slow", destinationFormat: other))
        #expect(rates?.description.contains("steady -> slow: \(format) does not fit \(other)") == true)
        try graph.connect(stereo, to: fader)
        #expect(graph.connections.count == 1)
    }

    @Test func renderCallback() throws {
        let engine = Engine(sampleRate: 48_000, maximumFrames: 512), notes = CallbackNotes()
        try engine.edit { graph in
            let source = try graph.add(source: "callback") { io in
                notes.calls.append((io.sampleTime, io.frames))
                if notes.isMuted {
                    io.markSilent()
                    return .sounding
                }
                for channel in 0..<2 {
                    for i in 0..<io.frames { io.output(0, channel)[i] = Float((io.sampleTime + i).rawValue + 1) }
                }
                return .sounding
            }
            let listener = try graph.add(effect: "listener") { io in
                notes.hearsSilence = io.isSilent()
                for channel in 0..<2 {
                    for i in 0..<io.frames { io.output(0, channel)[i] = io.input(0, channel)[i] }
                }
                return .sounding
            }
            try graph.chain(source, listener)
            try graph.setOutput(listener)
        }
        try engine.start(on: .offline)
        // The sample time grows by exactly the frames that were asked for.
        var time: Int64 = 0
        for frames in [1, 100, 512, 37, 256] {
            let buffer = try engine.pull(frames)
            for i in 0..<frames { #expect(buffer[channel: 1][i] == Float(time + Int64(i) + 1)) }
            time += Int64(frames)
            #expect(!notes.hearsSilence)
        }
        #expect(notes.calls.map(\.frames).reduce(0, +) == 906 && notes.calls[0].time == .zero)
        for (call, next) in zip(notes.calls, notes.calls.dropFirst()) { #expect(next.time - call.time == call.frames) }
        // OutputIsSilence: the flag is set and the buffers are zeroed.
        notes.isMuted = true
        #expect(try engine.render(frames: 700).allSatisfy { $0.allSatisfy { $0 == 0 } })
        #expect(notes.hearsSilence)
    }

    @Test func graph() throws {
        let engine = Engine(sampleRate: 48_000)
        let (sine, fader) = try engine.edit { graph in
            let sine = try graph.addSine()
            let fader = try graph.add(TestFader.self, startValues: ["amount": 0])
            try graph.setOutput(sine)
            return (sine, fader)
        }
        try engine.start(on: .offline)
        // All or nothing: a circle is refused, and everything that stood before it in the edit with it.
        #expect(throws: Fault.cycle(["other", "test-fader", "other"])) {
            try engine.edit { (graph) throws(Fault) in
                let other = try graph.add(TestFader.self, name: "other")
                try graph.chain(sine, fader, other, fader)
                try graph.setOutput(other)
            }
        }
        #expect(engine.graph.nodes.map(\.name) == ["sine", "test-fader"] && engine.graph.connections.isEmpty)
        #expect(throws: Fault.noOutput) {
            try engine.edit { (graph) throws(Fault) in try graph.remove(sine) }
        }
        // Swapped in on its frame, without a click; told of.
        try engine.edit(at: SampleTime(3000)) { graph in
            try graph.connect(sine, to: fader)
            try graph.setOutput(fader)
        }
        let sound = try engine.render(frames: 6000)[0]
        #expect(engine.takeReports().last == PlanAdoption(plan: 2, time: SampleTime(3000)))
        for i in 0..<3000 { #expect(sound[i] == CallbackNotes.sine(Int64(i))) }
        #expect(sound[4000...].allSatisfy { $0 == 0 })
        let step = zip(sound, sound.dropFirst()).map { abs($1 - $0) }.max() ?? 0
        // A sine of half full scale and 500 Hz steps by 0.0327; what fades adds 1/256 of it.
        #expect(step < 0.0348, "\(step)")
        // A nested graph has outputs of its own, and the whole has exactly one.
        var inner = Patch(), outer = Patch()
        inner.units = [PatchUnit("synthesizer", "square-wave"), PatchUnit("limiter", "limiter")]
        inner.connections = [PatchConnection(PatchPort("synthesizer"), to: PatchPort("limiter"))]
        inner.outputs = [PatchPort("limiter")]
        outer.patches = [SubPatch("voice", inner)]
        #expect(throws: Fault(PatchError.outputCount(0))) { try engine.apply(outer) }
        outer.outputs = [PatchPort("voice")]
        try engine.apply(outer)
        #expect(engine.graph.nodes.map(\.name) == ["voice.synthesizer", "voice.limiter"])
        #expect(engine.patch.patches.map(\.name) == ["voice"])
    }

    @Test func pull() throws {
        let engine = Engine(sampleRate: 48_000, maximumFrames: 512), notes = CallbackNotes()
        // Listed from the end to the beginning; `left` and `right` both ask `source`.
        try engine.edit { graph in
            let sum = try graph.addNoting("sum", notes), left = try graph.addNoting("left", notes)
            let right = try graph.addNoting("right", notes), source = try graph.addSteady(0.25)
            let first = try graph.addNoting("first", notes)
            try graph.chain(source, first, left, sum)
            try graph.chain(first, right, sum)
            try graph.setOutput(sum)
        }
        try engine.start(on: .offline)
        #expect(notes.names.isEmpty)
        for _ in 0..<3 {
            notes.names = []
            let buffer = try engine.pull(64)
            // Who is asked asks those before him, and everybody renders once for each pull.
            #expect(notes.names.sorted() == ["first", "left", "right", "sum"])
            #expect(notes.names.first == "first" && notes.names.last == "sum")
            #expect(buffer[channel: 0][..<64].allSatisfy { $0 == 0.5 })
        }
    }

    @Test func remoteIO() throws {
        // Element 0 plays, element 1 captures, on one clock; the input is enabled by being in the graph.
        let engine = Engine(sampleRate: 48_000), port = SimulatedPort()
        port.captures = { frame, channel in Float(sin(Double(frame) * 0.05)) / Float(channel + 2) }
        let source = try engine.edit { graph in
            let source = try graph.addSteady(0.5)
            try graph.setOutput(source)
            return source
        }
        #expect(try engine.start(on: .simulated(port, period: 128, periods: 2)).captureChannels == 0)
        port.advance(frames: 1024)
        #expect(port.played[0][256...].allSatisfy { $0 == 0.5 } && port.played[0].count == 1024)
        try engine.stop()
        try engine.edit { graph in
            try graph.setOutput(graph.add(DeviceInput.self))
            try graph.remove(source)
        }
        #expect(try engine.start(on: .simulated(port, period: 128, periods: 2)).captureChannels == 2)
        let before = engine.inputLatency
        port.advance(frames: 12_800)
        for frame in 512..<12_000 {
            #expect(port.played[1][before + frame] == Float(sin(Double(frame) * 0.05)) / 3)
        }
        try engine.stop()
        // Element 0 disabled: what captures keeps the time, the graph hears it, and nothing is played.
        let tap = try engine.tap(engine.graph.output!.node)
        var request = DeviceRequest(devices: ["simulated"], periodFrames: 128, periods: 2)
        request.playback = false
        let alone = try engine.start(on: DeviceChoice(port, request))
        #expect(alone.channels == 0 && alone.captureChannels == 2 && alone.isAsWanted)
        port.advance(frames: 12_800)
        #expect(port.played.isEmpty && port.status.capturedFrames >= 12_672)
        _ = tap
        // What the hardware has is converted to, and the grant says so.
        let slow = Engine(sampleRate: 44_100), hardware = SimulatedPort(sampleRate: 48_000)
        try slow.edit { graph in try graph.setOutput(graph.addSteady(0.5)) }
        let grant = try slow.start(on: .simulated(hardware))
        #expect(grant.hasRateConversion && grant.sampleRate == 48_000 && grant.request.sampleRate == 44_100)
        hardware.advance(seconds: 1)
        #expect(abs(slow.renderer.sampleTime.rawValue - 44_100) < 2000)
        #expect(abs((hardware.played[0].last ?? 0) - 0.5) < 1e-3)
        // Without hardware the same unit, by the system's clock.
        let quiet = Engine(sampleRate: 48_000)
        try quiet.edit { graph in try graph.setOutput(graph.addSteady(0.5)) }
        #expect(try quiet.start(on: .device("null")).device == "null")
        try quiet.stop()
    }

    @Test func genericOutput() throws {
        func engine() throws -> Engine {
            let engine = Engine(sampleRate: 48_000, maximumFrames: 512)
            let square = try engine.edit { graph in
                let square = try graph.add(SquareWave.self)
                try graph.setOutput(square)
                return square
            }
            try engine.send(
                .message(MIDIMessage(status: 0x90, data1: 60, data2: 100)), to: square, at: SampleTime(300))
            return engine
        }
        // Pulled by its caller: time passes with the pulls alone, whatever their length.
        let pulled = try engine(), output = try pulled.offlineOutput()
        #expect(pulled.renderer.sampleTime == .zero)
        var sound: [Float] = []
        for frames in [512, 1, 87, 400] {
            output.pull(frames)
            sound += output.buffer[channel: 0][..<frames]
        }
        #expect(pulled.renderer.sampleTime == SampleTime(1000))
        #expect(sound[..<300].allSatisfy { $0 == 0 } && sound[302...].contains { $0 != 0 })
        #expect(throws: Fault.alreadyPulled) { try pulled.start(on: .offline) }
        let whole = try engine()
        try whole.start(on: .offline)
        #expect(try whole.render(frames: 1000)[0] == sound)
        withExtendedLifetime(output) {}
    }

    @Test func caShow() throws {
        let engine = Engine(sampleRate: 48_000)
        try engine.edit { graph in
            let tone = try graph.add(source: "tone", channels: 1) { _ in .silent }
            let limiter = try graph.add(Limiter.self)
            try graph.chain(tone, limiter)
            try graph.setOutput(limiter)
        }
        // Every unit with what it is, every edge with what flows on it, and how late all of it is.
        let report = GraphReport(engine), latency = try #require(engine.graph.node(named: "limiter")).instance.latency
        #expect(report.units.map(\.component) == ["augn/clbk/Cari", "aufx/lmtr/Cari"])
        #expect(
            report.edges.map { "\($0.source) \($0.channels), \($0.destination) \($0.destinationChannels)" }
                == ["tone 1, limiter 2"])
        #expect(report.output?.unit == "limiter" && report.latency == latency && latency > 0)
        let lines = report.text().split(separator: "\n")
        for start in ["48 kHz, 2 units, 1 connection", "tone", "  |-> limiter", "limiter", "  |-> output"] {
            #expect(lines.contains { $0.hasPrefix(start) }, "\(start) in\n\(report.text())")
        }
    }
}
