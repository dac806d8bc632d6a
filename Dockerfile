# conesweep in a container, built from these sources:
#
#   docker build -t conesweep .                          the cpu and reference executors, with g++ for the models
#   docker build --target cuda -t conesweep:cuda .       NVRTC too; run it with --gpus all (NVIDIA's container toolkit brings the driver)
#   docker run --rm -v "$PWD:/work" conesweep run slider.toml --out runs/slider
#
# The packages are those of run.sh, and NVRTC has the version and the hash that cmake/nvrtc_requirements.txt pins for the CUDA that is named.
FROM debian:bookworm-slim AS build
SHELL ["/bin/bash", "-euo", "pipefail", "-c"]
WORKDIR /conesweep
COPY cmake/prepare.sh cmake/
# lists of words
# hadolint ignore=SC2086
RUN source cmake/prepare.sh && install_packages $packages_to_build $packages_to_package
COPY . .
RUN cmake --preset package -DCONESWEEP_PYTHON_MODULE=OFF && cmake --build --preset package && cpack --preset package

FROM debian:bookworm-slim AS nvrtc
SHELL ["/bin/bash", "-euo", "pipefail", "-c"]
# a GPU takes what an older NVRTC made, and a driver nothing of a newer one
ARG CUDA=12.4
WORKDIR /conesweep
COPY cmake cmake
# hadolint ignore=SC2086
RUN source cmake/prepare.sh && install_packages $packages_to_bring && choose_nvrtc . "${CUDA%.*}" "${CUDA#*.}" >requirements.txt && \
    bring_python_packages . cuda requirements.txt && mkdir /nvrtc && cp build/cuda/python/lib/python3*/site-packages/nvidia/*/lib/libnvrtc*.so.* /nvrtc/

FROM debian:bookworm-slim AS program
SHELL ["/bin/bash", "-euo", "pipefail", "-c"]
COPY --from=build /conesweep/build/package/conesweep_*.deb /packages/
# the versions are those of the Debian that it is built on
# hadolint ignore=DL3008
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends g++ /packages/*.deb && rm -rf /var/lib/apt/lists/* /packages && useradd --create-home --uid 1000 user
USER 1000
WORKDIR /work
ENTRYPOINT ["conesweep"]
CMD ["--help"]

FROM program AS cuda
COPY --from=nvrtc /nvrtc /usr/local/lib/nvrtc
ENV CONESWEEP_NVRTC=/usr/local/lib/nvrtc NVIDIA_VISIBLE_DEVICES=all NVIDIA_DRIVER_CAPABILITIES=compute,utility

FROM program AS cpu
