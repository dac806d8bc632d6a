"""PTX to C++, as far as nvcc and NVRTC write it for plain compute code."""
