within DiscreteBehavior;
package Chatter "A relation that falsifies itself"
end Chatter;
