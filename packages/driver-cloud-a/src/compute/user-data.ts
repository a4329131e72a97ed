/** What an instance runs when it first starts: it brings its volume into place, and enrols. cloud-init runs it as root. */
export function userData(volumeId: string, command: string): string {
  const serial = volumeId.replace('-', '');
  return `#!/bin/sh
set -eu
volume=/dev/disk/by-id/nvme-Amazon_Elastic_Block_Store_${serial}
folder=/var/lib/sluice
# it is attached while the instance starts
tries=0
until [ -b "$volume" ] || [ -b /dev/sdf ] || [ -b /dev/xvdf ]; do
  tries=$((tries + 1))
  [ "$tries" -lt 600 ] || exit 1
  sleep 1
done
[ -b "$volume" ] || volume=/dev/sdf
[ -b "$volume" ] || volume=/dev/xvdf
# one that has a file system has data
blkid "$volume" > /dev/null || mkfs.ext4 -q -L sluice "$volume"
mkdir -p "$folder"
grep -q '^LABEL=sluice ' /etc/fstab || echo "LABEL=sluice $folder ext4 defaults,nofail 0 2" >> /etc/fstab
mount "$folder" 2> /dev/null || mountpoint -q "$folder"
# a volume that has grown is used as soon as that is seen
cat > /etc/systemd/system/sluice-grow.service << END
[Service]
Type=oneshot
ExecStart=/bin/sh -c 'resize2fs /dev/disk/by-label/sluice'
END
cat > /etc/systemd/system/sluice-grow.timer << END
[Timer]
OnBootSec=60
OnUnitActiveSec=60
[Install]
WantedBy=timers.target
END
systemctl daemon-reload
systemctl enable --now --quiet sluice-grow.timer
cd /root
${command}
`;
}
