import type { Limit } from '@sluice/client';
import type { Existing, KindName, Wanted } from '../entries.ts';
import type { Obstacle, Step } from './types.ts';

interface Counted {
  limits: readonly Limit[];
  existing: ReadonlyMap<string, Existing>;
  wanted: ReadonlyMap<string, Wanted>;
  /** places of all environments, those outside of the document included */
  environments: readonly string[];
}

/** The limits that the steps would pass. What steps delete still counts: it is deleted last. */
export function passedLimits(
  steps: readonly Step[],
  { limits, existing, wanted, environments }: Counted,
): Obstacle[] {
  const passed: Obstacle[] = [];
  const made = (kind: KindName) => steps.filter((step) => step.action === 'create' && step.kind === kind);

  function check(name: string, added: number, where?: { place: string; used: number }): void {
    const found = limits.find((one) => one.name === name);
    const used = where?.used ?? found?.used ?? 0;
    if (!found || added === 0 || used + added <= found.limit) return;
    passed.push({
      reason: 'over_limit',
      message: `The limit ${name} would be passed${where ? ` in ${where.place}` : ''}: ${found.limit} are allowed, ${used} are there, and ${added} would be added.`,
    });
  }

  check('divisions_limit', made('division').length);
  check('environments_limit', made('environment').length);
  check('roles_limit', made('role').length);
  check('notification_channels_limit', made('channel').length);
  const invited = made('member').length;
  check('pending_invitations_limit', invited);
  check('invitations_limit', invited);
  for (const [tier, count] of counts(steps.flatMap(tierOf))) check(`deployment_tiers.${tier}`, count);

  for (const [division, count] of counts(
    made('environment').map(({ place }) => place.split('/', 1)[0] ?? ''),
  ))
    check('environments_per_division_limit', count, {
      place: division,
      used: environments.filter((place) => place.startsWith(`${division}/`)).length,
    });
  const perDeployment: [KindName, string][] = [
    ['access rule', 'deployment_access_rules_limit'],
    ['configuration', 'deployment_configs_limit'],
    ['connector', 'connector_instances_per_deployment'],
  ];
  for (const [kind, name] of perDeployment)
    for (const [place, count] of counts(made(kind).map((step) => step.place.split(': ', 1)[0] ?? '')))
      check(name, count, {
        place,
        used: [...existing.values()].filter(
          (one) => one.kind === kind && one.parent === `deployment ${place}`,
        ).length,
      });
  for (const { kind, place, fields } of wanted.values()) {
    if (kind === 'deployment' && typeof fields['nodes'] === 'number')
      check('nodes_per_deployment_limit', fields['nodes'], { place, used: 0 });
    if (kind === 'channel' && Array.isArray(fields['subscriptions']))
      check('notification_subscriptions_limit', fields['subscriptions'].length, { place, used: 0 });
  }
  return passed;
}

/** The tier in which a step takes a place. */
function tierOf({ kind, action, changes }: Step): string[] {
  if (kind !== 'deployment' || action === 'delete' || action === 'replace') return [];
  const tier = changes.find(({ field }) => field === 'tier')?.to;
  return typeof tier === 'string' ? [tier] : [];
}

function counts(names: readonly string[]): Map<string, number> {
  const counted = new Map<string, number>();
  for (const name of names) counted.set(name, (counted.get(name) ?? 0) + 1);
  return counted;
}
