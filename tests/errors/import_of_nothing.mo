model M
  import Modelica.Constants.tau;
  Real x = tau*time;
end M;
