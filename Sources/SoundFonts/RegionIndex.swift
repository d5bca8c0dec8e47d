// [render]
import MIDI

/// The recipes of one sound of SFZ regions by what may start them, so that an event visits no others.
package struct RegionIndex: BitwiseCopyable, Sendable {
    /// Places in the book's `order`, whose numbers are those of recipes.
    package struct Run: BitwiseCopyable, Sendable, Equatable {
        package var first: Int32 = 0, count: Int32 = 0
    }

    /// What each key may start when it goes down, and when it goes up.
    private var struck = InlineArray<128, Run>(repeating: Run()), released = InlineArray<128, Run>(repeating: Run())
    /// What controllers may start.
    package private(set) var controlled = Run()
    /// The keys that choose among regions.
    package private(set) var switches = KeySet()

    /// Appends its runs to `order`. Control side.
    init(_ sound: Sound, of list: RecipeList, to order: inout [Int32]) {
        var keysDown: [Int32] = [], keysUp: [Int32] = [], started: [Int32] = []
        for index in sound.first..<sound.first + sound.count {
            let rule = list.regions.plans[Int(list.recipes[Int(index)].plan)].rule
            if rule.lowestKey <= rule.highestKey {
                switch rule.trigger {
                case .attack, .first, .legato: keysDown.append(index)
                case .release, .releaseKey: keysUp.append(index)
                case .controller: break
                }
            }
            if rule.triggerCount > 0 { started.append(index) }
            if rule.lowestSwitch < 0 { continue }
            for (low, high) in [(rule.lowestSwitch, rule.highestSwitch), (rule.lowestSwitchKey, rule.highestSwitchKey)] {
                if low >= 0, low <= high { for key in low...high { switches.set(UInt8(key), true) } }
            }
        }
        struck = Self.runs(of: keysDown, list.recipes, to: &order)
        released = Self.runs(of: keysUp, list.recipes, to: &order)
        controlled = Run(first: Int32(order.count), count: Int32(started.count))
        order += started
    }

    @_noLocks package func struck(by key: UInt8) -> Run { struck[Int(key & 127)] }
    @_noLocks package func released(by key: UInt8) -> Run { released[Int(key & 127)] }

    /// A run for each key; neighbours with the same recipes share one.
    private static func runs(
        of candidates: [Int32], _ recipes: [Recipe], to order: inout [Int32]
    ) -> InlineArray<128, Run> {
        var runs = InlineArray<128, Run>(repeating: Run()), differs = [Bool](repeating: false, count: 129)
        for index in candidates {
            differs[Int(recipes[Int(index)].lowestKey)] = true
            differs[Int(recipes[Int(index)].highestKey) + 1] = true
        }
        for key in 0..<128 {
            if key > 0, !differs[key] {
                runs[key] = runs[key - 1]
                continue
            }
            let first = order.count
            order += candidates.filter { index in
                recipes[Int(index)].lowestKey <= UInt8(key) && recipes[Int(index)].highestKey >= UInt8(key)
            }
            runs[key] = Run(first: Int32(first), count: Int32(order.count - first))
        }
        return runs
    }
}
