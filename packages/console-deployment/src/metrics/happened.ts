import type { StatusPeriod, Task, Upgrade } from '@sluice/client';
import { shownDeploymentStatus, shownWork } from '@sluice/console-core/lib/status.ts';
import type { ChartEvent } from '@sluice/ui/chart-model.ts';

interface Happened {
  statuses?: readonly StatusPeriod[] | undefined;
  tasks?: readonly Task[] | undefined;
  upgrades?: readonly Upgrade[] | undefined;
}

/** What happened to a deployment in a time, oldest first: changes of its status, tasks and upgrades. */
export function happenedIn(
  { statuses = [], tasks = [], upgrades = [] }: Happened,
  { from, to }: { from: string; to: string },
): ChartEvent[] {
  const all = [
    ...statuses.map(({ started_at: at, status, reason }) => ({
      at,
      title: `${shownDeploymentStatus(status).word}${reason === null ? '' : `: ${reason}`}`,
    })),
    // the same task of several nodes is one event
    ...[
      ...new Map(
        tasks.map(({ started_at: start, created_at: created, type, status }) => [
          `${type} ${created}`,
          {
            at: start ?? created,
            title: `Task ${type.replace(':', ', ')}: ${shownWork(status).word.toLowerCase()}`,
          },
        ]),
      ).values(),
    ],
    ...upgrades.map(({ requested_at: at, from_tier: before, to_tier: after }) => ({
      at,
      title: before === after ? 'Upgrade requested' : `Upgrade from ${before} to ${after} requested`,
    })),
  ];
  const isIn = ({ at }: ChartEvent) => Date.parse(at) >= Date.parse(from) && Date.parse(at) < Date.parse(to);
  return all.filter(isIn).toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
}
