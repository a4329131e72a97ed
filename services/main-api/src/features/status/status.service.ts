import type { Core } from '../../core.ts';
import type { components } from '../../generated/api.ts';
import { regionName } from '@sluice/catalogue/region-name';
import { listRegionStatuses } from '../regions/regions.store.ts';
import { listIncidents } from './incidents.store.ts';

type Status = components['schemas']['Status'];

export type StatusService = ReturnType<typeof statusService>;

const day = 86_400_000;
/** how long incidents are shown after their end */
const resolvedMilliseconds = 14 * day;
const mostIncidents = 50;
const mostUpdates = 50;
/** how long an answer serves all that ask this replica */
const keptMilliseconds = 5_000;

/** How the installation is, for everybody: read some times a minute, however many ask. */
export function statusService({ database, catalogue, now }: Pick<Core, 'database' | 'catalogue' | 'now'>) {
  let kept: { until: number; status: Promise<Status> } | undefined;

  async function read(): Promise<Status> {
    const at = now();
    const since = new Date(at.getTime() - resolvedMilliseconds);
    const regions = (await listRegionStatuses(database)).map(({ cloud, region, status, status_since }) => ({
      ...{ cloud, region, name: regionName(catalogue, cloud, region) },
      ...{ status, since: status_since.toISOString() },
    }));
    const incidents = (await listIncidents(database, since, mostIncidents, mostUpdates)).map((incident) => ({
      ...{ id: incident.id, title: incident.title, impact: incident.impact, regions: incident.regions },
      opened_at: incident.opened_at.toISOString(),
      resolved_at: incident.resolved_at?.toISOString() ?? null,
      updates: incident.updates.map((update) => ({ ...update, at: new Date(update.at).toISOString() })),
    }));
    return { status: overall(regions, incidents), at: at.toISOString(), regions, incidents };
  }

  return {
    async get(): Promise<Status> {
      const time = performance.now();
      if (!kept || kept.until <= time) {
        const status = read();
        const mine = { until: time + keptMilliseconds, status };
        kept = mine;
        // a failure is answered to those who waited for it, and the next one tries again
        status.catch(() => {
          if (kept === mine) kept = undefined;
        });
      }
      return await kept.status;
    },
  };
}

function overall(regions: Status['regions'], incidents: Status['incidents']): Status['status'] {
  const open = incidents.filter(({ resolved_at }) => resolved_at === null);
  const isOfAll = open.some((incident) => incident.impact === 'outage' && incident.regions.length === 0);
  const isAway = ({ status }: Status['regions'][number]) => status === 'outage' || status === 'silent';
  if (isOfAll || (regions.length > 0 && regions.every(isAway))) return 'outage';
  const isWell = open.length === 0 && regions.every(({ status }) => status === 'operational');
  return isWell ? 'operational' : 'degraded';
}
