// The size was meant: size(table, 2).
class Table
  extends ExternalObject;
  function constructor
    input Real table[:, :];
    output Table t;
    external "C" t = ModelicaStandardTables_CombiTable1D_init2("", "", table, size(table, 1), Table(table), {2}, 1, 1, 1, false);
  end constructor;
  function destructor
    input Table t;
    external "C" ModelicaStandardTables_CombiTable1D_close(t);
  end destructor;
end Table;

model M
  Table t = Table([0, 0; 1, 1]);
end M;
