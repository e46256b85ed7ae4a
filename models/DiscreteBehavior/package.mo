package DiscreteBehavior "Equations with events"
end DiscreteBehavior;
