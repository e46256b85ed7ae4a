package M
  constant Real g = 9.81;
end M;
