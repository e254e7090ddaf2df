// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Values that many places share, each distinct one stored once under a number. Users are counted: a
// value without any is freed, so memory follows what is in force, not the number of writes. Values
// are found by a set of numbers, which hashes and compares what they stand for.
#pragma once

#include <boost/container_hash/hash.hpp>
#include <boost/unordered/unordered_flat_set.hpp>
#include <cstdint>
#include <vector>

namespace selvedge::sim {

/// `Value` has == and a hash for boost::hash; `Store` is a vector of values.
template <class Value, class Store = std::vector<Value>>
class SharedValues {
 public:
  SharedValues() : numbers_(0, Hash{&values_}, Equal{&values_}) {}
  // The set looks into this object's store.
  SharedValues(const SharedValues&) = delete;
  SharedValues& operator=(const SharedValues&) = delete;

  /// Adds users to a value, and stores the value if it has none yet. Returns its number.
  std::uint32_t add_users(const Value& value, std::uint32_t users = 1) {
    const auto found = numbers_.find(value);
    const std::uint32_t number = found == numbers_.end() ? store(value) : *found;
    users_[number] += users;
    return number;
  }
  /// Removes one user of the value with this number.
  void release(std::uint32_t number) {
    if (--users_[number] > 0) return;
    numbers_.erase(number);
    free_.push_back(number);
  }

  const Value& operator[](std::uint32_t number) const { return values_[number]; }
  /// Distinct values in use.
  std::size_t distinct() const { return numbers_.size(); }
  /// Stored values, in use or free.
  std::size_t stored() const { return values_.size(); }

 private:
  /// What a key of the set stands for; a key is a value or the number of a stored value.
  struct Lookup {
    using is_transparent = void;
    const Store* values;
    const Value& value(std::uint32_t number) const { return (*values)[number]; }
    const Value& value(const Value& v) const { return v; }
  };
  struct Hash : Lookup {
    template <class Key>
    std::size_t operator()(const Key& key) const {
      return boost::hash<Value>()(this->value(key));
    }
  };
  struct Equal : Lookup {
    template <class A, class B>
    bool operator()(const A& a, const B& b) const {
      return this->value(a) == this->value(b);
    }
    /// Each value has one number.
    bool operator()(std::uint32_t a, std::uint32_t b) const { return a == b; }
  };

  std::uint32_t store(const Value& value) {
    if (free_.empty()) {
      free_.push_back(static_cast<std::uint32_t>(values_.size()));
      values_.emplace_back();
      users_.push_back(0);
    }
    const std::uint32_t number = free_.back();
    free_.pop_back();
    values_[number] = value;
    numbers_.insert(number);
    return number;
  }

  Store values_;
  std::vector<std::uint32_t> users_;  // per value
  std::vector<std::uint32_t> free_;   // values without users
  boost::unordered_flat_set<std::uint32_t, Hash, Equal> numbers_;
};

}  // namespace selvedge::sim
