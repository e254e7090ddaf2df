// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//
// A page of metrics in Prometheus' text format (version 0.0.4).
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace selvedge {

class MetricsPage {
 public:
  /// prefix: of every metric's name.
  explicit MetricsPage(std::string_view prefix) : prefix_(prefix) {}

  /// Begins a metric; its samples follow.
  MetricsPage& metric(std::string_view name, std::string_view type, std::string_view help) {
    name_ = fmt::format("{}{}", prefix_, name);
    text_ += fmt::format("# HELP {} {}\n# TYPE {} {}\n", name_, help, name_, type);
    return *this;
  }
  /// labels: as name="value", without braces. suffix: of the metric's name.
  template <typename Number>
  MetricsPage& sample(Number value, std::string_view labels = "", std::string_view suffix = "") {
    text_ += labels.empty() ? fmt::format("{}{} {}\n", name_, suffix, value)
                            : fmt::format("{}{}{{{}}} {}\n", name_, suffix, labels, value);
    return *this;
  }
  void counter(std::string_view name, std::string_view help, std::uint64_t value) {
    metric(name, "counter", help).sample(value);
  }
  void gauge(std::string_view name, std::string_view help, std::uint64_t value) {
    metric(name, "gauge", help).sample(value);
  }
  std::string text() && { return std::move(text_); }

 private:
  std::string prefix_, name_, text_;
};

}  // namespace selvedge
