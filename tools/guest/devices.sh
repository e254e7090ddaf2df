# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# Two RoCE devices in software, cable between them, sourced before every command in the guest:
#
#   rxa = va 10.0.i.1 ======== vb 10.0.i.2 = rxb      i = 1 … 4: a GID each, and so a path each
#
# accept_local: both ends are this machine's, and without it no ARP would be answered. 4,200 bytes
# leave room for RoCE's headers above packets of 4,096.
ip link set lo up
ip link add va type veth peer name vb
for device in va vb; do
  echo 1 >/proc/sys/net/ipv4/conf/$device/accept_local
  ip link set $device mtu 4200 up
done
for path in 1 2 3 4; do
  ip addr add 10.0.$path.1/24 dev va
  ip addr add 10.0.$path.2/24 dev vb
done
rdma link add rxa type rxe netdev va
rdma link add rxb type rxe netdev vb
