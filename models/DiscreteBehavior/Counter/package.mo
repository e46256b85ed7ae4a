within DiscreteBehavior;
package Counter "Counting samples"
end Counter;
