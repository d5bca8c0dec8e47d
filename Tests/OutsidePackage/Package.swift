// swift-tools-version: 6.2
import PackageDescription

// A package of somebody else's that uses Carillon. `tools/test` builds and runs it.
let package = Package(
    name: "Outside",
    dependencies: [.package(name: "Carillon", path: "../..")],
    targets: [
        .executableTarget(name: "Outside", dependencies: [.product(name: "Carillon", package: "Carillon")]),
        .executableTarget(name: "Player", dependencies: [.product(name: "Carillon", package: "Carillon")]),
    ],
    swiftLanguageModes: [.v6]
)
