import {
  getBackupSchedule,
  listAccessRules,
  listConfigs,
  listConnectorInstances,
  SluiceError,
  type AccessRule,
  type Config,
} from '@sluice/client';
import type { Fields, KindName } from '../entries.ts';
import { unmarked } from '../document/canonical.ts';
import type { Reader } from './reader.ts';

export const protocols = ['tcp', 'http', 'websocket', 'udp'] as const;

export function ruleFields({ cidr_blocks, rules, valid_to, remarks }: AccessRule): Fields {
  return {
    cidr_blocks: [...cidr_blocks].sort(),
    protocols: protocols.filter((one) => rules[`broker_${one}`]).sort(),
    valid_to,
    remarks: unmarked(remarks).remarks,
  };
}

/** Of each name its newest version. */
export const newestOf = (configs: readonly Config[]): Config[] =>
  configs.filter(
    (config) =>
      !configs.some(
        ({ kind, name, version }) => kind === config.kind && name === config.name && version > config.version,
      ),
  );

/** `active`: nodes run by the newest version. */
export const configFields = ({ values, primary, in_force }: Config): Fields => ({
  values,
  ...(primary && in_force && { active: true }),
});

interface InRegion {
  place: string;
  id: number;
  status: string;
  /** what is read of it */
  kinds: ReadonlySet<KindName>;
}

/** What a deployment has in its region, which `reader.client` is for. */
export async function readDeployment(
  reader: Reader,
  { place, id: deployment_id, status, kinds }: InRegion,
): Promise<void> {
  const { client, signal, turn } = reader;
  const call = { client, path: { deployment_id }, signal };
  const parent = `deployment ${place}`;
  // a region that has not heard of it yet has nothing of it
  const known = async <T>(read: () => Promise<{ data: T }>): Promise<T | undefined> => {
    try {
      return (await turn(read)).data;
    } catch (error) {
      const isNew = status === 'creating' && error instanceof SluiceError && error.status === 404;
      if (isNew) return undefined;
      throw error;
    }
  };
  // a connector has its values in a configuration
  const hasConfigs = kinds.has('configuration') || kinds.has('connector');
  const [rules = [], configs = [], instances = [], schedule] = await Promise.all([
    kinds.has('access rule') ? known(() => listAccessRules(call)) : undefined,
    hasConfigs ? known(() => listConfigs(call)) : undefined,
    kinds.has('connector') ? known(() => listConnectorInstances(call)) : undefined,
    kinds.has('backup schedule') ? known(() => getBackupSchedule(call)) : undefined,
  ]);
  for (const rule of rules) {
    const { set } = unmarked(rule.remarks);
    const { id, name } = rule;
    reader.add({
      kind: 'access rule',
      name,
      parent,
      place: `${place}: ${name}`,
      id,
      fields: ruleFields(rule),
      set,
    });
  }
  const newest = newestOf(configs);
  for (const config of newest.filter(({ kind }) => kind === 'broker')) {
    const { id, name } = config;
    reader.add({
      kind: 'configuration',
      name,
      parent,
      place: `${place}: ${name}`,
      id,
      fields: configFields(config),
    });
  }
  for (const { id, key, name, connector_key, connector_type } of instances) {
    const config = newest.find(
      ({ kind, primary }) => kind === `connector:${connector_type}:${key}` && primary,
    );
    const fields = {
      connector: connector_key,
      type: connector_type,
      name,
      ...(config && { values: config.values }),
    };
    reader.add({ kind: 'connector', name: key, parent, place: `${place}: ${key}`, id, fields });
  }
  if (schedule) {
    const { enabled, cron, keep } = schedule;
    reader.add({
      kind: 'backup schedule',
      name: '',
      parent,
      place,
      id: deployment_id,
      fields: { enabled, cron, keep },
    });
  }
}
