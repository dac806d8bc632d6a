#pragma once

// What differs between g++, clang++, nvcc and NVRTC; nothing else in the project asks which compiler it is, and
// math/vector.hpp alone which builtins it has.
//
// All of include/conesweep/math is compiled without contraction (-ffp-contract=off, -fmad=false), without fast-math and
// with nothing of the standard library: a model is compiled at run time, by NVRTC with no include path but ours.

#if defined(__CUDACC__)            // nvcc and NVRTC
#define CS_HD __host__ __device__  // callable from host and device
#define CS_INLINE __host__ __device__ __forceinline__
#define CS_NOINLINE __host__ __device__ __noinline__
#define CS_APART __host__ __device__ __noinline__
#define CS_LAMBDA
#else
// Warns that packs wider than the target's registers are passed in memory; a program's units share one set of flags.
#pragma GCC diagnostic ignored "-Wpsabi"
#define CS_HD
#define CS_INLINE inline __attribute__((always_inline))
// between a lambda's parameters and its body: GCC keeps a member in registers only if all of it is one function
#define CS_LAMBDA __attribute__((always_inline))
#define CS_NOINLINE __attribute__((noinline, cold))  // templates only: rare paths, kept out of the loop's code
// templates only: a piece of code that would be too long in one function
#define CS_APART __attribute__((noinline))
#endif

// Set while device code is compiled: intrinsics instead of builtins.
#if defined(__CUDA_ARCH__)
#define CS_ON_DEVICE 1
#else
#define CS_ON_DEVICE 0
#endif

// Packs of 512 bits pay where masks are in registers of their own. GCC has to be told to keep them there, by builtins
// of its own; clang finds that in plain vectors, and finds more if they are not hidden in builtins.
#define CS_WIDE_PACKS 0
#define CS_MASK_REGISTERS 0
#if defined(__AVX512F__) && defined(__AVX512DQ__) && !defined(__CUDACC__)
#undef CS_WIDE_PACKS
#define CS_WIDE_PACKS 1
#if __has_builtin(__builtin_ia32_cmppd512_mask) && __has_builtin(__builtin_ia32_blendmpd_512_mask) && \
    __has_builtin(__builtin_ia32_minpd512_mask) && __has_builtin(__builtin_ia32_maxpd512_mask)
#undef CS_MASK_REGISTERS
#define CS_MASK_REGISTERS 1
#endif
#endif

#if defined(__FAST_MATH__)
#error "conesweep needs IEEE arithmetic: compile without -ffast-math"
#endif
