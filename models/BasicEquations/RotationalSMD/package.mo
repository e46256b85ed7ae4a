within BasicEquations;
package RotationalSMD "Two inertias, two springs, two dampers"
end RotationalSMD;
