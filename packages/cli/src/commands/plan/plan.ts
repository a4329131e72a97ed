import { changeSubscription, getTenant, type Plan, type Tenant } from '@sluice/client';
import type { Cli } from '../../cli.ts';
import type { View } from '@sluice/terminal/output';
import { inTenant, labelOf } from '../entries/entries.ts';

type Shown = Pick<Tenant, 'subscription' | 'features'>;

const view: View<Shown> = {
  name: ({ subscription }) => subscription.plan,
  columns: [],
  fields: ({ subscription, features: { deployment_tiers: tiers, ...features } }) => [
    ['Plan', subscription.plan],
    ['Active', subscription.active],
    ['From', subscription.valid_from],
    ['To', subscription.valid_to],
    ...Object.entries(features).map(([name, value]) => [labelOf(name), value] as const),
    ...tiers.map(({ tier, limit }) => [`Deployments, ${tier}`, limit] as const),
  ],
};

export async function show(cli: Cli): Promise<void> {
  const { subscription, features } = (await getTenant(await inTenant(cli))).data;
  await cli.output.item({ subscription, features }, view);
}

export async function change(cli: Cli, plan: Plan): Promise<void> {
  await changeSubscription({ ...(await inTenant(cli)), body: { plan } });
  cli.say(`The plan is ${plan}. What it has: sluice plan show`);
}
