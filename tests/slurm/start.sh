#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# start.sh FOLDER OWNER: a private Slurm of two virtual nodes on this machine, all of it below FOLDER.
# Use it with SLURM_CONF=FOLDER/slurm.conf. It ends with stop.sh FOLDER, or when the process OWNER ends.
set -Eeuo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$1
owner=$2
user=$(id -un)

in_use() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

free_ports() {  # the first of three neighbours that nobody listens on
  local port
  while true; do
    port=$((20000 + RANDOM % 12000))
    in_use "$port" || in_use $((port + 1)) || in_use $((port + 2)) || break
  done
  echo "$port"
}

start_munge() {
  mkdir -p "$root/munge"
  head -c 1024 /dev/urandom >"$root/munge/key"
  chmod 400 "$root/munge/key"
  munged --force --num-threads=2 --key-file="$root/munge/key" --socket="$root/munge/sock" \
    --pid-file="$root/munge/pid" --log-file="$root/munge/log" --seed-file="$root/munge/seed"
}

write_configuration() {
  local port=$1
  cat >"$root/slurm.conf" <<EOF
ClusterName=helicity
SlurmctldHost=localhost
SlurmUser=$user
SlurmdUser=$user
AuthInfo=socket=$root/munge/sock,cred_expire=5
SlurmctldPort=$port
StateSaveLocation=$root/state
SlurmdSpoolDir=$root/spool.%n
SlurmctldPidFile=$root/slurmctld.pid
SlurmdPidFile=$root/slurmd.%n.pid
SlurmctldLogFile=$root/log/slurmctld.log
SlurmdLogFile=$root/log/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
TmpFS=$root/scratch.%n
SchedulerParameters=sched_interval=1,bf_interval=1,batch_sched_delay=0
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
ReturnToService=2
SlurmdTimeout=10
SlurmdParameters=config_overrides
KillWait=2
RequeueExit=75
NodeName=n[1-2] NodeHostname=localhost NodeAddr=127.0.0.1 Port=[$((port + 1))-$((port + 2))] CPUs=2 RealMemory=1000 State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
EOF
}

wait_for_nodes() {
  local tries
  for ((tries = 0; tries < 100; ++tries)); do
    [[ $(sinfo -h -N -o %T 2>/dev/null | sort -u) == idle ]] && return
    sleep 0.1
  done
  echo "the nodes did not come up; see $root/log" >&2
  return 1
}

mkdir -p "$root"/{state,log}
trap '"$here/stop.sh" "$root"' ERR
# shellcheck disable=SC2016
setsid bash -c 'while kill -0 "$1" 2>/dev/null; do sleep 1; done; exec "$2" "$3"' \
  watch "$owner" "$here/stop.sh" "$root" </dev/null >/dev/null 2>&1 &
start_munge
write_configuration "$(free_ports)"
export SLURM_CONF=$root/slurm.conf
slurmctld -i
for node in n1 n2; do
  mkdir -p "$root/spool.$node" "$root/scratch.$node"
  slurmd -N "$node"
done
wait_for_nodes
