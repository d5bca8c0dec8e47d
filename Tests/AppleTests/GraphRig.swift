import AudioToolbox
import Testing

/// A graph of audio units that ends with the test.
final class GraphRig {
    var graph: AUGraph!

    init() throws {
        var made: AUGraph?
        try #require(NewAUGraph(&made) == noErr)
        graph = made
    }

    deinit { DisposeAUGraph(graph) }

    func add(_ type: OSType, _ subtype: OSType) throws -> AUNode {
        var node: AUNode = 0
        var description = AudioComponentDescription(
            componentType: type, componentSubType: subtype, componentManufacturer: kAudioUnitManufacturer_Apple,
            componentFlags: 0, componentFlagsMask: 0)
        try #require(AUGraphAddNode(graph, &description, &node) == noErr)
        return node
    }

    func unit(_ node: AUNode) throws -> RenderedUnit {
        var unit: AudioUnit?
        try #require(AUGraphNodeInfo(graph, node, nil, &unit) == noErr)
        return RenderedUnit(try #require(unit))
    }
}
