within BasicEquations;
package CoolingExample "A warm body in air: T = T_inf + (T0 - T_inf)*exp(-h*A/(m*c_p)*time)"
end CoolingExample;
