/// Names for the layers of `carillon play`.
enum PlayLayers {
    static func name(of path: String, beside others: [String]) -> String {
        let file = path.split(separator: "/").last.map(String.init) ?? path
        let base = file.lastIndex(of: ".").map { $0 == file.startIndex ? file : String(file[..<$0]) } ?? file
        var name = base, number = 1
        while others.contains(name) {
            number += 1
            name = "\(base)-\(number)"
        }
        return name
    }
}
