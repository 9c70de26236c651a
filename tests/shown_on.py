"""For each known deviation of an engine a known model on which the engine shows it."""

SHOWN_ON = {
    ("llama.cpp", "accepts_overlong_utf8"): "small-bpe",
    ("llama.cpp", "keeps_invalid_bytes"): "small-spm",
    ("llama.cpp", "strips_ascii_spaces_only"): "phi-3",
    ("llama.cpp", "skips_normalisation"): "command-r",
    ("llama.cpp", "strips_one_decoded_space"): "small-unigram",
    ("llama.cpp", "trims_spaces_only"): "small-unigram",
    ("llama.cpp", "sums_scores_in_double"): "small-unigram",
    ("llama.cpp", "has_no_word_limit"): "small-wordpiece",
    ("llama.cpp", "aborts_beyond_unicode"): "small-bpe",
    ("llama.cpp", "cuts_out_user_defined_pieces"): "mistral-v3",
    ("llama.cpp", "hides_added_tokens"): "gemma-4",
    ("llama.cpp", "marks_tokens_special_by_name"): "aquila",
    ("llama.cpp", "strips_spacing_marks"): "small-wordpiece",
    ("llama.cpp", "splits_words_at_control_spaces"): "small-wordpiece",
    ("llama.cpp", "normalises_by_unicode_15"): "small-wordpiece",
    ("llama.cpp", "keeps_first_of_decomposition"): "small-wordpiece",
    ("llama.cpp", "groups_bytes_by_lead"): "small-spm",
    ("llama.cpp", "drops_marks_from_words"): "tekken-240718",
    ("llama.cpp", "has_tables_newer_than_unicode_8"): "small-wordpiece",
    ("llama.cpp", "treats_unicode_spaces_as_vertical_tabs"): "deepseek-llm",
    ("llama.cpp", "has_tables_of_unicode_15"): "aquila",
    ("llama.cpp", "begins_words_at_markers"): "small-wordpiece",
    ("llama.cpp", "splits_user_defined_pieces"): "phi-3",
    ("llama.cpp", "parses_unknown_pieces"): "phi-3",
    ("llama.cpp", "drops_unknown_after_merging"): "falcon",
    ("llama.cpp", "leaves_broken_utf8_when_decoding"): "falcon",
    ("llama.cpp", "keeps_space_before_first_word"): "small-wordpiece",
    ("llama.cpp", "hides_unknown_when_decoding"): "small-spm",
    ("llama.cpp", "hides_tokens_by_name_when_decoding"): "gemma-4",
    ("llama.cpp", "keeps_added_tokens_when_decoding"): "deepseek-coder",
    ("llama.cpp", "keeps_decoded_prefix_after_specials"): "small-spm",
    ("llama.cpp", "cleans_up_spaces"): "small-bpe",
    ("tokenizers", "strips_one_decoded_space"): "small-unigram",
    ("tokenizers", "sums_scores_in_double"): "small-unigram",
    ("tokenizers", "finds_every_kind_in_text"): "small-unigram",
    ("tokenizers", "applies_charsmap_per_grapheme"): "small-unigram",
    ("tokenizers", "hides_unknown_when_decoding"): "small-spm",
}
"""By engine and quirk; an embedded model where one shows it."""

SHOWN_IN_STREAMS_ON = {
    ("transformers", "streams_words_without_prompt"): "llama-spm",
    ("tokenizers", "streams_since_two_deltas"): "llama-spm",
    ("sentencepiece", "streams_incomplete_characters"): "small-spm",
    ("llama.cpp", "keeps_first_space"): "small-spm",
    ("llama.cpp", "streams_each_id_alone"): "gpt-neox",
}
"""The same for what shows only where ids are decoded one after another."""

SHOWN_IN_SPANS_ON = {
    ("tokenizers", "gives_added_space_a_character"): "small-spm",
    ("tokenizers", "leaves_composed_marks_out"): "qwen2",
    ("tokenizers", "counts_no_removed_beginning"): "small-unigram",
    ("tokenizers", "counts_no_dropped_characters"): "falcon",
}
"""The same for what shows only where the characters of each id are asked for."""

SHOWN_IN_PROMPTS_ON = {
    ("llama.cpp", "takes_chatml"): "qwen2",
    ("llama.cpp", "never_writes_bos"): "llama-3.1",
    ("llama.cpp", "trims_ascii_only"): "llama-3.1",
    ("llama.cpp", "merges_system"): "gemma-3",
    ("llama.cpp", "merges_system_apart"): "gemini",
}
"""The same for what shows only in the prompts of chat templates."""
