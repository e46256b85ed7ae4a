// Kernels: instructions of one shape that do not wait for each other become one, with a lane for each. They are found in the code of a section as it is,
// whatever they were made of: loops, arrays of components, or equations that are alike.
//
// Each instruction has a level, one above those whose results it reads. Those of one level and shape, from one place in the source, are the lanes of
// a kernel; the order within a section is that of levels then. Kernels that go on with what the one before has computed, lane by lane, become further
// rows of it.

#include <algorithm>
#include <unordered_map>

#include "compiler/lower/lowering.hpp"
#include "runtime/kernel.hpp"

namespace mosim::compiler {

using runtime::none;

namespace {

constexpr std::size_t least_lanes = 64;   // below, a list of operands takes about as long as the instructions
constexpr std::size_t most_rows = 16;

/// One after the other, as far as they can be. The lanes of an operand, or those of origins.
template <class NumberOf>
runtime::Lanes lanes_of(runtime::Program& program, const std::vector<std::uint32_t>& nodes, NumberOf number_of) {
  using How = runtime::Lanes::How;
  const std::uint32_t first = number_of(nodes.front());
  runtime::Lanes lanes{first, nodes.size() > 1 ? number_of(nodes[1]) - first : 0, How::strided};
  bool strided = true;
  for (std::size_t k = 0; k < nodes.size() && strided; ++k) strided = number_of(nodes[k]) == first + static_cast<std::uint32_t>(k) * lanes.stride;
  if (strided) return lanes;
  lanes = {static_cast<std::uint32_t>(program.lanes.size()), 0, How::listed};
  for (const std::uint32_t n : nodes) program.lanes.push_back(number_of(n));
  return lanes;
}

/// What is known of a slot in the part of the code at hand.
struct SlotNote {
  std::uint32_t read = 0;      // the next level for who writes what is read there; 0: nobody read it
  std::uint32_t node = none;   // that writes it
};

}  // namespace

class Lowering::KernelMaker {
public:
  KernelMaker(Lowering& lowering, Entry from, bool relations) : lowering_(lowering), p_(lowering.p_), from_(from), relations_(relations) {}

  void run() {
    find_nodes();
    for (std::size_t first = 0; first < nodes_.size();) {
      if (nodes_[first].is_fence) {
        copy(nodes_[first++]);
        continue;
      }
      std::size_t last = first;
      while (last < nodes_.size() && !nodes_[last].is_fence) ++last;
      part(first, last);
      first = last;
    }
    p_.code.resize(from_);
    p_.code_origins.resize(from_);
    p_.code.insert(p_.code.end(), code_.begin(), code_.end());
    p_.code_origins.insert(p_.code_origins.end(), origins_.begin(), origins_.end());
  }

private:
  using Instruction = runtime::Instruction;
  /// An instruction, or several with jumps among them alone.
  struct Node {
    Entry first;
    std::uint32_t length : 30;
    bool is_fence : 1;       // nothing changes its place with it
    bool is_plain : 1;       // may become a lane
    std::uint32_t level = 0;
    std::uint32_t group = none, lane = 0;   // in it
    std::uint32_t needs[2] = {none, none};   // of a plain one: nodes of the part that write what it reads
    std::uint32_t readers = 0;               // that are not known to be of its kernel
    std::uint32_t place = none;              // a spot, where it comes from
  };
  struct Group {
    std::uint64_t key = 0;
    std::uint32_t after = none;  // the group that a node's was when its predecessor's was this one
    std::vector<std::uint32_t> nodes;
    Index kernel = none;         // once it is emitted
    std::size_t row = 0;         // of it
    std::uint32_t next = none;   // of the same place, in their order
  };

  /// Whether it is done with what its slots say, and has no effect but in slots.
  bool is_movable(const Instruction& i) const {
    switch (i.op) {
      case Opcode::relation: return relations_;
      case Opcode::jump: case Opcode::jump_if_zero: case Opcode::jump_if_nonzero: return true;
      default: return runtime::may_be_row(i.op);
    }
  }

  /// What reads the slot that it writes could not be carried out again.
  static bool is_row(const Instruction& i) {
    const unsigned reads = runtime::facts(i.op).reads;
    return runtime::may_be_row(i.op) && !(reads > 0 && i.a == i.b) && !(reads > 1 && i.a == i.c);
  }

  void find_nodes() {
    const auto end = static_cast<Entry>(p_.code.size());
    nodes_.reserve(end - from_);
    for (Entry at = from_; at < end;) {
      Entry last = at + 1;
      bool is_fence = false;
      for (Entry k = at; k < last; ++k) {
        const Instruction& i = p_.code[k];
        is_fence = is_fence || !is_movable(i);
        if (runtime::facts(i.op).jumps) last = std::max(last, i.a);
      }
      nodes_.push_back({at, last - at, is_fence, !is_fence && last == at + 1 && is_row(p_.code[at])});
      at = last;
    }
  }

  /// As it is; jumps within it lead as far as before.
  void copy(const Node& node) {
    const auto to = from_ + static_cast<Entry>(code_.size());
    for (Entry at = node.first; at < node.first + node.length; ++at) {
      Instruction i = p_.code[at];
      if (runtime::facts(i.op).jumps) i.a = i.a - node.first + to;
      code_.push_back(i);
      origins_.push_back(p_.code_origins[at]);
    }
  }

  template <class Reads, class Writes>
  void each_slot(const Node& node, Reads reads, Writes writes) {
    for (Entry at = node.first; at < node.first + node.length; ++at) {
      runtime::each_read(p_, p_.code[at], reads);
      runtime::each_written(p_, p_.code[at], writes);
    }
  }

  /// Nodes between two fences.
  void part(std::size_t first, std::size_t last) {
    if (last - first < least_lanes || !group(first, last)) {
      for (std::size_t n = first; n < last; ++n) copy(nodes_[n]);
      return;
    }
    emit(first, last);
    if (last - first == nodes_.size()) let_pass();
  }

  /// False: there is not enough that is alike.
  bool group(std::size_t first, std::size_t last) {
    notes_.resize(p_.memory.size());
    groups_.clear();
    std::unordered_map<std::uint64_t, std::uint32_t> known, latest;
    std::uint32_t recent = none;
    for (std::size_t n = first; n < last; ++n) {
      Node& node = nodes_[n];
      std::uint32_t place = none;
      std::size_t operand = 0;
      each_slot(
          node,
          [&](Slot slot) {
            const auto& note = notes_[slot];
            node.level = std::max(node.level, behind(note.node));
            if (place == none && note.node != none) place = nodes_[note.node].place;
            if (note.node != none) ++nodes_[note.node].readers;
            if (node.is_plain) node.needs[operand++] = note.node;
          },
          [&](Slot slot) {
            const auto& note = notes_[slot];
            node.level = std::max({node.level, behind(note.node), note.read});
            if (note.node != none) ++nodes_[note.node].readers;   // it may stay, where this one is jumped over
            node.is_plain = node.is_plain && note.node == none && note.read == 0;
          });
      if (const Index origin = p_.code_origins[node.first]; origin != none) place = p_.origins.ends[origin].spot;
      node.place = place;
      each_slot(
          node, [&](Slot slot) { auto& note = notes_[slot]; note.read = std::max(note.read, node.level + 1); },
          [&](Slot slot) { notes_[slot].node = static_cast<std::uint32_t>(n); });
      if (!node.is_plain) continue;
      const Instruction& i = p_.code[node.first];
      const std::uint32_t marks[] = {runtime::facts(i.op).reads < 2 ? i.c : 0, i.op == Opcode::relation ? 0 : i.d};
      std::uint64_t key = static_cast<std::uint64_t>(i.op);
      for (const std::uint32_t part : {node.level, place, marks[0], marks[1]}) key = mixed(key, part);
      // What is alike mostly follows what is alike.
      std::uint32_t number = recent == none ? none : groups_[recent].after;
      if (number == none || groups_[number].key != key) {
        const auto [it, fresh] = known.try_emplace(key, static_cast<std::uint32_t>(groups_.size()));
        number = it->second;
        if (fresh) {
          groups_.emplace_back().key = key;
          const auto [before, none_before] = latest.try_emplace(place, number);
          if (!none_before) groups_[before->second].next = number, before->second = number;
        }
        if (recent != none) groups_[recent].after = number;
      }
      recent = number;
      Group& group = groups_[number];
      const Node& like = group.nodes.empty() ? node : nodes_[group.nodes.front()];
      const Instruction& other = p_.code[like.first];
      if (other.op != i.op || like.level != node.level || (runtime::facts(i.op).reads < 2 && other.c != i.c)) continue;   // of 2^64 keys the same one
      node.group = number;
      node.lane = static_cast<std::uint32_t>(group.nodes.size());
      group.nodes.push_back(static_cast<std::uint32_t>(n));
    }
    for (std::size_t n = first; n < last; ++n) {
      const auto forget = [&](Slot slot) { notes_[slot] = {}; };
      each_slot(nodes_[n], forget, forget);
    }
    std::size_t alike = 0;
    for (const Group& g : groups_)
      if (g.nodes.size() >= least_lanes) alike += g.nodes.size();
    return 2 * alike >= last - first;
  }

  /// The next level for who reads what a node has written.
  std::uint32_t behind(std::uint32_t node) const { return node == none ? 0 : nodes_[node].level + 1; }

  bool is_kernel(const Node& node) const { return node.group != none && groups_[node.group].nodes.size() >= least_lanes; }

  /// By level. A kernel that has all that it reads comes at once behind the one of its place: it may become a row of that.
  void emit(std::size_t first, std::size_t last) {
    std::vector<std::uint32_t> starts;   // by level
    for (std::size_t n = first; n < last; ++n) {
      if (nodes_[n].level + 2 > starts.size()) starts.resize(nodes_[n].level + 2);
      ++starts[nodes_[n].level + 1];
    }
    for (std::size_t level = 1; level < starts.size(); ++level) starts[level] += starts[level - 1];
    std::vector<std::uint32_t> order(last - first);
    for (std::size_t n = first; n < last; ++n) order[starts[nodes_[n].level]++] = static_cast<std::uint32_t>(n);
    done_.assign(last - first, 0);
    first_ = first;
    open_ = none;
    for (const std::uint32_t n : order) {
      if (done_[n - first]) continue;
      if (!is_kernel(nodes_[n])) {
        copy(nodes_[n]);
        done_[n - first] = 1;
        open_ = none;
        continue;
      }
      for (std::uint32_t g = nodes_[n].group; g != none; g = groups_[g].next) {
        if (groups_[g].nodes.size() < least_lanes) continue;
        if (groups_[g].kernel != none || !is_ready(groups_[g])) break;
        emit_kernel(groups_[g]);
      }
    }
  }

  bool is_ready(const Group& group) const {
    for (const std::uint32_t n : group.nodes)
      for (const std::uint32_t by : nodes_[n].needs)
        if (by != none && !done_[by - first_]) return false;
    return true;
  }

  /// As a row of the kernel emitted last, or as one of its own.
  void emit_kernel(Group& group) {
    const Node& front = nodes_[group.nodes.front()];
    for (const std::uint32_t n : group.nodes) done_[n - first_] = 1;
    const auto operand = [&](std::uint32_t Instruction::*which) { return lanes_of(p_, group.nodes, [&](std::uint32_t n) { return p_.code[nodes_[n].first].*which; }); };
    const auto origins = [&] { return lanes_of(p_, group.nodes, [&](std::uint32_t n) { return p_.code_origins[nodes_[n].first]; }); };
    const runtime::Kernel::Row row{p_.code[front.first].op, operand(&Instruction::a), operand(&Instruction::b), operand(&Instruction::c), operand(&Instruction::d), origins()};
    if (open_ != none && p_.kernels[open_].count == group.nodes.size() && p_.kernels[open_].rows.size() < most_rows && is_lane_by_lane(group)) {
      p_.kernels[open_].rows.push_back(row);
    } else {
      open_ = static_cast<Index>(p_.kernels.size());
      p_.kernels.push_back({static_cast<std::uint32_t>(group.nodes.size()), {row}});
      Instruction i;
      i.op = Opcode::kernel;
      i.d = open_;
      code_.push_back(i);
      origins_.push_back(p_.code_origins[front.first]);
    }
    group.kernel = open_;
    group.row = p_.kernels[open_].rows.size() - 1;
    for (const std::uint32_t n : group.nodes)
      for (const std::uint32_t by : nodes_[n].needs)
        if (by != none && nodes_[by].group != none && groups_[nodes_[by].group].kernel == open_) --nodes_[by].readers;
  }

  /// Results that only further rows of a kernel read need no place for each lane. Where a section has fences, what stands behind one may read them.
  void let_pass() {
    std::unordered_map<Index, std::vector<const Group*>> rows_of;
    for (const Group& group : groups_)
      if (group.kernel != none) rows_of[group.kernel].push_back(&group);
    for (const auto& [number, groups] : rows_of) {
      runtime::Kernel& kernel = p_.kernels[number];
      std::size_t passing = 0;
      for (const Group* group : groups) {
        const bool inside = std::all_of(group->nodes.begin(), group->nodes.end(), [&](std::uint32_t n) { return nodes_[n].readers == 0 && lowering_.is_temporary(p_.code[nodes_[n].first].a); });
        if (!inside) continue;
        // Each row reads it in all lanes, or in none.
        std::vector<runtime::Lanes*> readers;
        bool alike = true;
        for (const Group* other : groups)
          for (const std::size_t operand : {0, 1}) {
            std::size_t count = 0;
            for (std::size_t lane = 0; lane < other->nodes.size(); ++lane) count += nodes_[other->nodes[lane]].needs[operand] == group->nodes[lane];
            alike = alike && (count == 0 || count == group->nodes.size());
            runtime::Kernel::Row& row = kernel.rows[other->row];
            if (count > 0) readers.push_back(operand == 0 ? &row.b : &row.c);
          }
        if (!alike) continue;
        const runtime::Lanes lanes{lowering_.passing(passing++), 0, runtime::Lanes::How::passing};
        kernel.rows[group->row].a = lanes;
        for (runtime::Lanes* reader : readers) *reader = lanes;
      }
    }
  }

  /// What it reads of the open kernel it reads in the same lane.
  bool is_lane_by_lane(const Group& group) const {
    for (const std::uint32_t n : group.nodes)
      for (const std::uint32_t by : nodes_[n].needs)
        if (by != none && nodes_[by].group != none && groups_[nodes_[by].group].kernel == open_ && nodes_[by].lane != nodes_[n].lane) return false;
    return true;
  }

  Lowering& lowering_;
  runtime::Program& p_;
  std::vector<SlotNote> notes_;          // by slot
  const Entry from_;
  const bool relations_;
  std::vector<Node> nodes_;
  std::vector<Group> groups_;
  std::vector<char> done_;               // by node of the part
  std::size_t first_ = 0;
  Index open_ = none;                    // the kernel emitted last, with nothing behind it
  std::vector<Instruction> code_;
  std::vector<Index> origins_;
};

void Lowering::make_kernels([[maybe_unused]] Entry from, [[maybe_unused]] bool relations) {
#ifndef __EMSCRIPTEN__   // a page has no room for what models of its size do not need
  if (here() - from < std::max(kernels_from_, least_lanes)) return;
  KernelMaker(*this, from, relations).run();
#endif
}

/// Where the k-th result of a kernel that passes stands: the same slots for all kernels.
runtime::Slot Lowering::passing(std::size_t k) {
  while (passing_.size() <= k) passing_.push_back(new_slots(runtime::lanes_together));
  return passing_[k];
}

}  // namespace mosim::compiler
