import { getConfigSchema, SluiceError, type ConfigEntry, type SluiceClient } from '@sluice/client';
import type { Secrets } from '../document/secrets.ts';
import type { Ids, Wanted } from '../entries.ts';
import { atOnce, turns } from '../turns.ts';
import type { Obstacle, Step } from './types.ts';

type Values = Readonly<Record<string, unknown>>;

interface Checked {
  client: SluiceClient;
  signal: AbortSignal;
  ids: Ids;
  wanted: ReadonlyMap<string, Wanted>;
  secrets: Secrets;
}

/**
 * Checks the values of configurations and connectors by the schema of their deployment.
 * @returns the steps, which show only values that are no secrets, and the secrets that are written out
 */
export async function withOpenValues(
  steps: readonly Step[],
  { client, signal, ids, wanted, secrets }: Checked,
): Promise<{ steps: Step[]; obstacles: Obstacle[] }> {
  const obstacles: Obstacle[] = [];
  const turn = turns(atOnce);
  return { steps: await Promise.all(steps.map(checked)), obstacles };

  async function checked(step: Step): Promise<Step> {
    const entry = wanted.get(step.key);
    if (!entry || !step.changes.some(({ field }) => field === 'values')) return step;
    const entries = await turn(() => schemaOf(entry));
    const changes = step.changes.map((change) =>
      change.field === 'values' ? { ...change, to: openOf(entry, change.to as Values, entries) } : change,
    );
    return { ...step, changes };
  }

  /** Of a deployment that is new, or whose region knows nothing of it yet, nothing is known. */
  async function schemaOf({ kind, parent, fields: { type, connector } }: Wanted): Promise<ConfigEntry[]> {
    const deployment_id = ids.find(parent ?? '');
    if (deployment_id === undefined) return [];
    const config_kind = kind === 'connector' ? `connector:${String(type)}:${String(connector)}` : 'broker';
    try {
      const { data } = await getConfigSchema({ client, signal, path: { deployment_id, config_kind } });
      const sections = Object.entries(data).filter(([name]) => kind !== 'connector' || name === block);
      return sections.flatMap(([, { schema }]) => schema);
    } catch (error) {
      if (error instanceof SluiceError) return [];
      throw error;
    }
  }

  function openOf(entry: Wanted, values: Values, entries: readonly ConfigEntry[]): Values {
    if (entry.kind !== 'connector') return open(values, '');
    const inner = values[block];
    const isBlock = typeof inner === 'object' && inner !== null;
    return isBlock ? { ...values, [block]: open(inner as Values, `${block}/`) } : values;

    function open(its: Values, path: string): Values {
      return Object.fromEntries(
        Object.entries(its).map(([key, value]) => [key, openValue(key, value, `${path}${key}`)]),
      );
    }

    function openValue(key: string, value: unknown, path: string): unknown {
      const known = entries.find((one) => one.key === key);
      const isReferred = typeof value === 'string' && (value === '***' || secrets.has(value));
      if (value === null || isReferred || (known && !known.secret)) return value;
      if (known)
        obstacles.push({
          reason: 'invalid',
          message: `${entry.at}: the ${entry.kind} ${entry.place}: ${path} is a secret.`,
          next: 'write it as ${env:NAME} or ${file:PATH}',
        });
      return '(not shown)';
    }
  }
}

/** the part of a connector's values in which there can be secrets */
const block = 'plugin_config';
