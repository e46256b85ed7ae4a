within BasicEquations;
package RLC "Battery and coil in series with a resistor and a capacitor side by side"
end RLC;
