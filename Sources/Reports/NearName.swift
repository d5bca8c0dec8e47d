/// The name that was probably meant by one that does not exist. Control side.
package enum NearName {
    /// The nearest of `names`, nil if none is near: a name of which `text` is the beginning (three letters or more), or
    /// one that differs in a letter or two, by swapped neighbours too; one letter for each three that both have. A name
    /// that is the last word of `text` (`rate` for `sample-rate`) is near, and one that begins almost like `text`.
    ///
    /// Source of the distance: optimal string alignment (Damerau 1964).
    package static func of(_ text: String, among names: [String]) -> String? {
        let wanted = text.lowercased()
        var best: (name: String, distance: Int)?
        for name in names {
            let known = name.lowercased()
            let letters = min(wanted.count, known.count)
            let isBeginning = wanted.count >= 3 && known.hasPrefix(wanted)
            let isLastWord = known.count >= 3 && wanted.hasSuffix("-" + known)
            var distance = isBeginning || isLastWord ? 1 : distance(Array(wanted), Array(known))
            // Four letters, one of them wrong, and not written to the end.
            if letters >= 4, known.count > wanted.count, distance > 1,
                self.distance(Array(wanted), Array(known.prefix(wanted.count))) == 1
            {
                distance = 1
            }
            if distance <= letters / 3, distance < best?.distance ?? .max { best = (name, distance) }
        }
        return best?.name
    }

    /// `; did you mean reverb?`, or nothing.
    package static func question(_ text: String, among names: [String]) -> String {
        of(text, among: names).map { "; did you mean \($0)?" } ?? ""
    }

    /// `did you mean reverb? Else choose from mixer, strip-1 ... strip-16, limiter and 12 more`; without a near name only the choice.
    /// The near name comes first: a narrow screen may cut off what follows it.
    package static func choice(_ text: String, among names: [String], limit: Int = NameList.most) -> String {
        let near = of(text, among: names)
        return (near.map { "did you mean \($0)? Else " } ?? "") + "choose from \(NameList.short(names, limit: limit))"
    }

    /// Letters to put in, take out, replace or swap with their neighbour.
    private static func distance(_ a: [Character], _ b: [Character]) -> Int {
        var before: [Int] = [], last = Array(0...b.count)
        for i in a.indices {
            var row = [i + 1]
            for j in b.indices {
                var least = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { least = min(least, before[j - 1] + 1) }
                row.append(least)
            }
            (before, last) = (last, row)
        }
        return last[b.count]
    }
}
