// Put test vectors to an engine: c++ -std=c++17 *.cpp -o run_vectors && ./run_vectors MODEL.vectors.json [results.jsonl]
// It needs nlohmann/json.hpp, a single header. Write encode and decode in engine.cpp. A text may hold any bytes. What a
// function throws is the failure of that case alone. Exit code 0: all cases pass.
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
using nlohmann::json, std::string;
std::vector<int> encode(const string &text, bool add_special, bool parse_special);
string decode(const std::vector<int> &ids, bool skip_special);
static const string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// A stored answer or text; of {"base64": ...} the bytes.
static json plain(const json &stored) {
  if (!stored.is_object() || !stored.contains("base64")) return stored;
  string out;
  unsigned bits = 0, n = 0;
  for (char one : stored["base64"].get<string>())
    if (one != '=' && (bits = bits << 6 | unsigned(digits.find(one)), n += 6) >= 8) out += char(bits >> (n -= 8));
  return out;
}
static string hex(unsigned number, const char *format) {
  char text[9];
  snprintf(text, sizeof text, format, number);
  return text;
}
// Whether the answer is a stored one, which may be an FNV-1a hash.
static bool matches(const json &answer, const json &stored) {
  if (answer.is_null() || !stored.is_object() || !stored.contains("fnv1a")) return answer == plain(stored);
  string text = answer.is_array() ? answer.dump().substr(1) : answer.get<string>();
  if (answer.is_array()) text.pop_back();
  unsigned hash = 0x811c9dc5;
  for (unsigned char byte : text) hash = (hash ^ byte) * 0x01000193;
  return stored["fnv1a"] == hex(hash, "%08x");
}
static string show(const json &value) {
  return value.dump(-1, ' ', true, json::error_handler_t::replace).substr(0, 200);
}

// Name the fault with most failures, times the share of its cases that fail as it would; again with the rest.
using Counts = std::map<string, double>;
static void name_faults(const json &faults, std::vector<json> left, Counts &shown, Counts &met) {
  for (size_t all = left.size(); !left.empty();) {
    string best;
    Counts hits, worth;
    for (auto &given : left) for (auto &name : given) hits[name]++;
    for (auto &[name, n] : hits)
      if ((worth[name] = n * met[name] / shown[name]) > worth[best]) best = name;
    std::cout << (best.empty() ? left.size() : hits[best]) << " of " << all << " failures are ";
    if (best.empty()) return void(std::cout << "the answers of no known fault, or of several\n");
    std::cout << "what an engine gives that " << faults[best]["does"].get<string>() << ": `" << best << "`";
    for (auto &name : faults[best].value("alike", json::array())) std::cout << ", `" << name.get<string>() << "`";
    std::cout << "\n";
    auto has = [&](json &given) { return std::count(given.begin(), given.end(), best) > 0; };
    left.erase(std::remove_if(left.begin(), left.end(), has), left.end());
  }
}

int main(int count, char **words) try {
  std::ifstream file(words[count > 1 ? 1 : 0]);
  json vectors = json::parse(file);
  if (vectors.at("format") != "tokparity-vectors-1") throw std::runtime_error("its format is not tokparity-vectors-1");
  std::ofstream results(count > 2 ? words[2] : "/dev/null");
  std::vector<json> failures;
  Counts shown, met;
  for (auto &one : vectors["cases"]) {
    bool encodes = one["ask"] == "encode";
    json answer, given = json::array(), asked = one[encodes ? "text" : "ids"], result = {{"id", one["id"]}};
    try {
      if (encodes) answer = result["ids"] = encode(plain(asked), one["add_special"], one["parse_special"]);
      else answer = decode(asked, one["skip_special"]);
      string digits;
      for (unsigned char byte : encodes ? "" : answer.get<string>()) digits += hex(byte, "%02x");
      if (!encodes) result["hex"] = digits;
    } catch (...) {
      result["error"] = nullptr;
    }
    results << result << std::endl;
    for (auto &wrong : one["wrong"]) for (auto &name : wrong["faults"])
      if (shown[name]++, matches(answer, wrong["answer"])) met[name]++, given.push_back(name);
    bool right = matches(answer, one["answer"]);
    for (auto &other : one.value("acceptable", json::array())) right = right || matches(answer, other["answer"]);
    if (right) continue;
    failures.push_back(given);
    std::cout << "FAIL " << one["id"].get<string>() << ": " << show(one["comment"]) << ": " << given << "\n  asked "
              << show(asked) << "\n  right " << show(one["answer"]) << "\n  yours " << show(answer) << "\n";
  }
  name_faults(vectors["faults"], failures, shown, met);
  std::cout << vectors["cases"].size() - failures.size() << " of " << vectors["cases"].size() << " cases pass\n";
  return failures.empty() ? 0 : 1;
} catch (const std::exception &error) {
  std::cerr << show(count > 1 ? words[1] : "") << " cannot be read as test vectors: " << show(error.what()) << "\n";
  return 2;
}
