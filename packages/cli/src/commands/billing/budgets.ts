import {
  createBudget,
  deleteBudget,
  getBudget,
  listBudgets,
  paginate,
  updateBudget,
  type Budget,
  type BudgetDetail,
} from '@sluice/client';
import type { Cli } from '../../cli.ts';
import { usageError } from '@sluice/terminal/errors';
import type { Column, View } from '@sluice/terminal/output';
import { capital, inTenant, verbsOf, type TenantCall } from '../entries/entries.ts';
import { textsOf } from '../places/edits.ts';

const withId = ({ path, ...call }: TenantCall, budget_id: number) => ({
  ...call,
  path: { ...path, budget_id },
});

/** What a budget is of. */
function coverOf({ division, environment, label }: Budget): string {
  if (division !== null) return `division ${division}`;
  if (environment !== null) return `environment ${environment}`;
  return label === null ? 'all' : `${label.key}=${label.value}`;
}

const columns: readonly Column<Budget>[] = [
  { header: 'ID', value: ({ id }) => id },
  { header: 'NAME', value: ({ name }) => name },
  { header: 'DOLLARS', value: ({ amount_usd }) => amount_usd },
  { header: 'OF', value: coverOf },
  { header: 'CREATED', value: ({ created_at }) => created_at, wide: true },
  { header: 'UPDATED', value: ({ updated_at }) => updated_at, wide: true },
];

const detail: View<BudgetDetail> = {
  name: ({ id }) => String(id),
  columns: [],
  fields: (budget) => [
    ['Id', budget.id],
    ['Name', budget.name],
    ['Of', coverOf(budget)],
    ['Amount', `$${budget.amount_usd}`],
    ['Until now', `$${budget.spent_usd}`],
    ['The month', `$${budget.forecast_usd}`],
    ['Created', budget.created_at],
    ['Updated', budget.updated_at],
  ],
};

export const budgets = verbsOf<TenantCall, Budget, BudgetDetail>({
  noun: 'billing budgets',
  one: 'budget',
  at: inTenant,
  read: (call) => paginate(listBudgets, call),
  view: { name: ({ id }) => String(id), empty: 'There is no budget.', columns },
  id: ({ id }) => id,
  name: ({ name }) => name,
  get: (call, id) => getBudget(withId(call, id)),
  detail,
  remove: (call, id) => deleteBudget(withId(call, id)),
});

interface CreateFlags {
  amount: string;
  division?: string;
  environment?: string;
  label?: string;
}

export async function create(
  cli: Cli,
  name: string,
  { amount, division, environment, label }: CreateFlags,
): Promise<void> {
  const { places } = await cli.session();
  const body = {
    ...{ name, amount },
    ...(division !== undefined && { division: (await places.find('division', division)).division_id }),
    ...(environment !== undefined && {
      environment: (await places.find('environment', environment)).environment_id,
    }),
    ...(label !== undefined && { label: labelGiven(label) }),
  };
  const call = await inTenant(cli);
  const { data } = await createBudget({ ...call, body });
  await cli.output.item((await getBudget(withId(call, data.id))).data, detail);
}

/** @throws CliError 2 */
function labelGiven(text: string): { key: string; value: string } {
  const at = text.indexOf('=');
  if (at < 1) throw usageError('--label has to be a key and a value, such as team=payments.');
  return { key: text.slice(0, at), value: text.slice(at + 1) };
}

export async function edit(cli: Cli, text: string, flags: { amount?: string; name?: string }): Promise<void> {
  const body = textsOf(flags);
  if (Object.keys(body).length === 0) throw usageError('What shall change?', 'add --help to see the options');
  const { call, id, title } = await budgets.find(cli, text);
  await updateBudget({ ...withId(call, id), body });
  cli.say(capital(`${title} is changed.`));
}
