//! Put test vectors to an engine: cargo run -- MODEL.vectors.json [results.jsonl], with serde_json and this as src/main.rs.
//! Write src/engine.rs: encode(&[u8], add_special, parse_special) -> Vec<u32> and decode(&[u32], skip_special) -> Vec<u8>.
//! A text may hold any bytes. What panics fails that case alone. Exit code 0: all cases pass.
mod engine;
use serde_json::Value;
use std::{collections::BTreeMap, env, fs, io::Write, panic, process::exit};

fn text(value: &Value) -> &str { value.as_str().unwrap() }
fn list(value: &Value) -> &Vec<Value> { value.as_array().unwrap() }
fn names(value: &Value) -> Vec<&str> { list(value).iter().map(text).collect() }
fn ids(value: &Value) -> Vec<u32> { list(value).iter().map(|id| id.as_u64().unwrap() as u32).collect() }
fn joined(ids: &[u32]) -> Vec<u8> { ids.iter().map(u32::to_string).collect::<Vec<_>>().join(",").into() }
/// The bytes of a text, which is a string or {"base64": ...}.
fn bytes(value: &Value) -> Vec<u8> {
    if value.is_string() { return text(value).into() }
    let digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bits, mut count, mut out) = (0u32, 0, Vec::new());
    for digit in text(&value["base64"]).chars().filter_map(|one| digits.find(one)) {
        (bits, count) = (bits << 6 | digit as u32, count + 6);
        if count >= 8 { count -= 8; out.push((bits >> count) as u8) }
    }
    out
}
/// Answers are compared by the FNV-1a hash of a text, or of ids with commas between them; an error is None.
fn hash(data: &[u8]) -> String { format!("{:08x}", data.iter().fold(0x811c9dc5u32, |h, one| (h ^ *one as u32).wrapping_mul(0x01000193))) }
fn key(answer: &Value) -> Option<String> {
    if answer.is_array() { return Some(hash(&joined(&ids(answer)))) }
    (!answer.is_null()).then(|| answer.get("fnv1a").map_or_else(|| hash(&bytes(answer)), |stored| text(stored).into()))
}
fn count<'a>(lists: &[Vec<&'a str>]) -> BTreeMap<&'a str, f64> {
    lists.iter().flatten().fold(BTreeMap::new(), |mut found, name| { *found.entry(*name).or_default() += 1.0; found })
}
fn run(path: &str, results: &str) -> bool {
    let vectors: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let (cases, faults, mut out) = (list(&vectors["cases"]), &vectors["faults"], fs::File::create(results).unwrap());
    assert!(vectors["format"] == "tokparity-vectors-1" && vectors["model"].is_string() && vectors["counts"]["cases"] == cases.len());
    let (mut told, mut shown, mut failed) = (Vec::new(), Vec::new(), Vec::new());
    for case in cases {
        let (id, comment, encodes) = (text(&case["id"]), text(&case["comment"]), case["ask"] == "encode");
        let (asked, row) = if encodes { (bytes(&case["text"]), vec![]) } else { (vec![], ids(&case["ids"])) };
        let ask = || if encodes { joined(&engine::encode(&asked, case["add_special"] == true, case["parse_special"] == true)) }
            else { engine::decode(&row, case["skip_special"] == true) };
        let given = panic::catch_unwind(ask).ok();
        let found = given.as_deref().map(hash);
        let hex = |text: &[u8]| text.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        let spelled = given.map_or("\"error\": null".into(), |data| if encodes {
            format!("\"ids\": [{}]", String::from_utf8_lossy(&data)) } else { format!("\"hex\": \"{}\"", hex(&data)) });
        writeln!(out, "{{\"id\": {}, {spelled}}}", case["id"]).unwrap();
        let wrong = list(&case["wrong"]).iter().map(|one| (names(&one["faults"]), key(one.get("answer").unwrap()) == found));
        let (all, given): (Vec<_>, Vec<_>) = wrong.map(|(names, met)| (names.clone(), if met { names } else { vec![] })).unzip();
        shown.push(all.concat());
        let acceptable = case["acceptable"].as_array().into_iter().flatten().chain([case]);
        if acceptable.filter(|one| key(one.get("answer").unwrap()) == found).count() > 0 { continue }
        failed.push(given.concat());
        let asked = if encodes { &case["text"] } else { &case["ids"] };
        told.push(format!("FAIL {id}: {comment:?}: {}", failed.last().unwrap().join(", ")));
        told.extend([format!("  asked {asked}"), format!("  right {}", case["answer"]), format!("  yours {spelled}")]);
    }
    let (shown, met, all, mut left) = (count(&shown), count(&failed), failed.len(), failed.clone());
    shown.keys().for_each(|name| assert!(faults[name]["does"].is_string()));
    while !left.is_empty() { // the fault with most failures, times the share of its cases that fail as it would
        let hits = count(&left);
        let worth = |name: &str| hits[name] * met[name] / shown[name];
        let Some(best) = hits.keys().copied().reduce(|a, b| if worth(b) > worth(a) { b } else { a }) else { break };
        let also: String = faults[best].get("alike").map_or(vec![], names).iter().map(|name| format!(", `{name}`")).collect();
        told.push(format!("{} of {all} failures have one known cause, an engine that {}: `{best}`{also}", hits[best], text(&faults[best]["does"])));
        left.retain(|given| !given.contains(&best));
    }
    if !left.is_empty() { told.push(format!("{} of {all} failures have no known cause, or more than one", left.len())) }
    told.push(format!("{} of {} cases of {} pass", cases.len() - failed.len(), cases.len(), text(&vectors["model"])));
    for line in told { println!("{}", line.chars().take(300).map(|one| if (' '..='~').contains(&one) { one } else { '?' }).collect::<String>()) }
    failed.is_empty()
}
fn main() {
    let (path, results) = (env::args().nth(1).unwrap_or_default(), env::args().nth(2).unwrap_or("results.jsonl".into()));
    panic::set_hook(Box::new(|_| {}));
    let pass = panic::catch_unwind(|| run(&path, &results)).unwrap_or_else(|_| {
        eprintln!("{path:?} cannot be read as test vectors: it is damaged, or of another format"); exit(2) });
    exit(!pass as i32)
}
