#!/bin/bash
# One node with several GPUs: a rank for each, which takes its own.
#   sbatch one_node.sh study.toml runs/study
#SBATCH --job-name=conesweep
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=4      # as many as GPUs
#SBATCH --gpus-per-node=4
#SBATCH --cpus-per-task=8        # compile the model, sort and write
#SBATCH --time=04:00:00
#SBATCH --signal=TERM@120        # two minutes before the end: what is finished is kept

set -euo pipefail
study=${1:?usage: sbatch one_node.sh STUDY.toml FOLDER}
folder=${2:?usage: sbatch one_node.sh STUDY.toml FOLDER}

# --kill-on-bad-exit: a rank that dies ends the others. --resume: begins, or goes on where the job before was cut.
exec srun --mpi=pmix --kill-on-bad-exit=1 conesweep run "$study" --backend cuda --devices auto --out "$folder" --resume
