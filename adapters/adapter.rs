// A tokenizer behind tokparity's exec protocol: rustc -O adapter.rs, exec:./adapter. Put your own into encode.
// The requests are JSON as tokparity writes it: one object a line, ": " and ", " between, text as UTF-8.
use std::io::{self, BufRead, Write};

/// The ids of a text are its bytes, and 3; 1 goes before them where special tokens are added.
fn encode(text: &[u8], add_special: bool) -> Vec<u32> {
    let first = if add_special { vec![1] } else { vec![] };
    first.into_iter().chain(text.iter().map(|&byte| 3 + u32::from(byte))).collect()
}

/// The JSON string at the start of `rest` (behind its quote), and what follows its closing quote.
fn unescaped(rest: &[u8]) -> (Vec<u8>, &[u8]) {
    let (mut text, mut i) = (Vec::new(), 0);
    while rest[i] != b'"' {
        if rest[i] == b'\\' {
            i += 1;
            match rest[i] {
                b'n' | b't' | b'r' | b'b' | b'f' => {
                    text.push(match rest[i] { b'n' => 10, b't' => 9, b'r' => 13, b'b' => 8, _ => 12 });
                }
                b'u' => {
                    text.push(u8::from_str_radix(std::str::from_utf8(&rest[i + 1..i + 5]).unwrap(), 16).unwrap()); // a control
                    i += 4;
                }
                other => text.push(other),
            }
        } else {
            text.push(rest[i]);
        }
        i += 1;
    }
    (text, &rest[i + 1..])
}

fn main() -> io::Result<()> {
    for line in io::stdin().lock().lines() {
        let line = line?;
        let after = |key: &str| line.find(key).map(|at| &line[at + key.len()..]).unwrap_or("");
        let (id, op) = (after("\"id\": ").split(',').next().unwrap(), after("\"op\": \"").split('"').next().unwrap());
        let answer = match op {
            "bye" => break,
            "hello" => r#","protocol":1,"name":"bytes in Rust","capabilities":{"add_special":[false,true]}"#.to_string(),
            "open" => String::new(), // of a model, "path" would be read here
            "encode" => {
                let flags = &line[line.rfind(']').unwrap()..]; // behind the texts, where no text can be taken for them
                let (mut rest, mut rows) = (after("\"texts\": [").as_bytes(), Vec::new());
                while let Some(at) = rest.iter().position(|&b| b != b',' && b != b' ').filter(|&at| rest[at] == b'"') {
                    let (text, behind) = unescaped(&rest[at + 1..]);
                    rows.push(format!("{:?}", encode(&text, flags.contains("\"add_special\": true"))));
                    rest = behind;
                }
                format!(",\"ids\":[{}]", rows.join(","))
            }
            _ => ",\"error\":\"unknown op\"".to_string(),
        };
        println!("{{\"id\":{id}{answer}}}");
        io::stdout().flush()?;
    }
    Ok(())
}
