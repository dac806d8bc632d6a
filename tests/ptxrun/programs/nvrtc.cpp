// NVRTC and the driver API alone: compile, load, launch, compare with the host.
#include <cuda.h>
#include <nvrtc.h>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>
int main() {
  const char* src =
      "extern \"C\" __global__ void ax(double a,const double*x,double*y,int n){int "
      "i=blockIdx.x*blockDim.x+threadIdx.x; if(i<n) "
      "y[i]=fma(a,x[i],y[i])/sqrt(1.0+x[i]*x[i]);}";
  nvrtcProgram p;
  nvrtcCreateProgram(&p, src, "a.cu", 0, nullptr, nullptr);
  const char* o[] = {"-arch=compute_75", "-fmad=false"};
  int r = nvrtcCompileProgram(p, 2, o);
  size_t n;
  nvrtcGetPTXSize(p, &n);
  std::string t(n, 0);
  nvrtcGetPTX(p, &t[0]);
  cuInit(0);
  CUcontext c;
  cuDevicePrimaryCtxRetain(&c, 0);
  cuCtxSetCurrent(c);
  CUmodule m;
  cuModuleLoadData(&m, t.c_str());
  CUfunction f;
  int e = cuModuleGetFunction(&f, m, "ax");
  int N = 1000;
  std::vector<double> x(N), y(N), z(N);
  for (int i = 0; i < N; ++i) {
    x[i] = sin(i);
    y[i] = cos(i * .1);
  }
  CUdeviceptr dx, dy;
  cuMemAlloc(&dx, N * 8);
  cuMemAlloc(&dy, N * 8);
  cuMemcpyHtoD(dx, x.data(), N * 8);
  cuMemcpyHtoD(dy, y.data(), N * 8);
  double a = 1.25;
  void* args[] = {&a, &dx, &dy, &N};
  int l = cuLaunchKernel(f, (N + 127) / 128, 1, 1, 128, 1, 1, 0, 0, args, nullptr);
  cuMemcpyDtoH(z.data(), dy, N * 8);
  int bad = 0;
  for (int i = 0; i < N; ++i)
    if (z[i] != fma(a, x[i], y[i]) / sqrt(1.0 + x[i] * x[i])) ++bad;
  printf("nvrtc %d get %d launch %d mismatches %d of %d\n", r, e, l, bad, N);
}
