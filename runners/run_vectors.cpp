// Put test vectors to an engine: c++ -std=c++17 *.cpp -o run_vectors && ./run_vectors MODEL.vectors.json [results.jsonl]
// It needs POSIX and nlohmann/json.hpp, a single header. Write encode and decode in engine.cpp. A text may hold any bytes.
// What a function throws fails that case alone, and so does a signal, such as SIGSEGV. Exit code 0: all cases pass.
#include <csetjmp>
#include <csignal>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
using nlohmann::json, std::string, std::vector;
vector<int> encode(const string &text, bool add_special, bool parse_special);
string decode(const vector<int> &ids, bool skip_special);

static sigjmp_buf back;
static string show(const json &value) { return value.dump(-1, ' ', true, json::error_handler_t::replace).substr(0, 300); }
static string plain(const json &text) { return show(text.get_ref<const string &>()).substr(1, show(text).size() - 2); }
static string bytes(const json &text) { // of a string, or of {"base64": ...}
  if (text.is_string()) return text;
  string out, digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  unsigned bits = 0, n = 0;
  for (char one : text.at("base64").get<string>())
    if (one != '=' && (bits = bits << 6 | unsigned(digits.find(one)), n += 6) >= 8) out += char(bits >> (n -= 8));
  return out;
}
static json key(const json &answer) { // the FNV-1a hash of a text, or of ids with commas between them, to compare answers by
  if (answer.is_null()) return answer;
  if (answer.is_object() && answer.contains("fnv1a")) return std::stoul(answer["fnv1a"].get<string>(), nullptr, 16);
  unsigned hash = 0x811c9dc5;
  for (unsigned char byte : answer.is_array() ? answer.dump() : bytes(answer))
    if (!answer.is_array() || (byte != '[' && byte != ']')) hash = (hash ^ byte) * 0x01000193;
  return hash;
}
int main(int count, char **words) try {
  std::ifstream file(count > 1 ? words[1] : "");
  const json vectors = json::parse(file), faults = vectors.at("faults"), cases = vectors.at("cases");
  bool known = vectors.at("format") == "tokparity-vectors-1" && vectors.at("counts").at("cases") == cases.size();
  if (!known || !vectors.at("model").is_string()) throw std::runtime_error("it has another format, or cases are missing");
  std::ofstream results(count > 2 ? words[2] : "results.jsonl");
  for (int number : {SIGSEGV, SIGABRT, SIGFPE, SIGILL, SIGBUS}) signal(number, [](int) { siglongjmp(back, 1); });
  vector<json> left;
  std::map<string, double> shown, met, hits;
  std::ostringstream told; // printed in the end, so that a damaged file is one line
  for (auto &one : cases) {
    bool encodes = one.at("ask") == "encode";
    json answer, given = json::array(), asked = one.at(encodes ? "text" : "ids"), right = {key(one.at("answer"))}, spelled;
    string text = encodes ? bytes(asked) : "", id = plain(one.at("id")), comment = plain(one.at("comment"));
    vector<int> ids = encodes ? vector<int>() : asked.get<vector<int>>();
    if (!sigsetjmp(back, 1)) try {
      if (encodes) spelled = answer = encode(text, one["add_special"], one["parse_special"]);
      else answer = decode(ids, one["skip_special"]), spelled = "";
    } catch (...) {}
    for (unsigned char byte : answer.is_string() ? answer.get<string>() : "")
      for (int half : {byte / 16, byte % 16}) spelled.get_ref<string &>() += "0123456789abcdef"[half];
    results << json{{"id", id}, {answer.is_null() ? "error" : encodes ? "ids" : "hex", spelled}} << std::endl;
    for (auto &other : one.value("acceptable", json::array())) right.push_back(key(other.at("answer")));
    for (auto &wrong : one.at("wrong")) for (string name : wrong.at("faults"))
      if (plain(faults.at(name).at("does")), shown[name]++, key(wrong.at("answer")) == key(answer)) met[name]++, given.push_back(name);
    if (std::count(right.begin(), right.end(), key(answer))) continue;
    left.push_back(given);
    told << "FAIL " << id << ": " << comment << ": " << show(given) << "\n  asked " << show(asked) << "\n  right "
         << show(one["answer"]) << "\n  yours " << show(answer) << "\n";
  }
  size_t failed = left.size(), passed = cases.size() - failed;
  while (!left.empty()) { // the fault with most failures, times the share of its cases that fail as it would
    string best, of = " of " + std::to_string(failed) + " failures have ";
    hits.clear();
    for (auto &given : left) for (string name : given) hits[name]++;
    for (auto &[name, n] : hits) if (best.empty() || n * met[name] / shown[name] > hits[best] * met[best] / shown[best]) best = name;
    if (best.empty()) { told << left.size() << of << "no known cause, or more than one\n"; break; }
    told << hits[best] << of << "one known cause, an engine that " << plain(faults[best]["does"]) << ": `" << plain(best) << "`";
    for (auto &name : faults[best].value("alike", json::array())) told << ", `" << plain(name) << "`";
    auto has = [&](json &given) { return std::count(given.begin(), given.end(), best) > 0; };
    left.erase(std::remove_if(left.begin(), left.end(), has), left.end()), told << "\n";
  }
  std::cout << told.str() << passed << " of " << cases.size() << " cases of " << plain(vectors["model"]) << " pass\n";
  return failed > 0;
} catch (const std::exception &error) {
  std::cerr << show(count > 1 ? words[1] : "") << " cannot be read as test vectors: " << show(error.what()) << "\n";
  return 2;
}
