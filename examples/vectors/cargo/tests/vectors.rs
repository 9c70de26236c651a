//! cargo test, with run_vectors.rs as src/main.rs, src/engine.rs, and the model's file beside Cargo.toml

#[test]
fn the_tokenizer_gives_the_right_ids_on_its_test_vectors() {
    let run = env!("CARGO_BIN_EXE_run_vectors");
    let done = std::process::Command::new(run).arg("tokenizer.vectors.json").output().unwrap();
    let told = String::from_utf8_lossy(&done.stdout) + String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{told}");
}
