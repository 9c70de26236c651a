// For a tokenizer in C: this file joins two C functions to run_vectors.cpp. Write them in a file of yours:
//   long encode_c(const char *text, size_t size, int add_special, int parse_special, int *ids, size_t most);
//   long decode_c(const int *ids, size_t count, int skip_special, char *text, size_t most);
// A text is `size` bytes, which may be any bytes, with a zero behind them. Return how many ids or bytes you have written,
// at most `most`, or -1 for an error. Build: cc -c mine.c && c++ -std=c++17 run_vectors.cpp engine_in_c.cpp mine.o -o run_vectors
#include <stdexcept>
#include <string>
#include <vector>
extern "C" {
long encode_c(const char *text, size_t size, int add_special, int parse_special, int *ids, size_t most);
long decode_c(const int *ids, size_t count, int skip_special, char *text, size_t most);
}
template <class Row> static Row checked(Row row, long written) {
  if (written < 0 || size_t(written) > row.size()) throw std::runtime_error("no answer");
  row.resize(written);
  return row;
}
std::vector<int> encode(const std::string &text, bool add_special, bool parse_special) {
  std::vector<int> ids(1 << 16);
  const long written = encode_c(text.c_str(), text.size(), add_special, parse_special, ids.data(), ids.size());
  return checked(ids, written);
}
std::string decode(const std::vector<int> &ids, bool skip_special) {
  std::string text(1 << 16, 0);
  const long written = decode_c(ids.data(), ids.size(), skip_special, text.data(), text.size());
  return checked(text, written);
}
