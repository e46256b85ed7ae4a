model M
  type Gear = enumeration(first, second, third);
  Gear gear = Gear.fourth;
end M;
