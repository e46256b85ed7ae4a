package Lessons "Small models of docs/events.md, one point each"
end Lessons;
