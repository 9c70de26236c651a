// Put test vectors to an engine: javac -cp gson.jar *.java, then java -cp gson.jar:. RunVectors MODEL.vectors.json [results.jsonl]
// Write Engine.java: static int[] encode(byte[] text, boolean addSpecial, boolean parseSpecial) and
// static byte[] decode(int[] ids, boolean skipSpecial). What one throws fails that case alone. Exit code 0: all cases pass.
import com.google.gson.*;
import java.io.*;
import java.nio.file.*;
import java.util.*;
import java.util.stream.*;
import static java.nio.charset.StandardCharsets.UTF_8;

class RunVectors {
  static class Other { List<String> faults; JsonElement answer; }
  static class Case {
    String id, comment, ask; JsonElement text, answer; int[] ids; boolean add_special, parse_special, skip_special;
    List<Other> wrong, acceptable = List.of();
  }
  static class Fault { String does; List<String> alike = List.of(); }
  static class Vectors { String format, model; Map<String, Integer> counts; Map<String, Fault> faults; List<Case> cases; }
  static byte[] bytes(JsonElement text) { // of a string, or of {"base64": ...}
    if (text.isJsonPrimitive() && text.getAsJsonPrimitive().isString()) return text.getAsString().getBytes(UTF_8);
    return Base64.getDecoder().decode(text.getAsJsonObject().get("base64").getAsString());
  }
  static byte[] join(int[] ids) { return Arrays.stream(ids).mapToObj(String::valueOf).collect(Collectors.joining(",")).getBytes(); }
  static String hash(byte[] data) { // answers are compared by the FNV-1a hash of a text, or of ids with commas between them
    int hash = 0x811c9dc5;
    for (byte one : data) hash = (hash ^ one & 0xff) * 0x01000193;
    return String.format("%08x", hash);
  }
  static String key(JsonElement answer) {
    if (answer.isJsonNull()) return "error";
    if (answer.isJsonArray()) return hash(join(new Gson().fromJson(answer, int[].class)));
    JsonElement stored = answer.isJsonObject() ? answer.getAsJsonObject().get("fnv1a") : null;
    return stored == null ? hash(bytes(answer)) : stored.getAsString();
  }
  static String plain(String line) { return line.substring(0, Math.min(300, line.length())).replaceAll("[^ -~]", "?"); }
  static Map<String, Double> count(List<List<String>> lists) {
    return new TreeMap<>(lists.stream().flatMap(List::stream).collect(Collectors.groupingBy(one -> one, Collectors.summingDouble(one -> 1))));
  }
  public static void main(String[] words) {
    List<String> lines = new ArrayList<>();
    List<List<String>> failed = new ArrayList<>(), showing = new ArrayList<>();
    try (PrintStream results = new PrintStream(words.length > 1 ? words[1] : "results.jsonl", UTF_8)) {
      Vectors file = new Gson().fromJson(Files.readString(Path.of(words[0])), Vectors.class);
      boolean known = file.format.equals("tokparity-vectors-1") && file.counts.get("cases") == file.cases.size();
      if (!known) throw new IOException("it has another format, or cases are missing");
      for (Case one : file.cases) {
        byte[] text = one.ask.equals("encode") ? bytes(one.text) : null, found = null;
        int[] ids = text == null ? one.ids.clone() : null;
        try { found = text == null ? Engine.decode(ids, one.skip_special) : join(Engine.encode(text, one.add_special, one.parse_special)); }
        catch (Exception | Error error) { /* the failure of this case */ }
        String head = "FAIL " + one.id.strip() + ": " + one.comment.strip(), answer = found == null ? "error" : hash(found), ours = found == null ? "\"error\": null"
            : text == null ? "\"hex\": \"" + HexFormat.of().formatHex(found) + "\"" : "\"ids\": [" + new String(found) + "]";
        results.printf("{\"id\": %s, %s}%n", new Gson().toJson(one.id), ours);
        List<String> given = new ArrayList<>();
        for (Other other : one.wrong) { showing.add(other.faults); if (key(other.answer).equals(answer)) given.addAll(other.faults); }
        if (key(one.answer).equals(answer) || one.acceptable.stream().anyMatch(other -> key(other.answer).equals(answer))) continue;
        failed.add(given);
        lines.add(head + ": " + String.join(", ", given));
        lines.addAll(List.of("  asked " + (text == null ? Arrays.toString(ids) : one.text), "  right " + one.answer, "  yours " + ours));
      }
      Map<String, Double> shown = count(showing), met = count(failed);
      for (String name : shown.keySet()) file.faults.get(name).does.strip();
      for (List<List<String>> left = failed; !left.isEmpty(); ) { // by failures, times the share of the fault's cases that fail as it would
        Map<String, Double> hits = count(left);
        Comparator<String> worth = Comparator.comparing(name -> hits.get(name) * met.get(name) / shown.get(name));
        String best = hits.keySet().stream().max(worth).orElse(null), of = " of " + failed.size() + " failures have ";
        if (best == null) { lines.add(left.size() + of + "no known cause, or more than one"); break; }
        String names = file.faults.get(best).alike.stream().map(name -> ", `" + name + "`").collect(Collectors.joining());
        lines.add(hits.get(best).intValue() + of + "one known cause, an engine that " + file.faults.get(best).does + ": `" + best + "`" + names);
        left = left.stream().filter(given -> !given.contains(best)).toList();
      }
      lines.add(file.cases.size() - failed.size() + " of " + file.cases.size() + " cases of " + file.model.strip() + " pass");
    } catch (IOException | RuntimeException | StackOverflowError error) {
      System.err.println(plain(Arrays.toString(words) + " cannot be read as test vectors: " + error));
      System.exit(2);
    }
    lines.forEach(line -> System.out.println(plain(line)));
    System.exit(failed.isEmpty() ? 0 : 1);
  }
}
