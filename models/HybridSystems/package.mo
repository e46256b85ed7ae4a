package HybridSystems "Systems that flow and jump: interconnected hybrid systems, and a scheme for unilateral contact"
end HybridSystems;
