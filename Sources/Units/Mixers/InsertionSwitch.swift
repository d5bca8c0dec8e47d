import CRealtime
import RealtimeCore
import UnitAPI

/// The fork of a part's way: past an insertion effect of GS or XG, or into it.
///
/// What goes in sends nothing to the shared effects itself. Past it everything goes bit for bit.
package struct InsertionSwitch: AudioUnit, ~Copyable {
    package static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .mixer, subtype: "insw", manufacturer: .carillon), name: "insertion-switch",
        summary: "Leads a part past an insertion effect or into it, as songs for GS and XG say.",
        inputs: [.init("main"), .init("reverb-send"), .init("chorus-send"), .init("delay-send")],
        outputs: [
            .init("main"), .init("reverb-send", use: .send), .init("chorus-send", use: .send),
            .init("delay-send", use: .send), .init("insertion", use: .send),
        ])

    package enum Parameter: Int, UnitParameter {
        case inserted

        package var spec: ParameterSpec {
            .fadingToggle("inserted", default: false, help: "Leads the part into the insertion effect.")
        }
    }

    package init(_ setup: UnitSetup) {}

    // [render]

    @_noLocks package mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        if io.isSilentEverywhere { return .silent }
        let share = io[Parameter.inserted]
        for bus in 0..<5 {
            let source = bus == 4 ? 0 : bus, isInside = bus == 4
            if io.isSilent(source) || !io.isHeard(bus) || share.isSteady && share.target == (isInside ? 0 : 1) {
                io.markSilent(bus)
                continue
            }
            for side in 0..<2 {
                let from = io.input(source, side).base, to = io.output(bus, side).base
                if share.isSteady {
                    rt_copy(to, from, io.frames)
                } else {
                    // Adding 0 leaves no negative zero if a fade has ended within the call.
                    for i in 0..<io.frames { to[i] = from[i] * (isInside ? share[i] : 1 - share[i]) + 0 }
                }
            }
        }
        return .sounding
    }

    @_noLocks package mutating func reset() {}
}
