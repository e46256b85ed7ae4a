model Lamp
  block Inner
  end Inner;
  block Outer
    Inner a;
  equation
    initialState(a);
  end Outer;
  Outer on;
  Inner off;
equation
  initialState(on);
  transition(on.a, off, ticksInState() > 3);
end Lamp;
