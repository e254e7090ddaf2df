// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#include "daemon/ring/segment.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <deque>
#include <vector>

namespace selvedge::ring {
namespace {

struct Made {
  int fd = -1;
  Segment segment = Segment::make(kRingBytesMin, kRingBytesMin, fd);
  ~Made() { close(fd); }
};

TEST(Segment, BothSidesSeeTheSameBytes) {
  const Made made;
  ASSERT_TRUE(made.segment);
  const Segment other = Segment::map(made.fd);
  ASSERT_TRUE(other);
  made.segment.control().rx_tail = 42;
  EXPECT_EQ(other.control().rx_tail, 42u);
  made.segment.tx()[kRingBytesMin - 1] = std::byte{7};
  EXPECT_EQ(other.tx()[2 * kRingBytesMin - 1], std::byte{7});  // the same byte, mapped again
  made.segment.rx()[0] = std::byte{9};
  EXPECT_EQ(other.rx()[kRingBytesMin], std::byte{9});
}

TEST(Segment, CannotBeTruncated) {
  const Made made;
  EXPECT_NE(ftruncate(made.fd, 0), 0);
  EXPECT_NE(ftruncate(made.fd, 1 << 30), 0);
}

TEST(Segment, OtherFilesAreRefused) {
  const int fd = memfd_create("test", MFD_CLOEXEC);
  EXPECT_FALSE(Segment::map(fd));
  ASSERT_EQ(ftruncate(fd, kControlBytes + 2 * kRingBytesMin), 0);
  EXPECT_FALSE(Segment::map(fd));  // the segment's contents are all zero
  const Made made;
  made.segment.control().tx_bytes = kRingBytesMin * 2;  // longer than the file
  EXPECT_FALSE(Segment::map(made.fd));
  made.segment.control().tx_bytes = kRingBytesMin;
  made.segment.control().version = kLayoutVersion + 1;
  EXPECT_FALSE(Segment::map(made.fd));
  close(fd);
}

RC_GTEST_PROP(Ring, RecordsRoundTrip, ()) {
  static const Made made;
  const Segment& s = made.segment;
  std::uint64_t tail = 0, head = 0;
  std::deque<std::pair<std::uint32_t, std::uint32_t>> model;  // a record's length, its bytes' value
  std::uint32_t next = 0;
  for (const std::uint32_t length : *rc::gen::container<std::vector<std::uint32_t>>(
           200, rc::gen::oneOf(rc::gen::inRange<std::uint32_t>(0, 64),
                               rc::gen::inRange<std::uint32_t>(0, kMessageBytesMax + 1)))) {
    std::byte* to = reserve_record(s.tx(), s.tx_bytes(), tail, head, length);
    RC_ASSERT((to == nullptr) == (tail - head + record_bytes(length) > s.tx_bytes()));
    if (to != nullptr) {
      std::memset(to, static_cast<int>(++next & 0xff), length);
      tail = commit_record(to, tail, length, next);
      model.emplace_back(length, next);
      if (next % 3 != 0) continue;
    }
    Record record;
    RC_ASSERT(read_record(s.tx(), s.tx_bytes(), head, tail, record) == ReadResult::kRecord);
    RC_ASSERT(record.bytes.size() == model.front().first);
    RC_ASSERT(record.flags == model.front().second);
    for (const std::byte b : record.bytes)
      if (b != static_cast<std::byte>(record.flags & 0xff)) RC_FAIL("another byte");
    head = record.end;
    model.pop_front();
  }
}

RC_GTEST_PROP(Ring, AReaderOfCorruptRecordsStaysInside, ()) {
  static const Made made;
  const Segment& s = made.segment;
  const auto position = *rc::gen::arbitrary<std::uint64_t>();
  const auto held = *rc::gen::oneOf(rc::gen::arbitrary<std::uint64_t>(),
                                    rc::gen::inRange<std::uint64_t>(0, 3 * kRingBytesMin));
  const std::uint32_t header[2] = {*rc::gen::arbitrary<std::uint32_t>(), 0};
  const std::uint32_t small[2] = {header[0] % (1 << 20), 0};
  std::memcpy(s.tx() + (position & (kRingBytesMin - 1)),
              *rc::gen::arbitrary<bool>() ? header : small, 8);
  Record record;
  if (read_record(s.tx(), s.tx_bytes(), position, position + held, record) != ReadResult::kRecord)
    return;
  RC_ASSERT(record.bytes.data() >= s.tx());
  RC_ASSERT(record.bytes.data() + record.bytes.size() <= s.tx() + 2 * kRingBytesMin);
  RC_ASSERT(record.end - position <= held);
  RC_ASSERT(record.end > position || record.end - position >= kRecordHeaderBytes);
}

}  // namespace
}  // namespace selvedge::ring
