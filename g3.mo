model M Boolean b; equation b = true and time > 0.5; end M;
