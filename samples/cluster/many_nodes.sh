#!/bin/bash
# Many nodes, CPUs alone: two ranks a node, each with the cores of a socket. The folder must be on a file system that all nodes see.
#   sbatch --nodes=32 many_nodes.sh study.toml /scratch/me/study
#SBATCH --job-name=conesweep
#SBATCH --nodes=8
#SBATCH --ntasks-per-node=2
#SBATCH --cpus-per-task=32
#SBATCH --exclusive
#SBATCH --time=12:00:00
#SBATCH --signal=TERM@120

set -euo pipefail
study=${1:?usage: sbatch many_nodes.sh STUDY.toml FOLDER}
folder=${2:?usage: sbatch many_nodes.sh STUDY.toml FOLDER}

# the model is compiled once where all nodes see the cache
export CONESWEEP_CACHE=${CONESWEEP_CACHE:-$folder.cache}
(umask 077 && mkdir -p "$CONESWEEP_CACHE")

exec srun --mpi=pmix --kill-on-bad-exit=1 --cpus-per-task="$SLURM_CPUS_PER_TASK" conesweep run "$study" --backend cpu --out "$folder" --resume
