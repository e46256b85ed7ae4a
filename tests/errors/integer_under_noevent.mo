model IntegerUnderNoEvent
  Integer gear;
equation
  if noEvent(time > 0.5) then
    gear = 2;
  else
    gear = 1;
  end if;
end IntegerUnderNoEvent;
