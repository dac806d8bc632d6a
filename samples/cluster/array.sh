#!/bin/bash
# An array of studies, one a task, which goes on by itself until each is finished: a task that is cut by its time limit comes again.
#   sbatch --array=0-9 array.sh studies.txt /scratch/me/runs
# studies.txt has a scenario a line.
#SBATCH --job-name=conesweep
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=2
#SBATCH --cpus-per-task=16
#SBATCH --time=01:00:00
#SBATCH --signal=B:TERM@120      # to this script, which passes it on
#SBATCH --requeue
#SBATCH --open-mode=append

set -euo pipefail
list=${1:?usage: sbatch --array=0-N array.sh LIST FOLDER}
folder=${2:?usage: sbatch --array=0-N array.sh LIST FOLDER}
task=${SLURM_ARRAY_TASK_ID:?this is a script for sbatch --array}

study=$(sed -n "$((task + 1))p" "$list")
[ -n "$study" ] || { echo "$list has no line $((task + 1))" >&2; exit 2; }

again() {
  kill -TERM "$step" 2>/dev/null || true
  wait "$step" || true
  scontrol requeue "${SLURM_ARRAY_JOB_ID}_${task}"
  exit 0
}

srun --mpi=pmix --kill-on-bad-exit=1 conesweep run "$study" --out "$folder/$(basename "$study" .toml)" --resume &
step=$!
trap again TERM
wait "$step"
