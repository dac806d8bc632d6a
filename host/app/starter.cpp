#include "app/starter.hpp"

namespace conesweep::app {

const char starter_text[] =
    R"toml(# A block is thrown along a rough floor from a height. Where does it come to rest, and when?
#
# Change what you like, then ask: conesweep check FILE, conesweep run FILE. The complete reference is docs/scenario.md;
# conesweep new NAME --like SAMPLE starts from another system.

title = "A block thrown along a rough floor"     # for people: in tables and reports

# ---- what moves, and what drives it ---------------------------------------------------------------------------------------

[model]
coordinates = ["x", "y"]                        # names of your choice; the velocities are then vx, vy
force = ["-c * vx", "-g"]                       # one expression a coordinate, of t, coordinates, velocities and parameters,
                                                # and of the past: delay(x, tau) is x as it was tau ago
# mass = ["m", "m"]                             # left out: 1; or a matrix, also of the coordinates

[model.parameters]                              # every name in an expression has its default here
g = 9.81
c = 0.5                                         # drag
H = 0.5                                         # height it starts from
u = 2.0                                         # speed it is thrown with
mu = 0.4

# ---- what it touches: any number of contacts ------------------------------------------------------------------------------

[[model.contact]]
name = "floor"
inside = "y >= 0"                               # where it may be; the wall is where both sides are equal
friction = "mu"                                 # Coulomb's coefficient; or friction_angle, in radians; left out: smooth
# restitution = "0.5"                           # share of the normal velocity that comes back; left out: 0

# Joints are [[model.bilateral]], dry friction with a given limit is [[model.resistance]].

# ---- where it comes from --------------------------------------------------------------------------------------------------

[start]                                         # the motion up to t = 0, as expressions of t <= 0; its slope is the velocity
x = "u * t"
y = "H"

[time]
end = 2.0
step = 1e-3                                     # conesweep converge FILE tells whether it is small enough

# ---- how many members, and how they differ --------------------------------------------------------------------------------

[ensemble]
members = 1000
seed = 1                                        # the same seed gives the same members, on every machine
sampler = "random"                              # or latin, sobol, grid

[vary]                                          # what is not here is the same for all members; --set mu=0.3 fixes one
mu = { uniform = [0.2, 0.6] }
H  = { truncated_normal = [0.5, 0.2, 0, 2] }    # mean, deviation, lower and upper end
# also normal, lognormal, loguniform, triangular, choice, and table: a column of a CSV file

# ---- what is asked of every member ----------------------------------------------------------------------------------------

[observe]                                       # name = { reducer = "expression" }; standard quantities come by themselves
rest_place = { final = "x" }
rest_time  = { last_time = "vx > 0" }           # the last time at which it still slid
landing    = { first_time = "y <= 0" }          # NaN for a member that never lands: it is left out of the statistics

[record]                                        # trajectories that are kept, for figures
members = 32
every = 10                                      # steps between two recorded times
)toml";

}  // namespace conesweep::app
