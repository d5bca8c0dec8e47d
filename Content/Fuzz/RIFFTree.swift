/// A RIFF file taken apart, so that a damaged chunk can be put back into a file whose lengths are right: a loader gets
/// to see the damage instead of stopping at the first length.
struct RIFFTree {
    let name: [UInt8]
    /// The form of a RIFF or LIST chunk; nil for a leaf.
    let form: [UInt8]?
    var children: [RIFFTree] = []
    var body: [UInt8] = []

    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 12, bytes.starts(with: Array("RIFF".utf8)) else { return nil }
        self.init(bytes[...], depth: 0)
    }

    private init?(_ bytes: ArraySlice<UInt8>, depth: Int) {
        name = Array(bytes.prefix(4))
        let content = bytes.dropFirst(8)
        guard name == Array("RIFF".utf8) || name == Array("LIST".utf8), content.count >= 4, depth < 8 else {
            form = nil
            body = Array(content)
            return
        }
        form = Array(content.prefix(4))
        var rest = content.dropFirst(4)
        while rest.count >= 8 {
            let size = (0..<4).reduce(0) { $0 | Int(rest[rest.startIndex + 4 + $1]) << (8 * $1) }
            guard size <= rest.count - 8, let child = RIFFTree(rest.prefix(8 + size), depth: depth + 1)
            else { return nil }
            children.append(child)
            rest = rest.dropFirst(8 + size + size % 2)
        }
    }

    var bytes: [UInt8] {
        let content = form.map { $0 + children.flatMap(\.bytes) } ?? body
        let size = (0..<4).map { UInt8(truncatingIfNeeded: content.count >> (8 * $0)) }
        return name + size + content + (content.count % 2 == 0 ? [] : [0])
    }

    var leafCount: Int { form == nil ? 1 : children.reduce(0) { $0 + $1.leafCount } }

    mutating func changeLeaf(_ index: Int, _ change: (_ name: [UInt8], _ body: inout [UInt8]) -> Void) {
        if form == nil { return change(name, &body) }
        var index = index
        for child in children.indices {
            let count = children[child].leafCount
            if index < count { return children[child].changeLeaf(index, change) }
            index -= count
        }
    }
}
