#include "foreign/invocation.hpp"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <limits>
#include <stdexcept>

#include "native/say.hpp"

namespace mosim::foreign {
namespace {

using Kind = Type::Kind;

ffi_type* scalar_type(Kind kind) {
  switch (kind) {
    case Kind::real: return &ffi_type_double;
    case Kind::integer:
    case Kind::boolean: return &ffi_type_sint;
    case Kind::size: return sizeof(std::size_t) == 8 ? &ffi_type_uint64 : &ffi_type_uint32;
    default: return &ffi_type_pointer;
  }
}

struct Refused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// One operand's memory, for the time of a call.
struct Memory {
  std::size_t count = 0;
  std::vector<std::max_align_t> bytes;
  void* address = nullptr;    // of bytes, for those that are handed over by address
  char* data() { return reinterpret_cast<char*>(bytes.data()); }
};

void put_number(char* at, Kind kind, double value, bool result) {
  if (std::isnan(value) && result) value = 0;   // a variable without a value yet
  if (kind == Kind::real) {
    std::memcpy(at, &value, sizeof value);
  } else if (kind == Kind::size) {
    const auto n = static_cast<std::size_t>(value);
    std::memcpy(at, &n, sizeof n);
  } else {
    if (!(value >= std::numeric_limits<int>::min() && value <= std::numeric_limits<int>::max()) || value != std::trunc(value))
      throw Refused("is called with the Integer " + native::say(value) + ", for which an int of C has no room");
    const int n = static_cast<int>(value);
    std::memcpy(at, &n, sizeof n);
  }
}

void put_leaf(char* at, const Type& type, bool result, Reader& r, std::deque<std::string>& texts, const std::vector<void*>& objects) {
  if (type.kind == Kind::string) {
    const char* const text = texts.emplace_back(r.get_text()).c_str();
    std::memcpy(at, &text, sizeof text);
  } else if (type.kind == Kind::object) {
    const auto number = r.get<std::uint64_t>();
    if (!result && (number == 0 || number > objects.size() || !objects[number - 1])) throw Refused("is called with an object that there is not");
    void* const object = result ? nullptr : objects[number - 1];
    std::memcpy(at, &object, sizeof object);
  } else {
    put_number(at, type.kind, r.get<double>(), result);
  }
}

template <class T>
T at(const char* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

void take_leaf(const char* from, const Type& type, Writer& w, std::vector<void*>& objects) {
  switch (type.kind) {
    case Kind::real: return w.put(at<double>(from));
    case Kind::boolean: return w.put(at<int>(from) != 0 ? 1.0 : 0.0);
    case Kind::size: return w.put(static_cast<double>(at<std::size_t>(from)));
    case Kind::integer: {
      const int value = at<int>(from);
      if (type.literals > 0 && (value < 1 || value > type.literals))
        throw Refused("gives " + std::to_string(value) + " for an enumeration of " + std::to_string(type.literals) + " literals");
      return w.put(static_cast<double>(value));
    }
    case Kind::string: {
      const char* const text = at<const char*>(from);
      if (!text) throw Refused("gives a null pointer for a String");
      return w.put_text(text);
    }
    case Kind::object:
      objects.push_back(at<void*>(from));
      return w.put<std::uint64_t>(objects.back() ? objects.size() : 0);
    case Kind::record: break;
  }
}

Writer failure(const std::string& text) {
  Writer w(Word::failed);
  w.put_text(text);
  return w;
}

}  // namespace

Layout::Layout(const Type& given) : type(given) {
  if (type.kind != Kind::record) {
    ffi = scalar_type(type.kind);
    leaves.push_back({&type, 0});
    return;
  }
  for (const Type& field : type.fields) {
    fields.push_back(std::make_unique<Layout>(field));
    elements.push_back(fields.back()->ffi);
  }
  elements.push_back(nullptr);
  record.type = FFI_TYPE_STRUCT;
  record.elements = elements.data();
  ffi = &record;
  std::vector<std::size_t> offsets(fields.size());
  if (ffi_get_struct_offsets(FFI_DEFAULT_ABI, &record, offsets.data()) != FFI_OK) throw std::runtime_error("a record without elements has no struct in C");
  for (std::size_t k = 0; k < fields.size(); ++k)
    for (const Leaf& leaf : fields[k]->leaves) leaves.push_back({leaf.type, offsets[k] + leaf.at});
}

Invocation::Invocation(Function function, void* address) : function_(std::move(function)), address_(address) {
  for (const Parameter& p : function_.parameters) layouts_.push_back(std::make_unique<Layout>(p.type));
  for (std::size_t k = function_.returns ? 1 : 0; k < layouts_.size(); ++k) {
    const Parameter& p = function_.parameters[k];
    const bool by_address = p.array || p.result || p.type.kind == Kind::record;
    types_.push_back(by_address ? &ffi_type_pointer : layouts_[k]->ffi);
  }
  ffi_type* const result = function_.returns ? layouts_.front()->ffi : &ffi_type_void;
  if (ffi_prep_cif(&interface_, FFI_DEFAULT_ABI, static_cast<unsigned>(types_.size()), result, types_.data()) != FFI_OK)
    throw std::runtime_error("libffi does not take the operands of " + function_.name);
}

Writer Invocation::run(Surroundings& surroundings, void* result, void** arguments, bool& good) {
  surroundings.error.clear();
  surround(&surroundings);
  if (setjmp(surroundings.back) == 0) {
    ffi_call(&interface_, reinterpret_cast<void (*)()>(address_), result, arguments);
    surround(nullptr);
    good = true;
    return Writer(Word::done);
  }
  surround(nullptr);
  good = false;
  return failure(surroundings.error);
}

Writer Invocation::call(Reader& r, Surroundings& surroundings, std::vector<void*>& objects) {
  std::deque<std::string> texts;
  std::vector<Memory> memories(layouts_.size());
  try {
    for (std::size_t k = 0; k < layouts_.size(); ++k) {
      const Layout& layout = *layouts_[k];
      const Parameter& p = function_.parameters[k];
      Memory& memory = memories[k];
      for (std::size_t l = 0; l < layout.leaves.size(); ++l) {
        const auto n = r.get<std::uint64_t>();
        if (l == 0) {
          memory.count = n;
          // An empty array has an address too; what is narrower than a register is widened where it is returned.
          memory.bytes.resize(std::max<std::size_t>(n * layout.ffi->size, sizeof(ffi_arg)) / sizeof(std::max_align_t) + 1);
          memory.address = memory.data();
        }
        if (n != memory.count || (!p.array && n != 1)) throw Refused("is called with operands of a wrong size");
        for (std::size_t j = 0; j < n; ++j)
          put_leaf(memory.data() + j * layout.ffi->size + layout.leaves[l].at, *layout.leaves[l].type, p.result, r, texts, objects);
      }
    }
    std::vector<void*> arguments;
    for (std::size_t k = function_.returns ? 1 : 0; k < layouts_.size(); ++k)
      arguments.push_back(types_[arguments.size()] == &ffi_type_pointer && (function_.parameters[k].array || function_.parameters[k].result ||
                                                                             function_.parameters[k].type.kind == Kind::record)
                              ? static_cast<void*>(&memories[k].address)
                              : memories[k].data());
    bool good = false;
    Writer answer = run(surroundings, function_.returns ? memories.front().data() : nullptr, arguments.data(), good);
    if (good)
      for (std::size_t k = 0; k < layouts_.size(); ++k) {
        if (!function_.parameters[k].result) continue;
        const Layout& layout = *layouts_[k];
        for (const Layout::Leaf& leaf : layout.leaves)
          for (std::size_t j = 0; j < memories[k].count; ++j) take_leaf(memories[k].data() + j * layout.ffi->size + leaf.at, *leaf.type, answer, objects);
      }
    for (char* const text : surroundings.texts) std::free(text);
    surroundings.texts.clear();
    return answer;
  } catch (const Refused& refused) {
    return failure(function_.name + " " + refused.what());
  }
}

Writer Invocation::destroy(void* object, Surroundings& surroundings) {
  void* arguments[] = {&object};
  bool good = false;
  Writer answer = run(surroundings, nullptr, arguments, good);
  for (char* const text : surroundings.texts) std::free(text);
  surroundings.texts.clear();
  return answer;
}

}  // namespace mosim::foreign
