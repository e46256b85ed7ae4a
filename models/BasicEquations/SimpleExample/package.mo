within BasicEquations;
package SimpleExample "One state that is drawn to 1"
end SimpleExample;
