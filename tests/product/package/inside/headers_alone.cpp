// A user's program on the headers, without the library.
#include <conesweep/state/status.hpp>

int main() { return static_cast<int>(conesweep::state::Status::ok); }
