within DiscreteBehavior;
package SynchronousSystems "When two things shall happen at the same instant"
end SynchronousSystems;
