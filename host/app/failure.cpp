#include "app/failure.hpp"

#include <iostream>
#include <new>

#include "app/options.hpp"
#include "support/error.hpp"
#include "support/visible.hpp"

namespace conesweep::app {

Failure describe_failure() {
  try {
    throw;
  } catch (const InputError& error) {
    return {bad_input, visible(error.what())};
  } catch (const Interrupted& stop) {
    return {interrupted, visible(stop.what())};
  } catch (const std::bad_alloc&) {
    return {failure, "out of memory; ask for fewer members, or record fewer trajectories"};
  } catch (const std::exception& error) {
    return {failure, visible(error.what())};
  }
}

void say(const std::string& sentence) { std::cerr << "conesweep: " + sentence + "\n" << std::flush; }

void flush_output() {
  std::cout.flush();
  if (!std::cout) throw SystemError("cannot write to standard output");
}

}  // namespace conesweep::app
