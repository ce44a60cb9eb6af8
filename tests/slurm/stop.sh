#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# stop.sh FOLDER: ends what start.sh FOLDER started, steps that hang included. Harmless if nothing runs.
set -uo pipefail
root=$1

ours() {  # processes of this Slurm, by the configuration file in their environment
  local environment
  for environment in /proc/[0-9]*/environ; do
    grep -qzxF "SLURM_CONF=$root/slurm.conf" "$environment" 2>/dev/null &&
      basename "${environment%/environ}"
  done
}

daemons() { cat "$root"/slurmd.*.pid "$root/slurmctld.pid" "$root/munge/pid" 2>/dev/null; }

end() {  # SIGNAL PID...: sends it, and waits up to 3 s
  local signal=$1 tries
  shift
  [[ $# -gt 0 ]] || return 0
  kill "-$signal" "$@" 2>/dev/null
  for ((tries = 0; tries < 30; ++tries)); do
    kill -0 "$@" 2>/dev/null || return 0
    sleep 0.1
  done
}

unset SLURM_CONF
# shellcheck disable=SC2046
{
  end TERM $(daemons)
  end TERM $(ours)
  end KILL $(ours) $(daemons)
}
exit 0
