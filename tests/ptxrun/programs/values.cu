// Results of the emulated device against the host, from single opcodes to cooperative groups. Prints PASSED or FAILED
// and how many checks failed.
#include "values_floats.cuh"
#include "values_integers.cuh"
#include "values_threads.cuh"

int main() {
  check_integers();
  check_floats();
  check_opcodes();
  check_functions();
  check_memory();
  check_warps();
  check_atomics();
  check_calls();
  cudaGetLastError();
  k_dim<<<1, 2000>>>(nullptr);
  CK(cudaGetLastError() == cudaErrorInvalidConfiguration, "config");
  printf("%s: %d failures\n", fails ? "FAILED" : "PASSED", fails);
  return fails != 0;
}
