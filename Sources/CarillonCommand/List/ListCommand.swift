import ArgumentParser

/// `carillon list`: files of set lists.
struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Write, check and order set lists: files with the patches of an evening.",
        discussion: """
            A set list is a YAML file: entries in their order, each with a patch, a song or both. carillon live plays \
            it. carillon list new writes one from patches and songs; an invalid list is rejected with the line, the key and \
            the remedy.

            Examples:
              carillon list new organ.yaml strings.yaml
              carillon list new organ.yaml strings.yaml --output evening.yaml
              carillon list check evening.yaml
              carillon list order evening.yaml
              carillon list order evening.yaml strings --to 1
            """,
        subcommands: [ListNewCommand.self, ListCheckCommand.self, ListOrderCommand.self])
}
