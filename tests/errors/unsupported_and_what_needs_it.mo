// An external function is not supported yet; what needs its object is not told of as well.
class Table
  extends ExternalObject;
  function constructor
    input String name;
    output Table table;
    external "C" table = open_table(name);
  end constructor;
  function destructor
    input Table table;
    external "C" close_table(table);
  end destructor;
end Table;
function at
  input Table table;
  input Real u;
  output Real y;
  external "C" y = table_at(table, u);
end at;
model M
  Table table = Table("file");
  Real y = at(table, time);
  Real z = 2*at(table, y);
end M;
