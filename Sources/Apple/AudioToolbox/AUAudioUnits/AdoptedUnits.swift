package import EngineCore
package import Graphs
internal import RealtimeCore
package import Reports
package import UnitAPI

/// Audio units whose sound the engine of another module makes, and what modules with Apple's classes ask of units.
extension UnitAccess {
    /// Runs calls of another module alone, as all calls of units and graphs run.
    package static func alone<Result>(_ body: () throws -> Result) rethrows -> Result { try UnitCalls.locked(body) }

    /// Makes the engine's unit for an audio unit, with the values that it has.
    package static func instance(of unit: AudioUnit, in graph: Graph) throws(Fault) -> UnitInstance {
        guard let object = UnitHandles.find(unit) else { throw Fault("the audio unit was disposed of", gone) }
        do { return try UnitMaking.instance(of: object, graph, host: nil) } catch let fault as Fault { throw fault } catch {
            throw Fault("\(error)", gone)
        }
    }

    /// Makes the engine's unit of a callback, which gives sound in a format of its own. The unit keeps what has its data.
    package static func source(
        _ callback: AURenderCallbackStruct, _ format: AudioStreamBasicDescription, owner: AnyObject, in graph: Graph
    ) throws(Fault) -> UnitInstance {
        guard let layout = PCMLayout(format) else { throw Fault("a source gives linear PCM", gone) }
        let setup = UnitSetup(sampleRate: graph.sampleRate, maximumFrames: graph.maximumFrames)
        do {
            let source = try SourceUnit(
                callback, bus: 0, layout, host: nil, owner: owner, rate: graph.sampleRate, frames: graph.maximumFrames)
            return source.makeInstance(setup)
        } catch { throw Fault("\(error)", gone) }
    }

    private static let gone = Fault.Kind("noAudioUnit", .usage)

    /// Makes a node the sound of an audio unit: its parameters, its bypass, its instrument and music to it go there, at once what
    /// waits. `AudioUnitUninitialize` ends that. `onReplacement` gets the node of one that other samples make anew, and the new one.
    package static func adopt(
        _ unit: AudioUnit, _ engine: Engine, _ node: NodeID, onReplacement: @escaping (NodeID, NodeID) -> Void
    ) {
        guard let object = UnitHandles.find(unit) else { return }
        object.closeOwn()
        let host = RenderHost(object, adopting: engine, node, onReplacement),
            format = PCMLayout.planar(rate: engine.sampleRate, channels: 2)
        (object.own, object.isInitialized) = (host, true)
        object.move(to: host, node: node)
        for index in object.inputs.indices { object.inputs[index].format = format.description }
        for index in object.outputs.indices { object.outputs[index].format = format.description }
        _ = object.changed()
        object.settle()
    }

    /// Sets a parameter of the engine's unit that none of Apple's stands for, beside these.
    package static func adjust(_ name: String, _ value: Float, element: Int = 0, of unit: AudioUnit) -> OSStatus {
        UnitCalls.on(unit) { object in
            object.effect.adjustments[.init(name: name, element: element)] = value
            return object.send(name, element, value, after: 0)
        }
    }

    /// The names of the factory presets, by their numbers.
    package static func presets(of unit: AudioUnit) -> [String] { UnitHandles.find(unit)?.presets.map(\.name) ?? [] }

    /// The frames after the start of the next slice that a time of an event means.
    package static func offset(of time: AUEventSampleTime, for unit: AudioUnit) -> UInt32 {
        let latest: Int64 = 1 << 20, fromNow = time.subtractingReportingOverflow(AUEventSampleTimeImmediate)
        if !fromNow.overflow, (0...latest).contains(fromNow.partialValue) { return UInt32(fromNow.partialValue) }
        guard time > 0, let host = UnitHandles.find(unit)?.host else { return 0 }
        return UInt32(min(max(0, time - host.engine.now.rawValue), latest))
    }
}
