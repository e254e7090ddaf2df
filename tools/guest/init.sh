#!/bin/busybox sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# The guest's first and only process: modules in, the host's root below /host, run what is there to
# be run, leave its output and exit status, power off.
/bin/busybox --install -s /bin
export PATH=/bin
mount -t proc none /proc
mount -t sysfs none /sys
mount -t devtmpfs none /dev
while read -r module; do
  insmod "/modules/$module" || echo "guest: cannot load $module"
done </modules/order
p9=version=9p2000.L,trans=virtio,msize=262144
mount -t 9p -o "$p9,ro,cache=loose" host /host || echo "guest: no root"
ln -s /proc/self/fd /dev/fd
mkdir -p /dev/shm /dev/pts
mount -t tmpfs none /dev/shm
mount -t devpts none /dev/pts
mount -t proc none /host/proc
mount -t sysfs none /host/sys
mount --rbind /dev /host/dev
for writable in run tmp var/tmp; do mount -t tmpfs none "/host/$writable"; done
# A folder of the host's /tmp may be the one that the command wants to see; it is shown again below.
mkdir -p /host/run/out
mount -t 9p -o "$p9" out /host/run/out || echo "guest: no way out"
chroot /host /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/run TMPDIR=/tmp LC_ALL=C.UTF-8 \
  /bin/bash /run/out/command.sh </dev/null >/host/run/out/log 2>&1
echo $? >/host/run/out/status
sync
reboot -f
