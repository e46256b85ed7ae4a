within DiscreteBehavior;
package Accuracy "What events are good for"
end Accuracy;
