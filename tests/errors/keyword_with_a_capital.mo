// Capital letters count.
model M
  Real x;
equation
  if time > 1 Then
    x = 1;
  else
    x = 2;
  end if;
end M;
