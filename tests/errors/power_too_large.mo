model PowerTooLarge
  constant Real huge = 10.0^400;
  Real x = time/huge;
end PowerTooLarge;
