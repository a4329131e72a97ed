import { figures } from '@sluice/service';
import { Counter, type Registry } from '@prometheus-io/client';
import type { Database } from '@sluice/region-store/tables';
import { countBackupsByStatus } from '@sluice/region-store/backups.store';
import type { VolumeWork } from '@sluice/region-store/volume-work.store';

/** Counts how work on volumes has ended. */
export type CountEnd = (kind: VolumeWork['kind'], outcome: 'completed' | 'failed') => void;

/** each replica counts what all replicas have */
const keptMilliseconds = 15_000;

/** What operators see of backups and restores. */
export function volumeMetrics(registry: Registry, database: Database): CountEnd {
  const gauges = {
    backups: { name: 'sluice_backups', help: 'Backups of the region by status', labelNames: ['status'] },
  };
  const read = async () => ({
    backups: (await countBackupsByStatus(database)).map(({ status, count }) => ({
      labels: { status },
      value: count,
    })),
  });
  figures(registry, gauges, read, keptMilliseconds);
  const ended = new Counter({
    name: 'sluice_volume_work_total',
    help: 'Backups and restores that this replica has ended',
    labelNames: ['kind', 'outcome'],
    registers: [registry],
  });
  return (kind, outcome) => ended.inc({ kind, outcome });
}
