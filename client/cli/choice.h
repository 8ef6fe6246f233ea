// An option whose value is one of a few words.
//
//     AddChoice(app, "--mode", options.mode, {{"pruned", kPruned}, {"exhaustive", kExhaustive}}, "...");

#pragma once

#include <string>
#include <vector>

#include "CLI/CLI.hpp"

namespace kindred::cli {

template <typename Value>
struct Choice {
  std::string word;
  Value value;
};

// Sets `target`, which keeps its value when the option is not given; help shows its word as the default.
template <typename Value>
CLI::Option* AddChoice(CLI::App& app, const std::string& name, Value& target,
                       const std::vector<Choice<Value>>& choices, const std::string& description) {
  std::string words;
  std::string default_word;
  for (const Choice<Value>& choice : choices) {
    words += (words.empty() ? "" : "|") + choice.word;
    if (choice.value == target) {
      default_word = choice.word;
    }
  }
  const auto set = [&target, choices](const std::string& word) {
    for (const Choice<Value>& choice : choices) {
      if (choice.word == word) {
        target = choice.value;
      }
    }
  };
  const auto check = [choices, words](const std::string& word) {
    for (const Choice<Value>& choice : choices) {
      if (choice.word == word) {
        return std::string();
      }
    }
    return "\"" + word + "\" is not one of " + words;
  };
  return app.add_option_function<std::string>(name, set, description)
      ->check(check)
      ->type_name(words)
      ->default_str(default_word);
}

}  // namespace kindred::cli
