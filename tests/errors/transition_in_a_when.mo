model Lamp
  block State
  end State;
  State on, off;
equation
  initialState(off);
  when time > 1 then
    transition(off, on, true);
  end when;
end Lamp;
