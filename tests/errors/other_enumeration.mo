model M
  type Gear = enumeration(first, second);
  type Light = enumeration(red, green);
  Gear gear = Light.red;
end M;
