// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "plugin/tables/json_shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/error.hpp"

namespace selvedge {
namespace {

using Kind = JsonShape::Kind;

constexpr JsonShape kAnything{};

std::string allowed(const JsonShape& shape) {
  switch (shape.kind) {
    case Kind::kInteger:
      return fmt::format("a whole number from {} to {}", shape.low, shape.high);
    case Kind::kGuid:
      return "a GUID as \"0x\" and up to 16 hex digits";
    case Kind::kText:
      return "a string";
    case Kind::kFlag:
      return "true or false";
    case Kind::kArray:
      return "an array";
    case Kind::kObject:
    case Kind::kMap:
      return "an object";
    case Kind::kAny:
      break;
  }
  return "anything";
}

}  // namespace

JsonShapeReader::JsonShapeReader(std::string_view text, const std::string& where,
                                 const JsonShape& shape)
    : text_(text), where_(where), root_(shape) {}

void JsonShapeReader::read(JsonSink& sink) {
  sink_ = &sink;
  frames_.clear();
  nlohmann::json::sax_parse(text_.begin(), text_.end(), this);
}

std::string JsonShapeReader::path() const {
  std::string path;
  for (const Frame& frame : frames_) {
    if (frame.array) {
      if (frame.count != 0) path += fmt::format("[{}]", frame.count - 1);
    } else if (frame.shape->kind == Kind::kMap) {
      path += fmt::format("[\"{}\"]", frame.key);
    } else if (!frame.key.empty()) {
      path += (path.empty() ? "" : ".") + frame.key;
    }
  }
  return path;
}

void JsonShapeReader::fail(const std::string& problem, const std::string& remedy) const {
  const std::string at = path();
  throw InputError(problem, at.empty() ? where_ : fmt::format("{} of {}", at, where_), remedy);
}

std::size_t JsonShapeReader::index(std::size_t levels) const {
  for (auto frame = frames_.rbegin(); frame != frames_.rend(); ++frame)
    if (frame->array && levels-- == 0) return frame->count - 1;
  return 0;
}

/// The shape for the value that begins here.
const JsonShape& JsonShapeReader::place() {
  if (frames_.empty()) return root_;
  Frame& frame = frames_.back();
  if (!frame.array) return *frame.next;
  ++frame.count;
  return frame.shape->kind == Kind::kArray ? *frame.shape->element : kAnything;
}

void JsonShapeReader::unexpected(const JsonShape& shape, std::string_view found) const {
  fail(fmt::format("found {} where {} is required", found, allowed(shape)),
       fmt::format("write {}", allowed(shape)));
}

bool JsonShapeReader::null() {
  const JsonShape& shape = place();
  if (shape.kind != Kind::kAny) unexpected(shape, "null");
  return true;
}

bool JsonShapeReader::boolean(bool value) {
  const JsonShape& shape = place();
  if (shape.kind == Kind::kFlag)
    sink_->flag(shape.field, value);
  else if (shape.kind != Kind::kAny)
    unexpected(shape, value ? "true" : "false");
  return true;
}

bool JsonShapeReader::number_integer(std::int64_t value) {
  const JsonShape& shape = place();
  if (shape.kind == Kind::kInteger && value >= shape.low && value <= shape.high)
    sink_->integer(shape.field, value);
  else if (shape.kind != Kind::kAny)
    unexpected(shape, fmt::format("{}", value));
  return true;
}

bool JsonShapeReader::number_unsigned(std::uint64_t value) {
  const JsonShape& shape = place();
  if (shape.kind == Kind::kInteger && std::cmp_greater_equal(value, shape.low) &&
      std::cmp_less_equal(value, shape.high))
    sink_->integer(shape.field, static_cast<std::int64_t>(value));
  else if (shape.kind == Kind::kGuid)
    sink_->guid(shape.field, value);
  else if (shape.kind != Kind::kAny)
    unexpected(shape, fmt::format("{}", value));
  return true;
}

bool JsonShapeReader::number_float(double, const std::string& text) {
  const JsonShape& shape = place();
  if (shape.kind != Kind::kAny) unexpected(shape, text);
  return true;
}

bool JsonShapeReader::string(std::string& value) {
  const JsonShape& shape = place();
  if (shape.kind == Kind::kText) {
    sink_->text(shape.field, value);
  } else if (shape.kind == Kind::kGuid) {
    std::uint64_t guid = 0;
    const char* const end = value.data() + value.size();
    const bool prefix = value.starts_with("0x") || value.starts_with("0X");
    const auto [stop, error] = std::from_chars(value.data() + (prefix ? 2 : 0), end, guid, 16);
    if (!prefix || error != std::errc{} || stop != end) unexpected(shape, "another string");
    sink_->guid(shape.field, guid);
  } else if (shape.kind != Kind::kAny) {
    unexpected(shape, "a string");
  }
  return true;
}

/// Binary values do not occur in JSON text.
bool JsonShapeReader::binary(nlohmann::json::binary_t&) { return false; }

bool JsonShapeReader::start(Kind found) {
  const JsonShape& shape = place();
  const bool array = found == Kind::kArray;
  if (shape.kind != Kind::kAny && (shape.kind == Kind::kArray) != array)
    unexpected(shape, array ? "an array" : "an object");
  if (shape.kind != Kind::kAny && shape.kind != Kind::kArray && shape.kind != Kind::kObject &&
      shape.kind != Kind::kMap)
    unexpected(shape, array ? "an array" : "an object");
  frames_.push_back({.shape = &shape, .array = array, .key = {}});
  if (shape.kind != Kind::kAny) sink_->begin(shape.field);
  return true;
}

bool JsonShapeReader::end() {
  const JsonShape& shape = *frames_.back().shape;
  frames_.pop_back();
  if (shape.kind != Kind::kAny) sink_->end(shape.field);
  return true;
}

bool JsonShapeReader::start_object(std::size_t) { return start(Kind::kObject); }
bool JsonShapeReader::start_array(std::size_t) { return start(Kind::kArray); }

bool JsonShapeReader::key(std::string& key) {
  Frame& frame = frames_.back();
  frame.key = key;
  frame.next = &kAnything;
  if (frame.shape->kind == Kind::kMap) {
    frame.next = frame.shape->element;
    sink_->key(frame.shape->field, key);
  } else if (frame.shape->kind == Kind::kObject) {
    const auto members = frame.shape->members;
    const auto it = std::ranges::find(members, key, &JsonShape::Member::key);
    if (it == members.end()) return true;
    const std::uint64_t bit = std::uint64_t{1} << (it - members.begin());
    if ((frame.seen & bit) != 0) fail("this key comes twice", "keep one of them");
    frame.seen |= bit;
    frame.next = it->shape;
  }
  return true;
}

bool JsonShapeReader::end_object() {
  Frame& frame = frames_.back();
  frame.key.clear();
  if (frame.shape->kind == Kind::kObject) {
    const auto members = frame.shape->members;
    for (std::size_t i = 0; i < members.size(); ++i)
      if (members[i].required && (frame.seen >> i & 1u) == 0)
        fail(fmt::format("the key \"{}\" is missing", members[i].key),
             fmt::format("add it: {}", allowed(*members[i].shape)));
  }
  return end();
}

bool JsonShapeReader::end_array() {
  Frame& frame = frames_.back();
  const std::size_t size = frame.shape->kind == Kind::kArray ? frame.shape->size : 0;
  if (size != 0 && frame.count != size) {
    const std::size_t count = frame.count;
    frame.count = 0;  // so that the message names the array, not its last element
    fail(fmt::format("the array has {} entries", count), fmt::format("it must have {}", size));
  }
  return end();
}

bool JsonShapeReader::parse_error(std::size_t position, const std::string&,
                                  const nlohmann::json::exception&) {
  const std::string_view before = text_.substr(0, std::min(position, text_.size()));
  const auto line = 1 + std::ranges::count(before, '\n');
  const bool truncated = text_.find_first_not_of(" \t\r\n", std::min(position, text_.size())) ==
                             std::string_view::npos &&
                         !frames_.empty();
  throw InputError(truncated ? "the file ends in the middle" : "this is not JSON",
                   fmt::format("line {} of {}", line, where_),
                   truncated ? "copy or write it again" : "correct the syntax");
}

}  // namespace selvedge
