#pragma once
// Stage "instantiate": classes with their modifications -> the instance tree (MLS 5.6).

#include <string>
#include <vector>

#include "compiler/instantiate/settings.hpp"

namespace mosim::compiler {

struct Instances;
struct Member;

// model_name.cpp
/// The class of a dotted name as the user gives it; null with an error that says which models there are.
Member* find_model(Instances& in, const std::string& path);
/// The remedy for a class that is no model: names of models in it, if it is a package, or beside it.
std::string models_instead(Instances& in, const Member* m);

// model.cpp
/// The object tree of a model: every component, depth first.
bool instantiate_model(Instances& in, const std::string& model, const std::vector<Setting>& settings);
/// A component that an object got after the tree was made, with all that is in it.
void instantiate_member(Instances& in, Member* m);
/// `mosim --emit instance`.
std::string print_instances(Instances& in);

}  // namespace mosim::compiler
