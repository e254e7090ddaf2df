// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Reads JSON as a stream and checks it against a shape, so that a file of tens of megabytes needs
// no tree of values in memory. A shape says which type, range and members are allowed at each place
// of the document. Every error message names the place (`lft[3][17]`) and what is allowed there.
// The values are passed to a sink, which interprets them.
//
// Private to this folder: only its own files include this header.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace selvedge {

/// What is allowed at one place of the document.
struct JsonShape {
  enum class Kind : std::uint8_t {
    kAny,      // any value; not passed on
    kInteger,  // a whole number from `low` to `high`
    kGuid,     // "0x…" with up to 16 hex digits, or a number
    kText,
    kFlag,    // true or false
    kArray,   // an array of `element`; exactly `size` of them, unless `size` is 0
    kObject,  // an object with these `members`; other keys are ignored
    kMap      // any keys, with values of `element`
  };
  struct Member {
    std::string_view key;
    const JsonShape* shape;
    bool required = true;
  };

  Kind kind = Kind::kAny;
  int field = 0;  // identifies the value to the sink
  std::int64_t low = 0, high = 0;
  const JsonShape* element = nullptr;
  std::span<const Member> members = {};  // the known keys; at most 64
  std::size_t size = 0;
};

class JsonShapeReader;

/// Receives the values, except those of kAny. `field` is JsonShape::field.
class JsonSink {
 public:
  virtual ~JsonSink() = default;
  virtual void integer(int field, std::int64_t value) = 0;
  virtual void guid(int field, std::uint64_t value) = 0;
  virtual void text(int field, std::string& value) = 0;
  virtual void flag(int field, bool value) = 0;
  virtual void begin(int field) = 0;  // an array, object or map begins
  virtual void end(int field) = 0;
  virtual void key(int field, const std::string& key) = 0;  // a key of a map
};

class JsonShapeReader final : public nlohmann::json_sax<nlohmann::json> {
 public:
  /// `where` is the file's name, for error messages.
  JsonShapeReader(std::string_view text, const std::string& where, const JsonShape& shape);

  /// Reads the whole text. Throws InputError.
  void read(JsonSink& sink);

  /// Throws an InputError that names the place which is being read.
  [[noreturn]] void fail(const std::string& problem, const std::string& remedy) const;
  /// The current index in the innermost array (levels = 0), in the array around that one (1), …
  std::size_t index(std::size_t levels = 0) const;

  bool null() override;
  bool boolean(bool value) override;
  bool number_integer(std::int64_t value) override;
  bool number_unsigned(std::uint64_t value) override;
  bool number_float(double value, const std::string& text) override;
  bool string(std::string& value) override;
  bool binary(nlohmann::json::binary_t& value) override;
  bool start_object(std::size_t elements) override;
  bool key(std::string& key) override;
  bool end_object() override;
  bool start_array(std::size_t elements) override;
  bool end_array() override;
  bool parse_error(std::size_t position, const std::string& last_token,
                   const nlohmann::json::exception& error) override;

 private:
  struct Frame {
    const JsonShape* shape;
    bool array;
    std::size_t count = 0;            // number of values that have begun
    std::uint64_t seen = 0;           // bit i: members[i] was read
    const JsonShape* next = nullptr;  // shape of the value that follows the key just read
    std::string key;
  };

  const JsonShape& place();
  [[noreturn]] void unexpected(const JsonShape& shape, std::string_view found) const;
  bool start(JsonShape::Kind found);
  bool end();
  std::string path() const;

  std::string_view text_;
  const std::string& where_;
  const JsonShape& root_;
  JsonSink* sink_ = nullptr;
  std::vector<Frame> frames_;
};

}  // namespace selvedge
