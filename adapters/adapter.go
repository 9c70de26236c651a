// A tokenizer behind tokparity's exec protocol: go build adapter.go, exec:./adapter. Put your own into encode and decode.
package main

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"os"
)

// The ids of a text are its bytes, and 3; 1 goes before them where special tokens are added.
func encode(text []byte, addSpecial bool) []int {
	ids := map[bool][]int{false: {}, true: {1}}[addSpecial]
	for _, b := range text {
		ids = append(ids, 3+int(b))
	}
	return ids
}

type request struct {
	ID         int               `json:"id"`
	Op         string            `json:"op"`
	Texts      []json.RawMessage `json:"texts"`
	AddSpecial bool              `json:"add_special"`
}

func toBytes(raw json.RawMessage) []byte {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return []byte(text)
	}
	var coded struct{ Base64 string }
	json.Unmarshal(raw, &coded)
	bytes, _ := base64.StdEncoding.DecodeString(coded.Base64)
	return bytes
}

func main() {
	in, out := json.NewDecoder(bufio.NewReader(os.Stdin)), json.NewEncoder(os.Stdout)
	for r := (request{}); in.Decode(&r) == nil && r.Op != "bye"; r = (request{}) {
		reply := map[string]any{"id": r.ID}
		switch r.Op {
		case "hello":
			able := map[string]any{"invalid_utf8": true, "add_special": []bool{false, true}}
			reply["protocol"], reply["name"], reply["capabilities"] = 1, "bytes in Go", able
		case "open": // the model is at "path"
		case "encode":
			rows := [][]int{}
			for _, text := range r.Texts {
				rows = append(rows, encode(toBytes(text), r.AddSpecial))
			}
			reply["ids"] = rows
		default:
			reply["error"] = "unknown op " + r.Op
		}
		out.Encode(reply)
	}
}
