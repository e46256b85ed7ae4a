within DiscreteBehavior;
package BouncingBall "Impacts, and what `when` does with a vector of conditions"
end BouncingBall;
