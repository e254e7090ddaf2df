// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// The part of SQLite that the results need: prepared statements whose values are bound in order.
// Failures such as a full disk are EnvironmentErrors with a remedy, since the input is not at
// fault.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace selvedge::sim {

/// The value of a column.
using Value = std::variant<std::monostate, std::int64_t, double, std::string>;

inline Value value_of(std::uint64_t n) { return static_cast<std::int64_t>(n); }
inline Value value_of(double n) { return n; }
template <class T>
Value value_of(const std::optional<T>& n) {
  return n ? value_of(*n) : Value();
}

/// The value as text for CSV: a number in the fewest digits that read back as the same number; ""
/// for NULL.
std::string text_of(const Value& value);

class Statement {
 public:
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;
  Statement(Statement&& other) noexcept;
  ~Statement();

  /// Executes the statement with these values; rows of its result are ignored.
  void run(std::span<const Value> values);
  void run(std::initializer_list<Value> values) { run({values.begin(), values.size()}); }
  /// Executes the statement and returns all rows of its result.
  std::vector<std::vector<Value>> rows(std::span<const Value> values = {});

 private:
  friend class Database;
  Statement(sqlite3* connection, sqlite3_stmt* statement, std::string path);
  void bind(std::span<const Value> values);

  sqlite3* connection_;
  sqlite3_stmt* statement_;
  std::string path_;
};

class Database {
 public:
  /// `path`: a file, created if it does not exist, or ":memory:".
  explicit Database(const std::string& path);
  /// A database in memory, from another one's bytes().
  static Database from_bytes(std::string_view bytes);
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  Database(Database&& other) noexcept;
  ~Database();

  void execute(const std::string& sql);
  Statement prepare(const std::string& sql);
  std::vector<std::vector<Value>> rows(const std::string& sql) { return prepare(sql).rows(); }
  /// The whole database, serialized.
  std::string bytes();
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  sqlite3* connection_ = nullptr;
};

/// A transaction, from its construction to commit(): all changes of the database in it take effect,
/// or none does.
class Transaction {
 public:
  explicit Transaction(Database& database) : database_(database) {
    database_.execute("BEGIN IMMEDIATE");
  }
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction();
  void commit();

 private:
  Database& database_;
  bool open_ = true;
};

}  // namespace selvedge::sim
