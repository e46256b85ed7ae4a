package Modelica "The part of the standard library's names that the models here rely on"
  // It is compiled into mosim, and the Modelica Standard Library takes its place where that one can be found.

  package Constants "Numbers of mathematics, of the machine and of nature"
    final constant Real pi = 3.14159265358979323846 "Half a turn, in radians";
    final constant Real e = exp(1.0) "Base of the natural logarithm";
    final constant Real D2R(final unit="rad/deg") = pi/180 "From degrees to radians";
    final constant Real R2D(final unit="deg/rad") = 180/pi "From radians to degrees";
    final constant Real gamma(final unit="1") = 0.57721566490153286061 "Euler's constant";

    // The machine: IEEE 754 doubles and 32-bit integers.
    final constant Real eps = 2.2204460492503131e-16 "From 1 to the next number";
    final constant Real small = 2.2250738585072014e-308 "Least positive number that has all its digits";
    final constant Real inf = 1.7976931348623157e+308 "Greatest number";
    final constant Integer Integer_inf = 2147483647 "Greatest integer";

    // Nature: the values that define the SI since 2019, and CODATA 2018 for the measured ones.
    final constant Units.SI.Velocity c = 299792458 "Light in vacuum";
    final constant Units.SI.Acceleration g_n = 9.80665 "Free fall, by convention";
    final constant Real G(final unit="m3/(kg.s2)") = 6.67430e-11 "Gravitation";
    final constant Units.SI.ElectricCharge q = 1.602176634e-19 "Charge of a proton";
    final constant Real h(final unit="J.s") = 6.62607015e-34 "Planck";
    final constant Real k(final unit="J/K") = 1.380649e-23 "Boltzmann";
    final constant Real N_A(final unit="1/mol") = 6.02214076e23 "Avogadro";
    final constant Units.SI.FaradayConstant F = q*N_A "Charge of a mole of protons";
    final constant Real R(final unit="J/(mol.K)") = k*N_A "Gases";
    final constant Real sigma(final unit="W/(m2.K4)") = 2*pi^5*k^4/(15*h^3*c^2)
      "Stefan and Boltzmann: radiation of a black body";
    final constant Units.SI.Permeability mu_0 = 1.25663706212e-6 "Magnetic field constant";
    final constant Real epsilon_0(final unit="F/m") = 1/(mu_0*c*c) "Electric field constant";
    final constant Units.NonSI.Temperature_degC T_zero = -273.15 "Absolute zero on the Celsius scale";
  end Constants;

  package Units "Types of physical quantities"
    package SI "In units of the SI"
      // Space and time
      type Angle = Real(final quantity="Angle", final unit="rad", displayUnit="deg") "Plane angle";
      type SolidAngle = Real(final quantity="SolidAngle", final unit="sr") "Angle in space";
      type Length = Real(final quantity="Length", final unit="m");
      type PathLength = Length;
      type Position = Length "A coordinate, of either sign";
      type Distance = Length(min=0) "Never negative";
      type Breadth = Length(min=0);
      type Height = Length(min=0);
      type Thickness = Length(min=0);
      type Radius = Length(min=0);
      type Diameter = Length(min=0);
      type Area = Real(final quantity="Area", final unit="m2");
      type Volume = Real(final quantity="Volume", final unit="m3");
      type Time = Real(final quantity="Time", final unit="s");
      type Duration = Time;
      type Velocity = Real(final quantity="Velocity", final unit="m/s");
      type Acceleration = Real(final quantity="Acceleration", final unit="m/s2");
      type Jerk = Real(final quantity="Jerk", final unit="m/s3") "Rate of an acceleration";
      type AngularVelocity = Real(final quantity="AngularVelocity", final unit="rad/s");
      type AngularAcceleration = Real(final quantity="AngularAcceleration", final unit="rad/s2");
      type AngularJerk = Real(final quantity="AngularJerk", final unit="rad/s3");

      // Oscillations and waves
      type Period = Real(final quantity="Time", final unit="s") "Time of one oscillation";
      type Frequency = Real(final quantity="Frequency", final unit="Hz") "Oscillations in a second";
      type AngularFrequency = Real(final quantity="AngularFrequency", final unit="rad/s") "2*pi times the frequency";
      type Wavelength = Real(final quantity="Wavelength", final unit="m");
      type WaveNumber = Real(final quantity="WaveNumber", final unit="m-1") "Waves in a metre";
      type DampingCoefficient = Real(final quantity="DampingCoefficient", final unit="s-1")
        "Of an amplitude that decays as exp(-x*t)";
      type Damping = DampingCoefficient;
      type LogarithmicDecrement = Real(final quantity="LogarithmicDecrement", final unit="1")
        "ln of the ratio of two successive amplitudes";
      type VelocityOfSound = Real(final quantity="Velocity", final unit="m/s");

      // Mechanics
      type Mass = Real(final quantity="Mass", final unit="kg", min=0);
      type Density = Real(final quantity="Density", final unit="kg/m3", displayUnit="g/cm3", min=0.0);
      type RelativeDensity = Real(final quantity="RelativeDensity", final unit="1", min=0.0)
        "Against a density of reference";
      type SpecificVolume = Real(final quantity="SpecificVolume", final unit="m3/kg", min=0.0);
      type LinearDensity = Real(final quantity="LinearDensity", final unit="kg/m", min=0) "Mass of a metre";
      type SurfaceDensity = Real(final quantity="SurfaceDensity", final unit="kg/m2", min=0) "Mass of a square metre";
      type Momentum = Real(final quantity="Momentum", final unit="kg.m/s");
      type Impulse = Real(final quantity="Impulse", final unit="N.s") "Integral of a force over time";
      type AngularMomentum = Real(final quantity="AngularMomentum", final unit="kg.m2/s");
      type AngularImpulse = Real(final quantity="AngularImpulse", final unit="N.m.s");
      type MomentOfInertia = Real(final quantity="MomentOfInertia", final unit="kg.m2");
      type Inertia = MomentOfInertia;
      type Force = Real(final quantity="Force", final unit="N");
      type Weight = Force;
      type TranslationalSpringConstant = Real(final quantity="TranslationalSpringConstant", final unit="N/m");
      type TranslationalDampingConstant = Real(final quantity="TranslationalDampingConstant", final unit="N.s/m");
      type Torque = Real(final quantity="Torque", final unit="N.m");
      type MomentOfForce = Torque;
      type RotationalSpringConstant = Real(final quantity="RotationalSpringConstant", final unit="N.m/rad");
      type RotationalDampingConstant = Real(final quantity="RotationalDampingConstant", final unit="N.m.s/rad");
      type ElectricalTorqueConstant = Real(final quantity="ElectricalTorqueConstant", final unit="N.m/A")
        "Torque of a motor for each ampere";
      type Stress = Real(final unit="Pa");
      type NormalStress = Stress;
      type ShearStress = Stress;
      type Strain = Real(final quantity="Strain", final unit="1");
      type LinearStrain = Strain;
      type ShearStrain = Strain;
      type VolumeStrain = Real(final quantity="VolumeStrain", final unit="1");
      type PoissonNumber = Real(final quantity="PoissonNumber", final unit="1");
      type ModulusOfElasticity = Stress;
      type ShearModulus = Stress;
      type SecondMomentOfArea = Real(final quantity="SecondMomentOfArea", final unit="m4");
      type SectionModulus = Real(final quantity="SectionModulus", final unit="m3");
      type CoefficientOfFriction = Real(final quantity="CoefficientOfFriction", final unit="1");
      type Work = Real(final quantity="Work", final unit="J");
      type Energy = Real(final quantity="Energy", final unit="J");
      type PotentialEnergy = Energy;
      type KineticEnergy = Energy;
      type EnergyDensity = Real(final quantity="EnergyDensity", final unit="J/m3");
      type Power = Real(final quantity="Power", final unit="W");
      type EnergyFlowRate = Power;
      type Efficiency = Real(final quantity="Efficiency", final unit="1", min=0);

      // Fluids
      type Pressure = Real(final quantity="Pressure", final unit="Pa", displayUnit="bar");
      type AbsolutePressure = Pressure(min=0.0, nominal=1e5) "Against vacuum";
      type PressureDifference = Pressure;
      type PressureSlope = Real(final quantity="PressureSlope", final unit="Pa/s", displayUnit="bar/s");
      type BulkModulus = AbsolutePressure;
      type DynamicViscosity = Real(final quantity="DynamicViscosity", final unit="Pa.s", min=0);
      type KinematicViscosity = Real(final quantity="KinematicViscosity", final unit="m2/s", min=0);
      type SurfaceTension = Real(final quantity="SurfaceTension", final unit="N/m");
      type MassFlowRate = Real(quantity="MassFlowRate", final unit="kg/s");
      type VolumeFlowRate = Real(final quantity="VolumeFlowRate", final unit="m3/s");
      type EnthalpyFlowRate = Real(final quantity="EnthalpyFlowRate", final unit="W");
      type MomentumFlux = Real(final quantity="MomentumFlux", final unit="N");
      type Compressibility = Real(final quantity="Compressibility", final unit="1/Pa");
      type IsothermalCompressibility = Compressibility;
      type MassFraction = Real(final quantity="MassFraction", final unit="1", min=0, max=1);
      type MoleFraction = Real(final quantity="MoleFraction", final unit="1", min=0, max=1);
      type VolumeFraction = Real(final quantity="VolumeFraction", final unit="1");

      // Heat
      type ThermodynamicTemperature = Real(final quantity="ThermodynamicTemperature", final unit="K",
        min=0.0, start=288.15, nominal=300, displayUnit="degC")
        "Counted from absolute zero";
      type Temperature = ThermodynamicTemperature;
      type TemperatureDifference = Real(final quantity="ThermodynamicTemperature", final unit="K") "Of either sign";
      type TemperatureSlope = Real(final quantity="TemperatureSlope", final unit="K/s");
      type LinearTemperatureCoefficient = Real(final quantity="LinearTemperatureCoefficient", final unit="1/K");
      type QuadraticTemperatureCoefficient = Real(final quantity="QuadraticTemperatureCoefficient", final unit="1/K2");
      type LinearExpansionCoefficient = Real(final quantity="LinearExpansionCoefficient", final unit="1/K");
      type CubicExpansionCoefficient = Real(final quantity="CubicExpansionCoefficient", final unit="1/K");
      type Heat = Real(final quantity="Energy", final unit="J");
      type HeatFlowRate = Real(final quantity="Power", final unit="W") "Heat in a second";
      type HeatFlux = Real(final quantity="HeatFlux", final unit="W/m2");
      type DensityOfHeatFlowRate = Real(final quantity="DensityOfHeatFlowRate", final unit="W/m2");
      type ThermalConductivity = Real(final quantity="ThermalConductivity", final unit="W/(m.K)");
      type CoefficientOfHeatTransfer = Real(final quantity="CoefficientOfHeatTransfer", final unit="W/(m2.K)");
      type SurfaceCoefficientOfHeatTransfer = CoefficientOfHeatTransfer;
      type ThermalInsulance = Real(final quantity="ThermalInsulance", final unit="m2.K/W");
      type ThermalResistance = Real(final quantity="ThermalResistance", final unit="K/W");
      type ThermalConductance = Real(final quantity="ThermalConductance", final unit="W/K");
      type ThermalDiffusivity = Real(final quantity="ThermalDiffusivity", final unit="m2/s");
      type HeatCapacity = Real(final quantity="HeatCapacity", final unit="J/K");
      type SpecificHeatCapacity = Real(final quantity="SpecificHeatCapacity", final unit="J/(kg.K)");
      type SpecificHeatCapacityAtConstantPressure = SpecificHeatCapacity;
      type SpecificHeatCapacityAtConstantVolume = SpecificHeatCapacity;
      type RatioOfSpecificHeatCapacities = Real(final quantity="RatioOfSpecificHeatCapacities", final unit="1");
      type IsentropicExponent = Real(final quantity="IsentropicExponent", final unit="1");
      type Entropy = Real(final quantity="Entropy", final unit="J/K");
      type EntropyFlowRate = Real(final quantity="EntropyFlowRate", final unit="J/(K.s)");
      type SpecificEntropy = Real(final quantity="SpecificEntropy", final unit="J/(kg.K)");
      type InternalEnergy = Heat;
      type Enthalpy = Heat;
      type SpecificEnergy = Real(final quantity="SpecificEnergy", final unit="J/kg");
      type SpecificInternalEnergy = SpecificEnergy;
      type SpecificEnthalpy = SpecificEnergy;
      type Emissivity = Real(final quantity="Emissivity", final unit="1");
      type Irradiance = Real(final quantity="Irradiance", final unit="W/m2");

      // Electricity and magnetism
      type ElectricCurrent = Real(final quantity="ElectricCurrent", final unit="A");
      type Current = ElectricCurrent;
      type CurrentSlope = Real(final quantity="CurrentSlope", final unit="A/s");
      type CurrentDensity = Real(final quantity="CurrentDensity", final unit="A/m2");
      type ElectricCharge = Real(final quantity="ElectricCharge", final unit="C");
      type Charge = ElectricCharge;
      type ElectricFieldStrength = Real(final quantity="ElectricFieldStrength", final unit="V/m");
      type ElectricPotential = Real(final quantity="ElectricPotential", final unit="V");
      type Voltage = ElectricPotential;
      type PotentialDifference = ElectricPotential;
      type ElectromotiveForce = ElectricPotential;
      type VoltageSlope = Real(final quantity="VoltageSlope", final unit="V/s");
      type VoltageSecond = Real(final quantity="VoltageSecond", final unit="V.s");
      type ElectricFluxDensity = Real(final quantity="ElectricFluxDensity", final unit="C/m2");
      type ElectricFlux = Real(final quantity="ElectricFlux", final unit="C");
      type Capacitance = Real(final quantity="Capacitance", final unit="F", min=0);
      type Permittivity = Real(final quantity="Permittivity", final unit="F/m", min=0);
      type RelativePermittivity = Real(final quantity="RelativePermittivity", final unit="1");
      type MagneticFieldStrength = Real(final quantity="MagneticFieldStrength", final unit="A/m");
      type MagneticPotential = Real(final quantity="MagneticPotential", final unit="A");
      type MagneticPotentialDifference = Real(final quantity="MagneticPotential", final unit="A");
      type MagnetomotiveForce = Real(final quantity="MagnetomotiveForce", final unit="A");
      type MagneticFluxDensity = Real(final quantity="MagneticFluxDensity", final unit="T");
      type MagneticFlux = Real(final quantity="MagneticFlux", final unit="Wb");
      type Inductance = Real(final quantity="Inductance", final unit="H");
      type SelfInductance = Inductance(min=0);
      type MutualInductance = Inductance;
      type CouplingCoefficient = Real(final quantity="CouplingCoefficient", final unit="1");
      type Permeability = Real(final quantity="Permeability", final unit="V.s/(A.m)");
      type RelativePermeability = Real(final quantity="RelativePermeability", final unit="1");
      type Reluctance = Real(final quantity="Reluctance", final unit="H-1");
      type Permeance = Real(final quantity="Permeance", final unit="H");
      type Resistance = Real(final quantity="Resistance", final unit="Ohm");
      type Resistivity = Real(final quantity="Resistivity", final unit="Ohm.m");
      type Conductance = Real(final quantity="Conductance", final unit="S");
      type Conductivity = Real(final quantity="Conductivity", final unit="S/m");
      type Impedance = Resistance;
      type Reactance = Resistance;
      type Admittance = Conductance;
      type Susceptance = Conductance;
      type PhaseDifference = Real(final quantity="Angle", final unit="rad", displayUnit="deg");
      type InstantaneousPower = Real(final quantity="Power", final unit="W");
      type ActivePower = Real(final quantity="Power", final unit="W");
      type ApparentPower = Real(final quantity="Power", final unit="V.A");
      type ReactivePower = Real(final quantity="Power", final unit="var");
      type PowerFactor = Real(final quantity="PowerFactor", final unit="1");

      // Light
      type LuminousIntensity = Real(final quantity="LuminousIntensity", final unit="cd");
      type LuminousFlux = Real(final quantity="LuminousFlux", final unit="lm");
      type Illuminance = Real(final quantity="Illuminance", final unit="lx");
      type RadiantPower = Real(final quantity="Power", final unit="W");
      type RadiantEnergy = Real(final quantity="Energy", final unit="J");

      // Substances
      type AmountOfSubstance = Real(final quantity="AmountOfSubstance", final unit="mol", min=0);
      type MolarMass = Real(final quantity="MolarMass", final unit="kg/mol", min=0);
      type MolarVolume = Real(final quantity="MolarVolume", final unit="m3/mol", min=0);
      type MolarDensity = Real(final quantity="MolarDensity", unit="mol/m3");
      type MolarConcentration = MolarDensity;
      type MolarEnergy = Real(final quantity="MolarEnergy", final unit="J/mol", nominal=2e4);
      type MolarHeatCapacity = Real(final quantity="MolarHeatCapacity", final unit="J/(mol.K)");
      type MolarFlowRate = Real(final quantity="MolarFlowRate", final unit="mol/s");
      type FaradayConstant = Real(final quantity="FaradayConstant", final unit="C/mol");
      type DiffusionCoefficient = Real(final quantity="DiffusionCoefficient", final unit="m2/s");
      type Activity = Real(final quantity="Activity", final unit="Bq");
      type DecayConstant = Real(final quantity="DecayConstant", final unit="s-1");
      type HalfLife = Real(final quantity="Time", final unit="s");
    end SI;

    package NonSI "In other units that are in use"
      type Temperature_degC = Real(final quantity="ThermodynamicTemperature", final unit="degC")
        "Temperature on the Celsius scale";
      type Angle_deg = Real(final quantity="Angle", final unit="deg") "360 of them are a turn";
      type AngularVelocity_rpm = Real(final quantity="AngularVelocity", final unit="rev/min") "Turns in a minute";
      type Velocity_kmh = Real(final quantity="Velocity", final unit="km/h") "Speed on the road";
      type Time_minute = Real(final quantity="Time", final unit="min") "60 s";
      type Time_hour = Real(final quantity="Time", final unit="h") "3600 s";
      type Time_day = Real(final quantity="Time", final unit="d") "86400 s";
      type Energy_kWh = Real(final quantity="Energy", final unit="kW.h") "3.6e6 J";
      type Pressure_bar = Real(final quantity="Pressure", final unit="bar") "1e5 Pa";
    end NonSI;
  end Units;

  package SIunits = Units.SI "The name of Units.SI before version 4 of the standard library";
end Modelica;
