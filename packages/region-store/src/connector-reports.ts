import type { Heartbeat } from '@sluice/contracts';

type ReportedConnectors = NonNullable<Heartbeat['connectors']>;
type ReportedInstance = ReportedConnectors['instances'][number];

/** What is stored of a heartbeat about connectors. What they count changes all the time, so that is no part of it. */
export type StoredConnectors = Omit<ReportedConnectors, 'instances'> & {
  instances: Omit<ReportedInstance, 'metrics'>[];
};

export function storedConnectors(reported: Heartbeat['connectors']): StoredConnectors | null {
  if (reported === undefined) return null;
  const { status, reason, plugins, instances } = reported;
  return {
    ...{ status, reason },
    plugins: plugins.map(({ type, key }) => ({ type, key })),
    instances: instances.map(({ id, status: is, reason: why, config_id, config_version }) => ({
      ...{ id, status: is, reason: why, config_id, config_version },
    })),
  };
}
