within DiscreteBehavior;
package Backlash "Play between two inertias"
end Backlash;
