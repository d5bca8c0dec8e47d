// What `import Foundation` brings on Apple beside Foundation itself.
@_exported import CMacTypes
@_exported import Foundation
@_exported import FoundationNetworking
