within DiscreteBehavior;
package Hysteresis "A room and its thermostat"
end Hysteresis;
