import type { ConnectorInstanceId, ConnectorStatus } from '@sluice/contracts';
import type { NodeConnectors } from './connector-instances.store.ts';

export interface InstanceState {
  status: ConnectorStatus;
  reason: string | null;
}

/**
 * How an instance is by what the nodes of its deployment say of it (interface, 3): as bad as on the node on which it is worst.
 * @param reports of the nodes that have said something of connectors
 */
export function stateOf(id: ConnectorInstanceId, reports: readonly NodeConnectors[]): InstanceState {
  const failed = reports.find(({ status }) => status === 'failed');
  if (failed) return { status: 'failed', reason: failed.reason };
  const said = reports.flatMap(({ instances }) => instances.filter((instance) => instance.id === id));
  const wrong = said.find(({ status }) => status === 'Error');
  if (wrong) return { status: 'failed', reason: wrong.reason };
  if (said.length === 0) {
    const isStopped =
      reports.length > 0 && reports.every(({ status, toBeStopped }) => toBeStopped && status === 'stopped');
    return isStopped
      ? { status: 'inactive', reason: 'the connectors runtime is stopped' }
      : { status: 'pending', reason: null };
  }
  // without a configuration it is there, and waits for one
  const configured = said.filter(({ config_id }) => config_id !== null);
  const isOff = configured.length > 0 && configured.every(({ status }) => status === 'Stopped');
  // in a cluster a source works on one node, and waits on the others
  const working = said.filter(({ status }) => status === 'Running');
  const [reason = null] = (working.length > 0 ? working : said).flatMap((one) => one.reason ?? []);
  return { status: isOff ? 'inactive' : 'active', reason };
}
