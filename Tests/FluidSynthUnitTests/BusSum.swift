import UnitAPI

/// Adds up what comes in: passes one stereo input through.
struct BusSum: AudioUnit, ~Copyable {
    static var descriptor: UnitDescriptor {
        UnitDescriptor(
            component: ComponentDescription(type: .mixer, subtype: "sum ", manufacturer: .carillon), name: "sum",
            summary: "Adds up.", inputs: [.init("main")], outputs: [.init("main")])
    }
    init() {}
    init(_ setup: UnitSetup) throws(UnitError) {}
    @_noLocks mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        if io.isSilent() { return .silent }
        for channel in 0..<2 {
            let source = io.input(0, channel)
            let target = io.output(0, channel)
            for frame in 0..<io.frames { target[frame] = source[frame] }
        }
        return .sounding
    }
    @_noLocks mutating func reset() {}
}
