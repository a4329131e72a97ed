import { previewDeployment, SluiceError, type PreviewInput, type SluiceClient } from '@sluice/client';
import type { Existing, Fields, Organization, Wanted } from '../entries.ts';
import { atOnce, turns } from '../turns.ts';
import type { Price, Step } from './types.ts';

/** days of telemetry that are in the price */
const includedDays = 7;

interface Priced {
  client: SluiceClient;
  signal: AbortSignal;
  organization: Organization;
  existing: ReadonlyMap<string, Existing>;
  wanted: ReadonlyMap<string, Wanted>;
}

/** What the deployments that change cost a month, before and after. Undefined where none does. */
export async function priceOf(
  steps: readonly Step[],
  { client, signal, organization, existing, wanted }: Priced,
): Promise<Price | undefined> {
  const keys = new Map(steps.filter(({ kind }) => kind === 'deployment').map((step) => [step.key, step]));
  if (keys.size === 0) return undefined;
  const turn = turns(atOnce);
  const known = new Map<string, Promise<number>>();
  const { ids } = organization;
  const anyEnvironment = ids.entries().find(([key]) => key.startsWith('environment '))?.[0];

  async function ask(fields: Fields, place: string): Promise<number> {
    const own = `environment ${place.split('/').slice(0, 2).join('/')}`;
    const at = ids.find(own) === undefined ? anyEnvironment : own;
    if (at === undefined)
      throw new SluiceError({ code: 'not_found', detail: 'Prices are known once there is an environment.' });
    const body = previewOf(fields);
    const key = JSON.stringify(body);
    const path = ids.path(at.slice('environment '.length));
    const asked =
      known.get(key) ??
      turn(async () => {
        const { data } = await previewDeployment({ client, signal, path, body });
        return Number(data.monthly_total_usd);
      });
    known.set(key, asked);
    return asked;
  }

  const price = { before: 0, after: 0 };
  const unknown: Price['unknown'] = [];
  await Promise.all(
    [...keys].map(async ([key, { action, place }]) => {
      const [before, after] = [existing.get(key)?.fields, wanted.get(key)?.fields];
      try {
        const [was, becomes] = await Promise.all([
          before ? ask(before, place) : 0,
          action === 'delete' ? 0 : ask(merged(before, after), place),
        ]);
        price.before += was;
        price.after += becomes;
      } catch (error) {
        if (!(error instanceof SluiceError)) throw error;
        unknown.push({ place, reason: error.field_issues[0]?.message ?? error.detail });
      }
    }),
  );
  if (unknown.length === keys.size) return { before: null, after: null, unknown };
  return { before: cents(price.before), after: cents(price.after), unknown };
}

const cents = (dollars: number): number => Math.round(dollars * 100) / 100;

const merged = (before: Fields = {}, after: Fields = {}): Fields => ({
  ...before,
  ...after,
  storage: { ...(before['storage'] as object | undefined), ...(after['storage'] as object | undefined) },
});

function previewOf(fields: Fields): PreviewInput {
  const {
    cloud,
    region,
    tier,
    cluster = 'standalone',
    nodes,
    storage,
    retention,
    ...options
  } = fields as Fields & {
    retention?: { telemetry_days: number };
  };
  const { target_network_tput, availability_mode, encrypted, dedicated, public_ip_enabled } = options;
  const given = {
    ...{ cloud, region, tier, storage, target_network_tput, availability_mode, encrypted, dedicated },
    public_ip_enabled,
    nodes: nodes ?? (cluster === 'standalone' ? 1 : undefined),
    telemetry_extra_days: Math.max(0, (retention?.telemetry_days ?? includedDays) - includedDays),
  };
  return given as PreviewInput;
}
