within DiscreteBehavior;
package SpeedMeasurement "How a controller sees the speed of inertia 1"
end SpeedMeasurement;
