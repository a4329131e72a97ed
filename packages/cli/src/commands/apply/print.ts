import type { Obstacle, Plan, Price, Secrets, Step } from '@sluice/apply';
import { exitCodes, type ExitCode } from '@sluice/terminal/errors';
import { visible } from '@sluice/terminal/escape';
import type { Style } from '@sluice/terminal/io';
import type { Cli } from '../../cli.ts';

const signs = { create: '+', update: '~', replace: '±', delete: '-' } as const;
const styles = { create: 'green', update: 'yellow', replace: 'red', delete: 'red' } as const;

const reasons: Record<Obstacle['reason'], { exitCode: ExitCode; next?: string }> = {
  invalid: { exitCode: exitCodes.badInput },
  not_allowed: { exitCode: exitCodes.notAllowed, next: 'sluice whoami shows what you may do' },
  over_limit: { exitCode: exitCodes.conflict, next: 'sluice limits shows what is used' },
  conflict: { exitCode: exitCodes.conflict },
};

/** An obstacle in the words of the command line. */
export function explained({ reason, message, next, replaceable }: Obstacle) {
  const given = reasons[reason];
  const replacing =
    replaceable === undefined ? undefined : `--replace ${replaceable} deletes it and makes it anew`;
  const advice = next ?? replacing ?? given.next;
  return { exitCode: given.exitCode, message, ...(advice !== undefined && { next: advice }) };
}

/** A plan as JSON, without secrets. */
export function planData({ steps, obstacles, ...plan }: Plan, secrets: Secrets): object {
  const changes = steps.map(({ action, kind, place, changes: fields, operation, interrupts }) => ({
    ...{ action, kind, place, operation },
    fields: fields.map(({ field, from, to }) => ({
      field,
      from: secrets.masked(from) ?? null,
      to: secrets.masked(to),
    })),
    interrupts: interrupts ?? null,
  }));
  return {
    ...plan,
    obstacles: obstacles.map(explained),
    set: plan.set ?? null,
    price: plan.price ?? null,
    changes,
  };
}

/** A plan for people: by place, then what it costs and what keeps it from being applied. */
export function planText(plan: Plan, secrets: Secrets, { io }: Pick<Cli, 'io'>): string {
  const lines: string[] = [];
  const add = (text: string, style?: Style) =>
    lines.push(style === undefined ? visible(text) : io.paint(style, visible(text)));
  const { steps, price } = plan;
  for (const { action, kind, place, changes, interrupts } of inOrder(steps)) {
    add(`${signs[action]} ${kind}${place === '' ? '' : ` ${place}`}`, styles[action]);
    for (const { field, from, to } of changes) {
      const [before, after] = [shown(secrets.masked(from)), shown(secrets.masked(to))];
      add(action === 'create' ? `    ${field}: ${after}` : `    ${field}: ${before} → ${after}`);
    }
    if (interrupts !== undefined) add(`    ! ${interrupts}`, 'red');
  }
  if (steps.length > 0) lines.push('');
  if (price) {
    add(`Price a month: ${priceChange(price)}`);
    for (const { place, reason } of price.unknown) add(`  without ${place}: ${reason}`);
  }
  for (const note of plan.notes) add(note);
  for (const { place, reason } of plan.away) add(`The region of ${place} does not answer: ${reason}`);
  for (const { message, next } of plan.obstacles.map(explained)) {
    add(`✗ ${message}`, 'red');
    if (next !== undefined) add(`  ${next}`);
  }
  add(summary(plan));
  return `${lines.join('\n')}\n`;
}

function priceChange({ before, after }: Price): string {
  if (before === null || after === null) return 'unknown';
  const change = after - before;
  const difference = `${change < 0 ? '-' : '+'}$${Math.abs(change).toFixed(2)}`;
  return `$${before.toFixed(2)} → $${after.toFixed(2)} (${difference})`;
}

function summary({ steps, tenant, set }: Plan): string {
  const of = `${tenant}${set === undefined ? '' : `, set ${set}`}`;
  if (steps.length === 0) return `No change: ${of}.`;
  const count = (action: Step['action']) => steps.filter((step) => step.action === action).length;
  const parts = [
    [count('create'), 'to create'],
    [count('update'), 'to change'],
    [count('replace'), 'to replace'],
    [count('delete'), 'to delete'],
  ].filter(([many]) => many !== 0);
  return `${parts.map((part) => part.join(' ')).join(', ')}: ${of}.`;
}

/** What belongs to the tenant, then place by place. */
const inOrder = (steps: readonly Step[]): Step[] => [
  ...steps.filter(({ parent, kind }) => parent === null && kind !== 'division'),
  ...steps
    .filter(({ parent, kind }) => parent !== null || kind === 'division')
    .sort((a, b) => (a.place === b.place ? 0 : a.place < b.place ? -1 : 1)),
];

const shown = (value: unknown): string =>
  value === undefined || value === null ? '-' : typeof value === 'string' ? value : JSON.stringify(value);
