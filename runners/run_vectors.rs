//! Put test vectors to an engine: cargo run -- MODEL.vectors.json [results.jsonl], with serde_json and this as src/main.rs.
//! Write src/engine.rs: encode(&[u8], add_special, parse_special) -> Vec<u32> and decode(&[u32], skip_special) -> Vec<u8>.
//! A text may hold any bytes. What panics is the failure of that case alone. Exit code 0: all cases pass.
mod engine;
use serde_json::{json, Value};
use std::{collections::BTreeMap, error::Error, fs, io::Write, panic};
type Counts<'a> = BTreeMap<&'a str, f64>;

/// The bytes of a stored text: a string, or {"base64": ...}.
fn bytes_of(text: &Value) -> Vec<u8> {
    let Some(spelled) = text["base64"].as_str() else { return text.as_str().unwrap_or("").into() };
    let digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bits, mut count, mut out) = (0u32, 0, Vec::new());
    for value in spelled.chars().filter_map(|one| digits.find(one)) {
        (bits, count) = (bits << 6 | value as u32, count + 6);
        if count >= 8 { count -= 8; out.push((bits >> count) as u8) }
    }
    out
}
fn hex(text: &[u8]) -> Value { text.iter().map(|byte| format!("{byte:02x}")).collect::<String>().into() }
fn list(value: &Value) -> impl Iterator<Item = &Value> { value.as_array().into_iter().flatten() }
fn names(value: &Value) -> impl Iterator<Item = &str> { list(value).filter_map(Value::as_str) }
fn show(value: &Value) -> String { value.to_string().escape_default().take(200).collect() }

/// Whether the answer (ids, the hex digits of a text, or null) is a stored one, which may be an FNV-1a hash.
fn matches(answer: &Value, data: &[u8], stored: &Value) -> bool {
    match stored["fnv1a"].as_str() {
        Some(hash) => hash == format!("{:08x}", data.iter().fold(0x811c9dc5u32, |h, b| (h ^ *b as u32).wrapping_mul(0x01000193))),
        None if stored.is_null() || stored.is_array() => answer == stored,
        None => *answer == hex(&bytes_of(stored)),
    }
}

/// Name the fault with most failures, times the share of its cases that fail as it would; again with the rest.
fn name_faults(faults: &Value, mut left: Vec<Vec<&str>>, shown: &Counts, met: &Counts) {
    let all = left.len();
    while !left.is_empty() {
        let mut hits = Counts::new();
        for name in left.iter().flatten() { *hits.entry(name).or_default() += 1.0 }
        let worth = |name: &str| hits[name] * met[name] / shown[name];
        let Some(best) = hits.keys().copied().reduce(|a, b| if worth(b) > worth(a) { b } else { a }) else {
            return println!("{} of {all} failures are the answers of no known fault, or of several", left.len());
        };
        let also: String = names(&faults[best]["alike"]).map(|name| format!(", `{name}`")).collect();
        let does = faults[best]["does"].as_str().unwrap_or("");
        println!("{} of {all} failures are what an engine gives that {does}: `{best}`{also}", hits[best]);
        left.retain(|given| !given.contains(&best));
    }
}

fn run(path: &str, results: &str) -> Result<bool, Box<dyn Error>> {
    let vectors: Value = serde_json::from_str(&fs::read_to_string(path)?)?;
    if vectors["format"] != "tokparity-vectors-1" { return Err("its format is not tokparity-vectors-1".into()) }
    let (mut out, mut count) = (fs::File::create(results)?, 0);
    let (mut shown, mut met, mut failures) = (Counts::new(), Counts::new(), Vec::new());
    for case in list(&vectors["cases"]) {
        count += 1;
        let (encodes, flag) = (case["ask"] == "encode", |name: &str| case[name] == true);
        let asked = &case[if encodes { "text" } else { "ids" }];
        let (answer, data) = panic::catch_unwind(|| if encodes {
            let ids = engine::encode(&bytes_of(asked), flag("add_special"), flag("parse_special"));
            let data = ids.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
            (json!(ids), data.into_bytes())
        } else {
            let ids: Vec<u32> = list(asked).map(|id| id.as_u64().unwrap() as u32).collect();
            let text = engine::decode(&ids, flag("skip_special"));
            (hex(&text), text)
        }).unwrap_or_default();
        let kind = if answer.is_null() { "error" } else if encodes { "ids" } else { "hex" };
        writeln!(out, "{}", json!({"id": case["id"], kind: answer}))?;
        let right = |stored: &Value| (!answer.is_null() || stored.is_null()) && matches(&answer, &data, stored);
        let mut given = Vec::new();
        for wrong in list(&case["wrong"]) {
            for name in names(&wrong["faults"]) {
                *shown.entry(name).or_default() += 1.0;
                if right(&wrong["answer"]) { *met.entry(name).or_default() += 1.0; given.push(name) }
            }
        }
        if list(&case["acceptable"]).chain([case]).any(|one| right(&one["answer"])) { continue }
        println!("FAIL {}: {}: {}", show(&case["id"]), show(&case["comment"]), given.join(", "));
        println!("  asked {}\n  right {}\n  yours {}", show(asked), show(&case["answer"]), show(&answer));
        failures.push(given);
    }
    println!("{} of {count} cases pass", count - failures.len());
    let pass = failures.is_empty();
    name_faults(&vectors["faults"], failures, &shown, &met);
    Ok(pass)
}

fn main() {
    let mut words = std::env::args().skip(1);
    let (path, results) = (words.next().unwrap_or_default(), words.next().unwrap_or("/dev/null".into()));
    panic::set_hook(Box::new(|_| {}));
    std::process::exit(run(&path, &results).map(|pass| !pass as i32).unwrap_or_else(|error| {
        eprintln!("{path:?} cannot be read as test vectors: {:?}", error.to_string());
        2
    }))
}
