import { SluiceError } from '@sluice/client';
import type { Run } from '../src/kinds/kind.ts';
import type { Step } from '../src/plan/types.ts';
import { execute } from '../src/run/execute.ts';
import { PersonNeeded } from '../src/run/person-needed.ts';

const run = { signal: new AbortController().signal } as Run;
const step = (key: string, more: Partial<Step> = {}): Step => {
  const [kind = '', place = ''] = key.split(' ');
  return {
    ...{ action: 'create', kind: kind as Step['kind'], key, place, parent: null, changes: [], operation: '' },
    ...{ interrupts: undefined, after: [], send: async () => undefined },
    ...more,
  };
};
const outcomes = async (steps: Step[]) =>
  (await execute({ steps }, run, () => {})).map(({ step: { key }, result }) => `${key} ${result}`).sort();

const failing = async () => {
  throw new SluiceError({ code: 'limit_reached', status: 409, detail: 'No.' });
};

test('what depends on a failure is skipped, the rest is done, and nothing is deleted', async () => {
  const steps = [
    step('division a', { send: failing }),
    step('environment a/dev', { after: ['division a'] }),
    step('division b'),
    step('environment c', { action: 'delete' }),
  ];
  expect(await outcomes(steps)).toEqual([
    'division a failed',
    'division b done',
    'environment a/dev skipped',
    'environment c skipped',
  ]);
});

test('what a person has to do is waited for by the next run, and the rest is done', async () => {
  const unenrolled = () => Promise.reject(new PersonNeeded('a/dev/orders', ['node-1']));
  const steps = [
    step('deployment a/dev/orders'),
    step('configuration a/dev/orders', { after: ['deployment a/dev/orders'], wait: unenrolled }),
    step('division b'),
  ];
  expect(await outcomes(steps)).toEqual([
    'configuration a/dev/orders waiting',
    'deployment a/dev/orders done',
    'division b done',
  ]);
});

test('once something has changed meanwhile nothing else is begun', async () => {
  const changed = new SluiceError({ code: 'changed_meanwhile', status: 412, detail: 'Changed.' });
  const steps = [
    step('division a', { send: () => Promise.reject(changed) }),
    step('division b', { wait: () => new Promise((resolve) => setImmediate(resolve)) }),
  ];
  expect(await outcomes(steps)).toEqual(['division a failed', 'division b skipped']);
});

test('eight at a time, and what waits takes no turn', async () => {
  let now = 0;
  let most = 0;
  const send = async () => {
    most = Math.max(most, ++now);
    await new Promise((resolve) => setImmediate(resolve));
    now--;
  };
  let open: () => void = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  const waiting = Array.from({ length: 8 }, (_, at) => step(`role w${at}`, { wait: () => opened, send }));
  const last = step('role last', { send: async () => open() });
  const others = Array.from({ length: 20 }, (_, at) => step(`role ${at}`, { send }));
  expect(await outcomes([...waiting, ...others, last])).toHaveLength(29);
  expect(most).toBe(8);
});

test('deletions come last, and from the inside out', async () => {
  const order: string[] = [];
  const noted = (key: string, action: Step['action']) =>
    step(key, { action, send: async () => void order.push(key) });
  await outcomes([
    noted('division a', 'delete'),
    noted('environment a/dev', 'delete'),
    noted('deployment a/dev/x', 'delete'),
    noted('role r', 'create'),
  ]);
  expect(order).toEqual(['role r', 'deployment a/dev/x', 'environment a/dev', 'division a']);
});
