// Put test vectors to an engine: swiftc *.swift -o run_vectors && ./run_vectors MODEL.vectors.json [results.jsonl]
// Write engine.swift: func encode(_ text: [UInt8], _ addSpecial: Bool, _ parseSpecial: Bool) throws -> [Int] and
// func decode(_ ids: [Int], _ skipSpecial: Bool) throws -> [UInt8]. A text may hold any bytes. An error, or the end of the
// engine's process, fails that case alone. Exit code 0: all cases pass. Nobody has compiled this runner yet.
import Foundation
struct Damaged: Error {}
struct Value: Decodable { // ids, a text, {"base64": a text}, {"fnv1a": the hash of ids or a text}, or null
  var data: [UInt8]?, key: String? // answers are compared by the key: the hash of a text, or of ids with commas between them
  init(from decoder: Decoder) throws {
    let one = try decoder.singleValueContainer()
    if one.decodeNil() { return }
    if let ids = try? one.decode([Int].self) { data = Array(join(ids).utf8) }
    else if let text = try? one.decode(String.self) { data = Array(text.utf8) }
    else if let text = try one.decode([String: String].self)["base64"] { data = Data(base64Encoded: text).map { Array($0) } }
    key = try data.map(fnv1a) ?? one.decode([String: String].self)["fnv1a"]
    if key == nil { throw Damaged() }
  }
}
struct Case: Decodable {
  let id: String, comment: String, ask: String, answer: Value, wrong: [Other], acceptable: [Other]?
  let text: Value?, ids: [Int]?, add_special: Bool?, parse_special: Bool?, skip_special: Bool?
  var encodes: Bool { return ask == "encode" && text?.data != nil && add_special != nil && parse_special != nil }
  var decodes: Bool { return ask == "decode" && ids != nil && skip_special != nil }
  var fits: Bool { return (encodes || decodes) && id.range(of: "^[a-z]-[0-9a-f]{8}$", options: .regularExpression) != nil }
}
struct Vectors: Decodable { let format: String, model: String, counts: [String: Int], cases: [Case], faults: [String: Fault] }
struct Other: Decodable { let answer: Value, faults: [String]? }
struct Fault: Decodable { let does: String, alike: [String]? }
struct Given: Decodable { let ids: Value?, text: Value? }
func join(_ ids: [Int]) -> String { return ids.map { String($0) }.joined(separator: ",") }
func fnv1a(_ data: [UInt8]) -> String { return String(format: "%08x", data.reduce(UInt32(0x811c9dc5)) { ($0 ^ UInt32($1)) &* 0x01000193 }) }
func plain(_ line: String) -> String { return line.unicodeScalars.prefix(300).map { $0.value > 31 && $0.value < 127 ? String($0) : "?" }.joined() }
func show(_ data: [UInt8]) -> String { return String(decoding: data, as: UTF8.self).unicodeScalars.map { $0.escaped(asASCII: true) }.joined() }
func count(_ lists: [[String]]) -> [String: Double] { return lists.joined().reduce(into: [:]) { $0[$1, default: 0] += 1 } }
func worths(_ left: [[String]], _ met: [String: Double], _ shown: [String: Double]) -> [(String, Double)] {
  let found = count(left).map { (name, hits) in (name, hits * (met[name] ?? 0) / (shown[name] ?? 1)) }
  return found.sorted { $0.1 == $1.1 ? $0.0 < $1.0 : $0.1 > $1.1 } // by failures, times the share of its cases that fail as it would
}
func keep(_ line: String, in path: String, mode: String = "a") throws { if let file = fopen(path, mode) { fputs(line, file); fclose(file) } else { throw Damaged() } }
func ask(_ one: Case) -> String {
  do {
    if one.encodes { let ids = try encode(one.text!.data!, one.add_special!, one.parse_special!); return "\"ids\": [\(join(ids))]" }
    let text = try decode(one.ids!, one.skip_special!); return "\"text\": {\"base64\": \"\(Data(text).base64EncodedString())\"}"
  } catch { return "\"error\": null" }
}
func run(_ path: String, _ results: String, _ first: Int?) throws -> Bool {
  let file = try JSONDecoder().decode(Vectors.self, from: Data(contentsOf: URL(fileURLWithPath: path))), cases = file.cases
  let shown = count(cases.map { one in one.wrong.flatMap { $0.faults ?? [] } }), known = shown.keys.allSatisfy { file.faults[$0] != nil }
  guard file.format == "tokparity-vectors-1", file.counts["cases"] == cases.count, known, cases.allSatisfy({ $0.fits }) else { throw Damaged() }
  for one in cases.dropFirst(first ?? cases.count) { try keep("{\"id\": \"\(one.id)\", \(ask(one))}\n", in: results) }
  if first == nil { try keep("", in: results, mode: "w") } else { return true }
  var lines: [Substring] = [], failed: [[String]] = []
  while lines.count < cases.count { // a process of its own asks the engine, and one more where that ends too early
    try Process.run(Bundle.main.executableURL!, arguments: [path, results, String(lines.count)]).waitUntilExit()
    lines = try String(contentsOfFile: results, encoding: .utf8).split(separator: "\n")
    if lines.count < cases.count { try keep("{\"id\": \"\(cases[lines.count].id)\", \"error\": null}\n", in: results); lines.append("{}") }
  }
  for (one, line) in zip(cases, lines) {
    let given = try JSONDecoder().decode(Given.self, from: Data(line.utf8)), answer = given.ids ?? given.text
    if one.answer.key == answer?.key || (one.acceptable ?? []).contains(where: { $0.answer.key == answer?.key }) { continue }
    failed.append(one.wrong.filter { $0.answer.key == answer?.key }.flatMap { $0.faults ?? [] })
    let asked = one.text?.data.map(show) ?? join(one.ids ?? []), yours = answer?.data.map(show) ?? "an error"
    for told in ["FAIL \(one.id): \(one.comment): \(failed.last!)", "  asked \(asked)", "  yours \(yours)"] { print(plain(told)) }
  }
  var left = failed
  while let (best, _) = worths(left, count(failed), shown).first, let fault = file.faults[best] {
    let names = ([best] + (fault.alike ?? [])).joined(separator: "`, `"), rest = left.filter { !$0.contains(best) }
    print(plain("\(left.count - rest.count) of \(failed.count) failures have one known cause, an engine that \(fault.does): `\(names)`"))
    left = rest
  }
  if !left.isEmpty { print("\(left.count) of \(failed.count) failures have no known cause, or more than one") }
  print(plain("\(cases.count - failed.count) of \(cases.count) cases of \(file.model) pass"))
  return failed.isEmpty
}
@main struct RunVectors { static func main() {
    let words = CommandLine.arguments, path = words.count > 1 ? words[1] : "", results = words.count > 2 ? words[2] : "results.jsonl"
    if let passed = try? run(path, results, words.count > 3 ? Int(words[3]) : nil) { exit(passed ? 0 : 1) }
    print(plain("\(path) cannot be read as test vectors, or \(results) cannot be written"))
    exit(2)
} }
