// An engine whose answers stand in answers.txt.
import Foundation

struct NoAnswer: Error {}

let answers: [String: String] = {
  var found: [String: String] = [:]
  for line in (try? String(contentsOfFile: "answers.txt", encoding: .utf8))?.split(separator: "\n") ?? [] {
    let parts = line.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false)
    found[String(parts[0])] = String(parts[1])
  }
  return found
}()

func find(_ key: String) throws -> String {
  guard let found = answers[key] else { throw NoAnswer() }
  if found == "!" { fatalError("the engine dies") }
  return found
}

func encode(_ text: [UInt8], _ addSpecial: Bool, _ parseSpecial: Bool) throws -> [Int] {
  let hex = text.map { String(format: "%02x", $0) }.joined()
  let found = try find("e \(hex) \(addSpecial ? 1 : 0)\(parseSpecial ? 1 : 0)")
  return found.split(separator: ",").compactMap { Int($0) }
}

func decode(_ ids: [Int], _ skipSpecial: Bool) throws -> [UInt8] {
  let found = Array(try find("d \(ids.map { String($0) }.joined(separator: ",")) \(skipSpecial ? 1 : 0)"))
  return stride(from: 0, to: found.count, by: 2).compactMap { UInt8(String(found[$0..<$0 + 2]), radix: 16) }
}
