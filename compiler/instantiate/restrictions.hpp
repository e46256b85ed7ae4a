#pragma once
// What the specification forbids for kinds of classes and declarations, beyond what a stage needs to do its work.

#include <vector>

#include "parser/syntax.hpp"

namespace mosim::compiler {

struct Class;
struct Instances;
struct Member;

/// The text of one class: sections, prefixes and elements that its kind allows (MLS 4.6, 4.9, 12.2, 13.2). Once for each
/// definition.
void check_class(Instances& in, Class* c);

/// May `c` extend the class at the end of `path`, the members of all parts of its name (MLS 4.5.2, 4.6, 7.1.3, 7.1.4)?
/// False after an error that makes going on useless.
bool check_base_class(Instances& in, Class* c, const parser::ExtendsClause& clause, const std::vector<Member*>& path);

/// MLS 4.5.2: an array class, a class with a prefix or a simple type stands alone in the class that extends it. Once for each clause.
void check_combination(Instances& in, Class* c, const parser::ExtendsClause& clause, Member* m, const Class* base);

/// A class that extends ExternalObject (MLS 12.9.7). Returns the name of its destructor's external function.
std::string check_object_class(Instances& in, const Class* c);
/// A component's prefixes and the kind of its type (MLS 4.4.2.2, 4.6, 9.3, 12.2, 15.1).
void check_component(Instances& in, Member* m, Class* type);
/// `each` stands in the modification of an array, or inside one, and gives one value (MLS 7.2.5). `array_type`: the
/// type has dimensions of its own.
void check_each(Instances& in, Member* m, Class* type, bool array, bool array_type);

/// A finished object: the balance of connectors, and a block's public connectors (MLS 4.6, 9.3.1).
void check_object(Instances& in, Class* object);

/// Every declaration and redeclaration against its constraining type (MLS 6.4, 7.3.2).
void check_redeclarations(Instances& in);

}  // namespace mosim::compiler
