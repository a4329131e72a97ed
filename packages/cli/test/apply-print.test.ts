import { Secrets, type Obstacle, type Plan } from '@sluice/apply';
import type { Cli } from '../src/cli.ts';
import { planData, planText } from '../src/commands/apply/print.ts';

const plan: Plan = {
  ...{ set: undefined, tenant: 'Acme', steps: [], obstacles: [], notes: [], away: [] },
  price: { before: null, after: null, unknown: [{ place: 'payments/dev/orders', reason: 'It is new.' }] },
};
const secrets = new Secrets({});

test('a price that is not known is said to be unknown', () => {
  expect(planText(plan, secrets, {} as Cli)).toContain('Price a month: unknown\n');
});

test('an obstacle has the exit code of its reason, and the option or the command that helps', () => {
  const obstacles: Obstacle[] = [
    { reason: 'conflict', message: 'It is another cloud.', replaceable: 'orders' },
    { reason: 'over_limit', message: 'Too many.' },
    { reason: 'invalid', message: 'Wrong.', next: 'write it so' },
  ];
  expect(planData({ ...plan, obstacles }, secrets)).toMatchObject({
    obstacles: [
      {
        exitCode: 6,
        message: 'It is another cloud.',
        next: '--replace orders deletes it and makes it anew',
      },
      { exitCode: 6, message: 'Too many.', next: 'sluice limits shows what is used' },
      { exitCode: 7, message: 'Wrong.', next: 'write it so' },
    ],
  });
});
