// [render]
import UnitAPI

/// A parameter that solos, as the render thread sees it.
struct SoloSwitch: BitwiseCopyable {
    /// The step of its unit, and its place among the values there.
    let step: Int32, place: Int32
    /// True while the switch is on, by the last event that was collected.
    var isOn = false
}

/// An edge that is silent while any of a group's switches is on and none of its own is.
struct SoloGate: BitwiseCopyable {
    let feed: Int32
    let group: SoloList, openers: SoloList
}

struct SoloList: BitwiseCopyable {
    let first: Int32, count: Int32
}

/// Solo takes effect where channels are added up, from any sender. See `SoloGroups`.
///
/// Edges begin to move where a slice begins: a switch that changes within one ends it.
extension PlanTables {
    @_noLocks func solos(_ command: RenderCommand) -> Bool {
        if solos.count == 0 { return false }
        guard let node = command.node else { return false }
        let step = step(of: node)
        return step >= 0 && solo(command.event, step: step) >= 0
    }

    @_noLocks func obeySolo(_ event: UnitEvent, step: Int) {
        let number = solo(event, step: step)
        if number < 0 { return }
        switch event {
        case .parameter(_, _, let value), .ramp(_, _, let value, _, _):
            solos[number].isOn = value >= 0.5
            moveGates(over: soloFade)
        case .music, .reset, .shed, .adopted: break
        }
    }

    /// Begins with the present state of the switches, when the plan takes over.
    @_noLocks func adoptSolos() {
        for number in 0..<solos.count {
            let parameters = steps[Int(solos[number].step)].ports.pointee.parameters
            solos[number].isOn = parameters[Int(solos[number].place)].target >= 0.5
        }
        moveGates(over: fade == 0 ? 0 : soloFade)
    }

    /// Frames of a way from silence to sound and back: 5 ms, as a mute takes.
    private var soloFade: Int32 { @_noLocks get { Int32(sampleRate * 0.005) } }

    @_noLocks private func solo(_ event: UnitEvent, step: Int) -> Int {
        if solos.count == 0 { return -1 }
        let place: Int
        switch event {
        case .parameter(let index, let element, _), .ramp(let index, let element, _, _, _):
            place = Int(index) &* steps[step].ports.pointee.elements &+ Int(element)
        case .music, .reset, .shed, .adopted: return -1
        }
        for number in 0..<solos.count where Int(solos[number].step) == step && Int(solos[number].place) == place {
            return number
        }
        return -1
    }

    @_noLocks private func moveGates(over frames: Int32) {
        for f in 0..<feeds.count { feeds[f].isCut = false }
        for g in 0..<soloGates.count where isAnyOn(soloGates[g].group) && !isAnyOn(soloGates[g].openers) {
            feeds[Int(soloGates[g].feed)].isCut = true
        }
        for f in 0..<feeds.count {
            switch feeds[f].role {
            case .leaving, .kept: continue
            case .live, .filling, .full: break
            }
            let gate = feeds[f].gate, target: Float = feeds[f].isCut ? 0 : 1
            if gate.pointee.target == target { continue }
            // What is not heard yet has no way to go.
            let isNew = feeds[f].gain.pointee.isSteady && feeds[f].gain.pointee.target == 0
            gate.pointee.move(to: target, after: 0, over: isNew ? 0 : frames)
        }
    }

    @_noLocks private func isAnyOn(_ list: SoloList) -> Bool {
        for place in list.first..<list.first &+ list.count where solos[Int(soloRows[Int(place)])].isOn { return true }
        return false
    }
}
