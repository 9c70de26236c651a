// Put test vectors to an engine: java -cp gson.jar:. RunVectors MODEL.vectors.json [results.jsonl], after javac -cp gson.jar *.java
// Write Engine.java: static int[] encode(byte[] text, boolean addSpecial, boolean parseSpecial) and
// static byte[] decode(int[] ids, boolean skipSpecial). What throws is the failure of that case alone. Exit code 0: all pass.
import com.google.gson.*;
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import java.util.stream.*;

class RunVectors {
  static final Gson GSON = new GsonBuilder().serializeNulls().create();

  /** The bytes of a stored text: a string, or {"base64": ...}. */
  static byte[] bytesOf(JsonElement text) {
    if (text.isJsonPrimitive()) return text.getAsString().getBytes(StandardCharsets.UTF_8);
    return Base64.getDecoder().decode(text.getAsJsonObject().get("base64").getAsString());
  }

  static String ids(int[] row) { return Arrays.stream(row).mapToObj(String::valueOf).collect(Collectors.joining(",")); }

  static int[] ids(JsonElement stored) { return GSON.fromJson(stored, int[].class); }

  /** Whether the answer (ids, bytes of a text, or null) is a stored one, which may be an FNV-1a hash. */
  static boolean matches(Object answer, JsonElement stored) {
    if (answer == null || stored.isJsonNull()) return answer == null && stored.isJsonNull();
    byte[] data = answer instanceof byte[] text ? text : ids((int[]) answer).getBytes();
    if (stored.isJsonObject() && stored.getAsJsonObject().has("fnv1a")) {
      int hash = 0x811c9dc5;
      for (byte one : data) hash = (hash ^ one & 0xff) * 0x01000193;
      return stored.getAsJsonObject().get("fnv1a").getAsString().equals(String.format("%08x", hash));
    }
    return Arrays.equals(data, stored.isJsonArray() ? ids(ids(stored)).getBytes() : bytesOf(stored));
  }

  /** JSON in ASCII, at most 200 characters. */
  static String show(Object value) {
    String shown = GSON.toJson(value).chars().mapToObj(c -> c >= ' ' && c <= '~' ? "" + (char) c : String.format("\\u%04x", c)).collect(Collectors.joining());
    return shown.substring(0, Math.min(200, shown.length()));
  }

  static List<String> names(JsonElement list) {
    return list == null ? List.of() : list.getAsJsonArray().asList().stream().map(JsonElement::getAsString).toList();
  }

  /** Name the fault with most failures, times the share of its cases that fail as it would; again with the rest. */
  static void nameFaults(JsonObject faults, List<List<String>> left, Map<String, Double> shown, Map<String, Double> met) {
    for (int all = left.size(); !left.isEmpty(); ) {
      TreeMap<String, Double> hits = new TreeMap<>();
      left.forEach(given -> given.forEach(name -> hits.merge(name, 1.0, Double::sum)));
      String best = null;
      for (String name : hits.keySet())
        if (best == null || hits.get(name) * met.get(name) / shown.get(name) > hits.get(best) * met.get(best) / shown.get(best)) best = name;
      if (best == null) { System.out.println(left.size() + " of " + all + " failures are the answers of no known fault, or of several"); return; }
      JsonObject fault = faults.getAsJsonObject(best);
      String also = names(fault.get("alike")).stream().map(name -> ", `" + name + "`").collect(Collectors.joining());
      System.out.printf("%.0f of %d failures are what an engine gives that %s: `%s`%s%n", hits.get(best), all, fault.get("does").getAsString(), best, also);
      String found = best;
      left = left.stream().filter(given -> !given.contains(found)).toList();
    }
  }

  static boolean run(JsonObject vectors, PrintStream results) {
    Map<String, Double> shown = new HashMap<>(), met = new HashMap<>();
    List<List<String>> failures = new ArrayList<>();
    for (JsonElement element : vectors.getAsJsonArray("cases")) {
      JsonObject one = element.getAsJsonObject();
      boolean encodes = one.get("ask").getAsString().equals("encode");
      JsonElement asked = one.get(encodes ? "text" : "ids");
      Object answer = null;
      try {
        if (encodes) answer = Engine.encode(bytesOf(asked), one.get("add_special").getAsBoolean(), one.get("parse_special").getAsBoolean());
        else answer = Engine.decode(ids(asked), one.get("skip_special").getAsBoolean());
      } catch (RuntimeException | Error error) { /* the failure of this case */ }
      Object spelled = answer instanceof byte[] text ? HexFormat.of().formatHex(text) : answer;
      String kind = answer == null ? "error" : encodes ? "ids" : "hex", id = one.get("id").getAsString();
      results.printf("{\"id\": %s, \"%s\": %s}%n", GSON.toJson(id), kind, GSON.toJson(spelled));
      List<String> given = new ArrayList<>();
      for (JsonElement wrong : one.getAsJsonArray("wrong")) {
        boolean same = matches(answer, wrong.getAsJsonObject().get("answer"));
        for (String name : names(wrong.getAsJsonObject().get("faults"))) {
          shown.merge(name, 1.0, Double::sum);
          met.merge(name, same ? 1.0 : 0.0, Double::sum);
          if (same) given.add(name);
        }
      }
      boolean right = matches(answer, one.get("answer"));
      if (one.has("acceptable")) for (JsonElement other : one.getAsJsonArray("acceptable")) right |= matches(answer, other.getAsJsonObject().get("answer"));
      if (right) continue;
      failures.add(given);
      System.out.printf("FAIL %s: %s: %s%n  asked %s%n  right %s%n", id, show(one.get("comment")), String.join(", ", given), show(asked), show(one.get("answer")));
      System.out.println("  yours " + show(spelled));
    }
    int cases = vectors.getAsJsonArray("cases").size();
    nameFaults(vectors.getAsJsonObject("faults"), failures, shown, met);
    System.out.println(cases - failures.size() + " of " + cases + " cases pass");
    return failures.isEmpty();
  }

  public static void main(String[] words) throws IOException {
    JsonObject vectors = null;
    try {
      vectors = JsonParser.parseString(Files.readString(Path.of(words[0]))).getAsJsonObject();
      if (!vectors.get("format").getAsString().equals("tokparity-vectors-1")) throw new IOException("its format is not tokparity-vectors-1");
    } catch (IOException | RuntimeException error) {
      System.err.println(show(words.length > 0 ? words[0] : "") + " cannot be read as test vectors: " + show(error.toString()));
      System.exit(2);
    }
    try (PrintStream results = new PrintStream(words.length > 1 ? words[1] : "/dev/null", "UTF-8")) { System.exit(run(vectors, results) ? 0 : 1); }
  }
}
