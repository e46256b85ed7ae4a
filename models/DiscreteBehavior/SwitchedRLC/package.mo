within DiscreteBehavior;
package SwitchedRLC "A circuit that is switched on at 0.5 s"
end SwitchedRLC;
