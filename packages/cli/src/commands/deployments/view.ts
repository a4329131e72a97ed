import type {
  Condition,
  DeploymentDetail,
  LiveDeployment,
  StatusPeriod,
  TenantDeployment,
} from '@sluice/client';
import type { View } from '@sluice/terminal/output';
import { lasting } from '../../time.ts';
import { pathOf } from '@sluice/apply/place-path';
import { labelText } from '../places/labels.ts';

export const listView: View<TenantDeployment> = {
  name: (deployment) => placeOf(deployment),
  empty: 'There is no deployment. Create one: sluice deployments starter --cloud … --region …',
  columns: [
    { header: 'PLACE', value: (deployment) => placeOf(deployment) },
    { header: 'STATUS', value: ({ status }) => status },
    { header: 'TIER', value: ({ tier }) => tier },
    { header: 'NODES', value: ({ nodes_count }) => nodes_count },
    { header: 'CLOUD', value: ({ cloud }) => cloud },
    { header: 'REGION', value: ({ region }) => region },
    { header: 'ID', value: ({ id }) => id },
    { header: 'VARIANT', value: ({ variant }) => variant, wide: true },
    { header: 'PROTECTED', value: ({ protected: its }) => its, wide: true },
    { header: 'LABELS', value: ({ labels }) => labelText(labels), wide: true },
    { header: 'CREATED', value: ({ created_at }) => created_at, wide: true },
    { header: 'DOMAIN', value: ({ domain }) => domain, wide: true },
    { header: 'REASON', value: ({ status_reason }) => status_reason, wide: true },
  ],
};

const placeOf = ({ division, environment, name }: TenantDeployment): string =>
  pathOf(division.name, environment.name, name);

export const historyView: View<StatusPeriod> = {
  name: ({ id }) => String(id),
  columns: [
    { header: 'STATUS', value: ({ status }) => status },
    { header: 'FROM', value: ({ started_at }) => started_at },
    { header: 'UNTIL', value: ({ ended_at }) => ended_at },
    {
      header: 'LASTED',
      value: ({ started_at, ended_at }) =>
        lasting((ended_at === null ? Date.now() : Date.parse(ended_at)) - Date.parse(started_at)),
    },
    { header: 'REASON', value: ({ reason }) => reason },
  ],
};

/** What both layers know of a deployment. `live` is null where its region cannot be reached, or does not know it yet. */
export interface Shown extends DeploymentDetail {
  place: string;
  live: LiveDeployment | null;
}

export const detailView: View<Shown> = {
  name: ({ place }) => place,
  columns: [],
  fields: ({ place, live, ...deployment }) => {
    const { id, status, status_reason, tier, cluster, cloud, region, storage, retention } = deployment;
    const upgrade = deployment.upgrades[0];
    const reason = live?.status_reason ?? status_reason;
    return [
      ['Place', place],
      ['Id', id],
      ['Status', live?.status ?? status],
      ...optional('Reason', reason),
      ...optional('Description', deployment.description),
      ...optional('Labels', labelText(deployment.labels)),
      ['Cloud', `${cloud} ${region}`],
      ['Tier', `${tier}, ${cluster}, ${deployment.variant}`],
      ['Storage', storage.size === null ? storage.type : `${storage.type}, ${storage.size} GB`],
      ['Protected', deployment.protected],
      ...optional(
        'Spend limit',
        deployment.spend_limit === null ? null : `$${deployment.spend_limit} a month`,
      ),
      ['Telemetry', `${retention.telemetry_days} days`],
      ...optional('Upgrade', upgrade && `${upgrade.from_tier} to ${upgrade.to_tier}: ${upgrade.status}`),
      ...optional('Domain', deployment.domain),
      ...Object.entries(live?.endpoints ?? {}).flatMap(([name, address]) => optional(titleOf(name), address)),
      ...optional('Version', live?.runtime_version),
      ...conditionFields(live?.conditions ?? []),
      ...(live?.nodes ?? []).map((node) => [`Node ${node.id}`, `${node.name}: ${node.status}`] as const),
      ['Created', deployment.created_at],
    ];
  },
};

/** Those that hold in a line, and the others with their reasons. */
function conditionFields(conditions: readonly Condition[]): [string, string][] {
  const isWell = ({ type, status }: Condition) => status === (type === 'DeletionOverdue' ? 'False' : 'True');
  const well = conditions.filter(isWell).map(({ type }) => type);
  const ill = conditions.filter((condition) => !isWell(condition));
  return [
    ...(well.length > 0 ? [['Holds', well.join(', ')] satisfies [string, string]] : []),
    ...ill.map(({ type, status, reason, message, changed_at }): [string, string] => [
      type,
      `${status} since ${changed_at}: ${reason}${message === '' ? '' : `, ${message}`}`,
    ]),
  ];
}

const optional = (label: string, value: string | null | undefined) =>
  value === null || value === undefined || value === '' ? [] : [[label, value] as const];

/** `broker_tcp` is `Broker tcp`. */
const titleOf = (name: string): string =>
  `${name.charAt(0).toUpperCase()}${name.slice(1)}`.replaceAll('_', ' ');
