import {
  createPaymentIntent,
  deletePaymentMethod,
  getPaymentMethod,
  SluiceError,
  type PaymentMethod,
} from '@sluice/client';
import type { Cli } from '../../cli.ts';
import { notFound } from '@sluice/terminal/errors';
import type { DestroyFlags } from '@sluice/terminal/options';
import type { View } from '@sluice/terminal/output';
import { confirm } from '../../prompts.ts';
import { inTenant } from '../entries/entries.ts';

const nameOf = ({ kind, card }: PaymentMethod): string => (card ? `${card.brand} ${card.last4}` : kind);

const view: View<PaymentMethod> = {
  name: nameOf,
  columns: [],
  fields: (method) => [
    ['Kind', method.kind],
    ...(method.card
      ? ([
          ['Card', nameOf(method)],
          ['Expires', `${String(method.card.exp_month).padStart(2, '0')}/${method.card.exp_year}`],
        ] as const)
      : ([['Term', method.term_days === null ? null : `${method.term_days} days`]] as const)),
    ['Valid', method.valid],
  ],
};

/** @throws CliError 5 where there is none */
async function get(cli: Cli): Promise<PaymentMethod> {
  try {
    return (await getPaymentMethod(await inTenant(cli))).data;
  } catch (error) {
    if (!(error instanceof SluiceError && error.code === 'not_found')) throw error;
    throw notFound('The tenant has no payment method.', 'sluice billing payment-method setup');
  }
}

export async function show(cli: Cli): Promise<void> {
  await cli.output.item(await get(cli), view);
}

export async function setup(cli: Cli): Promise<void> {
  const { data } = await createPaymentIntent(await inTenant(cli));
  if (!cli.output.isForPeople) return cli.output.value(data);
  await cli.output.raw(`${data.url}\n`);
  cli.say(`A card can be entered there until ${data.expires_at}.`);
}

export async function destroy(cli: Cli, flags: DestroyFlags): Promise<void> {
  const name = nameOf(await get(cli));
  await confirm(cli, { what: `the card ${name}`, name }, flags);
  await deletePaymentMethod(await inTenant(cli));
  cli.say('The tenant has no card any more.');
}
