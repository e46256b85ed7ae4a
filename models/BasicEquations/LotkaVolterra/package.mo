within BasicEquations;
package LotkaVolterra "Prey and predators"
end LotkaVolterra;
