package BasicEquations "Differential and algebraic equations without events"
end BasicEquations;
