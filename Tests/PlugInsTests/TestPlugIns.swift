import CarillonTestKit
import Foundation
import Graphs
import Testing
import UnitAPI

@testable import PlugIns

/// The plug-ins of this test: those of Debian, and three of our own that are compiled here, found by lilv as any others.
enum TestPlugIns {
    /// Compiled and in lilv's path; wait for it before lilv is asked for the first time.
    private static let isReady: Bool = {
        let source = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fixtures/trouble.lv2")
        let headers = source.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Sources/CPlugIns/include")
        let bundle = folder.appending(path: "trouble.lv2")
        do {
            try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
            for name in ["manifest.ttl", "trouble.ttl"] {
                try FileManager.default.copyItem(at: source.appending(path: name), to: bundle.appending(path: name))
            }
            let compiler = Process()
            compiler.executableURL = URL(filePath: "/bin/sh")
            // Swift brings clang along; any other will do.
            compiler.arguments = [
                "-c", "exec $(command -v clang || command -v cc) \"$@\"", "sh", "-shared", "-fPIC", "-O1", "-I", headers.path,
                source.appending(path: "trouble.c").path, "-o",
                bundle.appending(path: "trouble.so").path,
            ]
            try compiler.run()
            compiler.waitUntilExit()
            precondition(compiler.terminationStatus == 0, "the test's plug-in was not compiled")
        } catch { preconditionFailure("the test's plug-in: \(error)") }
        setenv("LV2_PATH", "/usr/lib/lv2:\(folder.path)", 1)
        atexit { try? FileManager.default.removeItem(at: TestPlugIns.folder) }
        return true
    }()

    private static let folder = FileManager.default.temporaryDirectory.appending(path: "carillon-lv2-\(getpid())")

    /// The entry of a plug-in.
    static func entry(_ name: String) throws -> UnitEntry {
        precondition(isReady)
        return try PlugInCatalog.entry(named: name)
    }

    /// What the catalogue knows of it.
    static func description(_ name: String) throws -> PlugInDescription {
        precondition(isReady)
        return try PlugInCatalog.named(name)
    }

    /// A rig in which sound goes through a plug-in; its unit, and the node.
    static func rig(
        _ name: String, left: [Float] = [], right: [Float] = [], startValues: [String: Float] = [:],
        properties: [String: PropertyValue] = [:], maximumFrames: Int = 1024
    ) throws -> (rig: OfflineRig, unit: UnitInstance, node: NodeID) {
        let rig = OfflineRig(maximumFrames: maximumFrames)
        let unit = try entry(name).make(rig.setup(startValues: startValues, properties: properties))
        let node = try rig.graph.add(unit, name: "plug-in")
        if !unit.inputs.isEmpty {
            let source = try rig.add(left: left, right: right)
            try rig.graph.connect(source, to: node)
        }
        try rig.graph.setOutput(node)
        try rig.publish()
        return (rig, unit, node)
    }
}
