import Glibc

/// The names in folders, each folder read once: finds files that a text writes with other letters of upper and lower case.
struct FolderNames {
    private var folders: [String: [String: [String]]] = [:]

    /// The file that `name` means in the folder of `file` where only letters of upper and lower case differ, named as it is called;
    /// nil where there is none, more than one, or one of just that name, which cannot be opened.
    mutating func inOtherCase(_ file: String, _ name: String) -> String? {
        let wanted = SFZText.joined("", name), parts = wanted.split(separator: "/").map(String.init)
        var folder = wanted.hasPrefix("/") ? "/" : SFZText.joined(file, ""), found: [String] = []
        for part in parts {
            if part == "." || part == ".." {
                found.append(part)
            } else {
                let same = names(in: folder.isEmpty ? "." : folder)[part.lowercased()] ?? []
                guard same.count == 1 || same.contains(part) else { return nil }
                found.append(same.contains(part) ? part : same[0])
            }
            folder += "\(found[found.count - 1])/"
        }
        return found == parts ? nil : (wanted.hasPrefix("/") ? "/" : "") + found.joined(separator: "/")
    }

    private mutating func names(in folder: String) -> [String: [String]] {
        if let known = folders[folder] { return known }
        var names: [String: [String]] = [:]
        if let stream = opendir(folder) {
            defer { closedir(stream) }
            while let entry = readdir(stream) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
                    name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                names[name.lowercased(), default: []].append(name)
            }
        }
        folders[folder] = names
        return names
    }
}
