// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "sim/experiment/database.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <cstring>
#include <utility>

#include "base/error.hpp"

namespace selvedge::sim {
namespace {

constexpr int kBusyMs = 10'000;

[[noreturn]] void fail(sqlite3* connection, const std::string& path) {
  const int code = connection == nullptr ? SQLITE_NOMEM : sqlite3_extended_errcode(connection);
  std::string problem = connection == nullptr ? "out of memory" : sqlite3_errmsg(connection);
  std::string remedy = "make it readable and writable, or choose another --out";
  switch (code & 0xff) {
    case SQLITE_FULL:
      remedy = "free space and run it again: finished points are kept";
      break;
    case SQLITE_IOERR:
      problem += fmt::format(" ({})", std::strerror(sqlite3_system_errno(connection)));
      remedy = "free or repair the disk and run it again: finished points are kept";
      break;
    case SQLITE_BUSY:
      remedy = "another run writes there: wait for it, or choose another --out";
      break;
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
      throw InputError("not a file of results", path, "move it away, or choose another --out");
    default:
      break;
  }
  throw EnvironmentError("the results cannot be stored: " + problem, path, remedy);
}

}  // namespace

std::string text_of(const Value& value) {
  if (const auto* n = std::get_if<std::int64_t>(&value)) return fmt::format("{}", *n);
  if (const auto* n = std::get_if<double>(&value)) return fmt::format("{}", *n);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  return "";
}

Statement::Statement(sqlite3* connection, sqlite3_stmt* statement, std::string path)
    : connection_(connection), statement_(statement), path_(std::move(path)) {}

Statement::Statement(Statement&& other) noexcept
    : connection_(other.connection_),
      statement_(std::exchange(other.statement_, nullptr)),
      path_(std::move(other.path_)) {}

Statement::~Statement() { sqlite3_finalize(statement_); }

void Statement::bind(std::span<const Value> values) {
  sqlite3_reset(statement_);
  int place = 0;
  for (const Value& value : values) {
    ++place;
    int code = SQLITE_OK;
    if (const auto* n = std::get_if<std::int64_t>(&value))
      code = sqlite3_bind_int64(statement_, place, *n);
    else if (const auto* real = std::get_if<double>(&value))
      code = sqlite3_bind_double(statement_, place, *real);
    else if (const auto* text = std::get_if<std::string>(&value))
      code = sqlite3_bind_text64(statement_, place, text->data(), text->size(), SQLITE_TRANSIENT,
                                 SQLITE_UTF8);
    else
      code = sqlite3_bind_null(statement_, place);
    if (code != SQLITE_OK) fail(connection_, path_);
  }
}

void Statement::run(std::span<const Value> values) {
  bind(values);
  int code = SQLITE_ROW;
  while (code == SQLITE_ROW) code = sqlite3_step(statement_);
  if (code != SQLITE_DONE) fail(connection_, path_);
  sqlite3_reset(statement_);
}

std::vector<std::vector<Value>> Statement::rows(std::span<const Value> values) {
  bind(values);
  std::vector<std::vector<Value>> all;
  int code = SQLITE_ROW;
  while ((code = sqlite3_step(statement_)) == SQLITE_ROW) {
    std::vector<Value>& row = all.emplace_back();
    for (int i = 0; i < sqlite3_column_count(statement_); ++i) {
      switch (sqlite3_column_type(statement_, i)) {
        case SQLITE_INTEGER:
          row.emplace_back(std::int64_t{sqlite3_column_int64(statement_, i)});
          break;
        case SQLITE_FLOAT:
          row.emplace_back(sqlite3_column_double(statement_, i));
          break;
        case SQLITE_NULL:
          row.emplace_back();
          break;
        default: {
          const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_, i));
          row.emplace_back(
              std::string(text, static_cast<std::size_t>(sqlite3_column_bytes(statement_, i))));
        }
      }
    }
  }
  if (code != SQLITE_DONE) fail(connection_, path_);
  sqlite3_reset(statement_);
  return all;
}

Database::Database(const std::string& path) : path_(path) {
  if (sqlite3_open(path.c_str(), &connection_) != SQLITE_OK) {
    sqlite3* connection = std::exchange(connection_, nullptr);
    const std::string why = connection == nullptr ? "out of memory" : sqlite3_errmsg(connection);
    sqlite3_close(connection);
    throw InputError("the results cannot be stored: " + why, path,
                     "choose a folder that can be written to (--out)");
  }
  sqlite3_busy_timeout(connection_, kBusyMs);
}

Database Database::from_bytes(std::string_view bytes) {
  Database database(":memory:");
  auto* copy = static_cast<unsigned char*>(sqlite3_malloc64(bytes.size()));
  if (copy == nullptr) fail(nullptr, database.path_);
  std::memcpy(copy, bytes.data(), bytes.size());
  if (sqlite3_deserialize(
          database.connection_, "main", copy, static_cast<sqlite3_int64>(bytes.size()),
          static_cast<sqlite3_int64>(bytes.size()), SQLITE_DESERIALIZE_FREEONCLOSE) != SQLITE_OK)
    fail(database.connection_, database.path_);
  return database;
}

Database::Database(Database&& other) noexcept
    : path_(std::move(other.path_)), connection_(std::exchange(other.connection_, nullptr)) {}

Database::~Database() { sqlite3_close(connection_); }

void Database::execute(const std::string& sql) {
  if (sqlite3_exec(connection_, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
    fail(connection_, path_);
}

Statement Database::prepare(const std::string& sql) {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(connection_, sql.c_str(), static_cast<int>(sql.size()), &statement,
                         nullptr) != SQLITE_OK)
    fail(connection_, path_);
  return {connection_, statement, path_};
}

std::string Database::bytes() {
  sqlite3_int64 size = 0;
  unsigned char* data = sqlite3_serialize(connection_, "main", &size, 0);
  if (data == nullptr) fail(connection_, path_);
  std::string all(reinterpret_cast<const char*>(data), static_cast<std::size_t>(size));
  sqlite3_free(data);
  return all;
}

Transaction::~Transaction() {
  if (!open_) return;
  try {
    database_.execute("ROLLBACK");
  } catch (const Error&) {  // NOLINT(bugprone-empty-catch): SQLite has rolled back by itself
  }
}

void Transaction::commit() {
  database_.execute("COMMIT");
  open_ = false;
}

}  // namespace selvedge::sim
