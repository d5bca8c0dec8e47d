import AudioFiles
import Carillon
import Glibc
import Reports

/// Recipes: fields of jobs that a batch, or a line of it, has beneath its own. Each file is read once.
final class BatchRecipes {
    private let common: [String: JSONValue]
    var text: String { JSONOutput.plain(common) }
    private var read: [String: [String: JSONValue]] = [:]
    private static let longest = 1 << 24

    init(_ setup: Batch.Setup) throws(Fault) {
        guard let source = setup.recipe else {
            common = [:]
            return
        }
        let isObject = source.first == "{", name = isObject ? setup.recipeTitle : source
        common = try Self.fields(isObject ? source : Self.text(source), name)
        // Here a name is an option's, or nearly so by mistake.
        let known = setup.options, all = known.union(BatchJob.ownFields).sorted()
        for field in common.keys.sorted() where !all.contains(field) {
            let near = BatchOptions.meant(field, known) ?? NearName.of(field, among: all)
            if let near { throw Fault("\(name): there is no option \(field); did you mean \(near)?", .data) }
        }
    }

    /// The recipe that a line names, else that of the batch.
    func fields(_ named: JSONValue?) throws(Fault) -> [String: JSONValue] {
        switch named {
        case nil, .null?: return common
        case .object(let members)?: return try Self.checked(members, "recipe")
        case .text(let path)?:
            if let known = read[path] { return known }
            let fields = try Self.fields(Self.text(path), path)
            read[path] = fields
            return fields
        default: throw Fault("recipe is an object, or the path of a file with one", .data)
        }
    }

    private static func text(_ path: String) throws(Fault) -> String {
        do { return try BoundedFile.text(path: path, limit: longest) } catch {
            switch error {
            case .cannotRead(let code):
                throw Fault("\(path): the recipe cannot be read (\(SystemFault(code: code)))", .noInput)
            case .tooLarge: throw Fault("\(path): a recipe has \(longest >> 20) MiB at most", .data)
            }
        }
    }

    private static func fields(_ text: String, _ name: String) throws(Fault) -> [String: JSONValue] {
        do {
            guard case .object(let members) = try JSONValue(text: text) else {
                throw Fault("\(name): a recipe is a JSON object", .data)
            }
            return try checked(members, name)
        } catch let fault as Fault { throw fault } catch {
            throw Fault("\(name): no JSON object: \(BatchJob.reason(error))", .data)
        }
    }

    private static func checked(_ members: [String: JSONValue], _ name: String) throws(Fault) -> [String: JSONValue] {
        if let own = ["song", "bytes", "recipe", "seed"].first(where: { members[$0] != nil }) {
            throw Fault("\(name): \(own) belongs to a job, not to a recipe", .data)
        }
        for (field, value) in members {
            if case .object(let inner) = value, !BatchDraw.words.contains(where: { inner[$0] != nil }) {
                for (key, value) in inner { _ = try BatchDraw(value, field: "\(name): \(field).\(key)") }
            } else {
                _ = try BatchDraw(value, field: "\(name): \(field)")
            }
        }
        return members
    }
}
