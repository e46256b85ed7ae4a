within DiscreteBehavior;
package PulseGenerator "On and off"
end PulseGenerator;
