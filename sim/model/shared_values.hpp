// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// Stores values of which many are equal (LFT blocks, arbitration tables): each distinct value once,
// under a number. The users of a value are counted, and a value without users is freed. So memory
// grows with the values in force, not with the number of writes.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <vector>

namespace selvedge::sim {

/// `Value` has == and a hash for boost::hash; `Store` is a vector of values.
template <class Value, class Store = std::vector<Value>>
class SharedValues {
 public:
  /// Adds this many users to a value, which is stored if it is new. Returns its number.
  std::uint32_t add_users(const Value& value, std::uint32_t users = 1) {
    const auto [found, fresh] = numbers_.try_emplace(value, 0);
    if (fresh) {
      if (free_.empty()) {
        free_.push_back(static_cast<std::uint32_t>(values_.size()));
        values_.emplace_back();
        users_.push_back(0);
      }
      found->second = free_.back();
      free_.pop_back();
      values_[found->second] = value;
    }
    users_[found->second] += users;
    return found->second;
  }
  /// Removes one user of the value with this number.
  void release(std::uint32_t number) {
    if (--users_[number] > 0) return;
    numbers_.erase(values_[number]);
    free_.push_back(number);
  }

  const Value& operator[](std::uint32_t number) const { return values_[number]; }
  /// Distinct values in use.
  std::size_t distinct() const { return numbers_.size(); }
  /// Stored values, in use or free.
  std::size_t stored() const { return values_.size(); }

 private:
  Store values_;
  std::vector<std::uint32_t> users_;  // per value
  std::vector<std::uint32_t> free_;   // values without users
  boost::unordered_flat_map<Value, std::uint32_t> numbers_;
};

}  // namespace selvedge::sim
