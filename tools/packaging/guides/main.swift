import Foundation

let samples = coreDataGuide + replicationGuide + kinveyGuide + dataStoreGuide
var failures = 0
for sample in samples {
  let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
  do {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    try sample.run(folder.path)
    print("ok      \(sample.name)")
  } catch {
    failures += 1
    print("failed  \(sample.name): \(error)")
  }
}
print("\(samples.count - failures) of \(samples.count) samples")
exit(failures == 0 ? 0 : 1)
