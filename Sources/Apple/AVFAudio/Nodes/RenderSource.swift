internal import Graphs
internal import Reports

/// A render block of the program as a unit: called in its format and at its rate, converted to the engine's.
final class RenderSource {
    let format: AVAudioFormat
    private let block: AVAudioSourceNodeRenderBlock

    init(_ format: AVAudioFormat, _ block: @escaping AVAudioSourceNodeRenderBlock) { (self.format, self.block) = (format, block) }

    func add(to graph: inout Graph) throws(Fault) -> NodeID {
        let callback = AURenderCallbackStruct(inputProc: Self.proc, inputProcRefCon: Unmanaged.passUnretained(self).toOpaque())
        return try graph.add(
            try UnitAccess.source(callback, format.streamDescription.pointee, owner: self, in: graph))
    }

    // [render]

    private static let proc: AURenderCallback = { data, flags, stamp, _, frames, list in
        Unmanaged<RenderSource>.fromOpaque(data)._withUnsafeGuaranteedRef { source in
            var isSilence = ObjCBool(false)
            guard let list else { return kAudio_ParamError }
            let status = source.block(&isSilence, stamp, frames, list)
            if isSilence.boolValue { flags.pointee.insert(.unitRenderAction_OutputIsSilence) }
            return status
        }
    }
}
