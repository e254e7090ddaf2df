#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
#
# Run by test_packages.py as a service of a fresh Debian 12 that systemd has booted in a container. /selvedge/debs has the
# packages, which are installed. selvedged is started, reloaded, killed, removed and purged; opensm, under its own unit, routes an
# emulated subnet, while its plugin is installed anew and removed, and after restarts. Ends with the line "all holds".
set -eux
is() { [ "$(systemctl is-active "$1")" = "$2" ]; }
until_true() { n=0; until "$@"; do n=$((n + 1)); [ "$n" -lt 200 ]; sleep 0.2; done; }
umad2sim=$(ls /usr/lib/*/umad2sim/libumad2sim.so)

# selvedged
is selvedged inactive
[ "$(systemctl is-enabled selvedged)" = disabled ]
systemctl enable --now selvedged
is selvedged active
selvedgectl status
systemctl reload selvedged
is selvedged active
kill -KILL "$(systemctl show --property MainPID --value selvedged)"
restarted() { [ "$(systemctl show --property NRestarts --value selvedged)" = 1 ] && is selvedged active; }
until_true restarted

# opensm, with the lines of docs/operators.md
cp /selvedge/opensm.conf /etc/opensm/opensm.conf
systemd-run --unit=subnet selvedge-sim emulate --fabric torus:4x4 --socket booted
mkdir -p /etc/systemd/system/opensm.service.d /etc/systemd/system/opensm@.service.d
printf '[Unit]\nConditionPathExists=\n' >/etc/systemd/system/opensm.service.d/subnet.conf
printf '[Unit]\nConditionPathExists=\n[Service]\nEnvironment=LD_PRELOAD=%s SIM_HOST=H-0-0 IBSIM_SOCKNAME=booted\n' \
  "$umad2sim" >/etc/systemd/system/opensm@.service.d/subnet.conf
port() { LD_PRELOAD=$umad2sim SIM_HOST=H-0-0 IBSIM_SOCKNAME=booted ibstat -p | grep -m1 0x; }
until_true port
printf 'PORTS="%s"\n' "$(port)" >/etc/default/opensm
systemctl daemon-reload
systemctl restart opensm
routed() { selvedge-route status --check; }
until_true routed
first=$(pgrep -x opensm)
dpkg --install /selvedge/debs/opensm-plugin-selvedge_*.deb
[ "$(pgrep -x opensm)" = "$first" ]
routed
systemctl restart opensm
until_true routed
[ "$(pgrep -x opensm)" != "$first" ]
until_true grep -qh 'selvedge: adopted: 16 switches' /var/log/opensm.0x*.log
second=$(pgrep -x opensm)
dpkg --remove opensm-plugin-selvedge
[ "$(pgrep -x opensm)" = "$second" ]
routed
cp /selvedge/opensm-without.conf /etc/opensm/opensm.conf
systemctl restart opensm
until_true grep -qh 'dfsssp tables configured on all switches' /var/log/opensm.0x*.log
dpkg --purge opensm-plugin-selvedge
is opensm active

# selvedged is stopped by its removal, and its enabling survives that, but not a purge.
dpkg --remove selvedged
until_true is selvedged inactive
if pgrep -x selvedged; then exit 1; fi
dpkg --install /selvedge/debs/selvedged_*.deb
[ "$(systemctl is-enabled selvedged)" = enabled ]
dpkg --purge selvedged
[ -z "$(systemctl list-unit-files --no-legend 'selvedged*')" ]
[ ! -e /etc/systemd/system/multi-user.target.wants/selvedged.service ]
[ -z "$(systemctl --failed --no-legend)" ]
echo "all holds"
