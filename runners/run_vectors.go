// Put test vectors to an engine: go run *.go MODEL.vectors.json [results.jsonl]. Write engine.go in the package main, with
// func encode(text []byte, addSpecial, parseSpecial bool) []int and func decode(ids []int, skipSpecial bool) []byte.
// A text may hold any bytes. What panics fails that case alone. Exit code 0: all cases pass.
package main

import ("encoding/json"; "errors"; "fmt"; "hash/fnv"; "os"; "strconv"; "strings")

type text []byte
type answer struct { key string; given bool } // the FNV-1a hash by which answers are compared; empty for an error
type other struct { Faults []string; Answer answer }
type vector struct {
	ID, Comment, Ask string; Text text; Ids []int; Answer answer; Wrong, Acceptable []other
	Add_special, Parse_special, Skip_special bool
}
func key(data []byte) string { h := fnv.New32a(); h.Write(data); return fmt.Sprintf("%08x", h.Sum32()) }
func join(ids []int) []byte { return []byte(strings.Trim(strings.ReplaceAll(fmt.Sprint(ids), " ", ","), "[]")) }
func plain(line string) string { return strings.Trim(strconv.QuoteToASCII(line), `"`) } // no control characters
func (t *text) UnmarshalJSON(data []byte) (err error) { // a string, or {"base64": ...}
	var spelled struct { Base64 *[]byte }; var plain *string
	if json.Unmarshal(data, &plain) == nil && plain != nil { *t = text(*plain); return nil }
	if err = json.Unmarshal(data, &spelled); err == nil && spelled.Base64 == nil { return errors.New("a text is damaged") }
	if err == nil { *t = *spelled.Base64 }
	return err
}
func (a *answer) UnmarshalJSON(data []byte) (err error) { // ids, a text, the hash of either, or null
	var ids []int; var spelled text; var hashed struct { Fnv1a string }
	a.given = true
	if string(data) == "null" { return nil }
	if json.Unmarshal(data, &ids) == nil { a.key = key(join(ids)); return nil }
	if json.Unmarshal(data, &hashed) == nil && hashed.Fnv1a != "" { a.key = hashed.Fnv1a; return nil }
	err = json.Unmarshal(data, &spelled)
	a.key = key(spelled)
	return err
}
func ask(one vector) (kind, spelled, found string) { // the last is the hash
	defer func() { if recover() != nil { kind, spelled, found = "error", "null", "" } }()
	if one.Ask == "decode" { data := decode(one.Ids, one.Skip_special); return "hex", fmt.Sprintf(`"%x"`, data), key(data) }
	data := join(encode(one.Text, one.Add_special, one.Parse_special))
	return "ids", "[" + string(data) + "]", key(data)
}
func main() {
	var file struct { Format, Model string; Counts map[string]int; Cases []vector; Faults map[string]struct { Does string; Alike []string } }
	words := append(os.Args, "", "")
	data, err := os.ReadFile(words[1])
	if err == nil { err = json.Unmarshal(data, &file) }
	known := err == nil && file.Model != "" && file.Format == "tokparity-vectors-1" && file.Counts["cases"] == len(file.Cases)
	shown, met, failed := map[string]float64{}, map[string]float64{}, [][]string{}
	for _, one := range file.Cases {
		known = known && one.ID != "" && one.Comment != "" && one.Answer.given && one.Wrong != nil && (one.Ask == "encode") == (one.Text != nil) && (one.Ask == "decode") == (one.Ids != nil)
		for _, wrong := range one.Wrong { for _, name := range wrong.Faults { shown[name]++; known = known && wrong.Answer.given && file.Faults[name].Does != "" } }
	}
	if !known { fmt.Fprintf(os.Stderr, "%+q cannot be read as test vectors: it is damaged, or of another format %+q\n", words[1], fmt.Sprint(err)); os.Exit(2) }
	if words[2] == "" { words[2] = "results.jsonl" }
	results, err := os.Create(words[2])
	if err != nil { fmt.Fprintf(os.Stderr, "%+q cannot be written\n", words[2]); os.Exit(2) }
	for _, one := range file.Cases {
		kind, spelled, found := ask(one)
		fmt.Fprintf(results, "{\"id\": \"%s\", \"%s\": %s}\n", plain(one.ID), kind, spelled)
		given, right := []string{}, one.Answer.key == found
		for _, wrong := range one.Wrong { if wrong.Answer.key == found { given = append(given, wrong.Faults...) } }
		for _, also := range one.Acceptable { right = right || also.Answer.key == found }
		if right { continue }
		failed = append(failed, given)
		for _, name := range given { met[name]++ }
		fmt.Printf("FAIL %s: %+q: %+q\n  asked %+q %v\n  yours %s\n", plain(one.ID), one.Comment, given, one.Text, one.Ids, spelled)
	}
	for left := failed; len(left) > 0; { // the fault with most failures, times the share of its cases that fail as it would
		hits, best, rest := map[string]float64{}, "", [][]string{}
		for _, given := range left { for _, name := range given { hits[name]++ } }
		worth := func(name string) float64 { return hits[name] * met[name] / shown[name] }
		for name := range hits { if best == "" || worth(name) > worth(best) || worth(name) == worth(best) && name < best { best = name } }
		if best == "" { fmt.Printf("%d of %d failures have no known cause, or more than one\n", len(left), len(failed)); break }
		names := strings.Join(append([]string{best}, file.Faults[best].Alike...), "`, `")
		fmt.Printf("%v of %d failures have one known cause, an engine that %s: `%s`\n", hits[best], len(failed), plain(file.Faults[best].Does), plain(names))
		for _, given := range left { if !strings.Contains(" "+strings.Join(given, " ")+" ", " "+best+" ") { rest = append(rest, given) } }
		left = rest
	}
	fmt.Printf("%d of %d cases of %s pass\n", len(file.Cases)-len(failed), len(file.Cases), plain(file.Model))
	if len(failed) > 0 { os.Exit(1) }
}
