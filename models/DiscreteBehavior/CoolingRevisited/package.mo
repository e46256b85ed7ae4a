within DiscreteBehavior;
package CoolingRevisited "Air that gets colder: a time event, and the same without one"
end CoolingRevisited;
