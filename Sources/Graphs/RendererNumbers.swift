import Synchronization
import UnitAPI

/// The renderers that live, by numbers that no two have: a unit belongs to one of them. Control side.
enum RendererNumbers {
    private static let state = Mutex((next: 1, living: Set<Int>()))

    static func take() -> Int {
        state.withLock { state in
            defer { state.next += 1 }
            state.living.insert(state.next)
            return state.next
        }
    }

    static func giveBack(_ number: Int) { state.withLock { _ = $0.living.remove(number) } }

    static func lives(_ number: Int) -> Bool { state.withLock { $0.living.contains(number) } }
}

extension Renderer {
    /// Returns true if no other renderer has a unit, or the one that had it no longer exists.
    func mayHave(_ unit: UnitInstance) -> Bool {
        let owner = unit.owner.load(ordering: .relaxed)
        return owner == 0 || owner == number || !RendererNumbers.lives(owner)
    }
}
