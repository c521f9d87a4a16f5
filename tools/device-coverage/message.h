// What the program says to its user, and how it fails.
#pragma once

#include <exception>
#include <string>
#include <string_view>

namespace device_coverage {

/// Exit statuses, as documented in `--help` and docs/architecture.md.
enum class ExitStatus { Fine = 0, GateFell = 1, Usage = 2, Data = 3 };

/// One message in the house form: what is the case, what follows from it, what to do about it.
struct Message {
  std::string phase;
  std::string fact;
  std::string consequence;
  std::string remedy;

  /// `DeviceCoverage: <phase>: <fact>; <consequence>; <remedy>` in one line.
  std::string text() const;
};

/// Ends the command with a message and an exit status.
class Failure : public std::exception {
public:
  explicit Failure(Message message, ExitStatus status = ExitStatus::Data);

  const char* what() const noexcept override { return text_.c_str(); }
  const Message& message() const noexcept { return message_; }
  ExitStatus status() const noexcept { return status_; }

private:
  Message message_;
  std::string text_;
  ExitStatus status_;
};

/// Progress and remarks go to stderr, so that stdout holds results only.
class Log {
public:
  explicit Log(bool quiet) : quiet_(quiet) {}

  /// A step that was taken; not shown with --quiet.
  void step(std::string_view phase, std::string_view text) const;

  bool isQuiet() const noexcept { return quiet_; }

  /// Something that the user should act on; always shown.
  void problem(const Message& message) const;

private:
  bool quiet_;
};

/// Whether text for this file descriptor may be coloured: a terminal, and NO_COLOR unset or empty.
bool mayColour(int fileDescriptor);

/// The text of an `errno` value, starting in lower case to fit into a sentence.
std::string errnoText(int error);

} // namespace device_coverage
