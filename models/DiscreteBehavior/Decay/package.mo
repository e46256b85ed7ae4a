within DiscreteBehavior;
package Decay "Right sides that are defined on one side only, or that jump"
end Decay;
