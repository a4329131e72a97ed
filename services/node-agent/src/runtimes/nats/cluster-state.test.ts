import { natsAccount } from '@sluice/contracts/broker-schemas';
import { readClusterState } from './cluster-state.ts';
import { jszSchema } from './monitoring.ts';

const copy = (name: string, current = true, offline = false) => ({ name, current, offline });
const led = (leader: string, ...replicas: ReturnType<typeof copy>[]) => ({ leader, replicas });
const orders = { name: 'orders', config: { num_replicas: 3, storage: 'file' } };

/** What a server says in turn; the last for ever. */
async function stateOf(pages: unknown[], { well = true, others = ['b', 'c'] } = {}) {
  const answers = pages.map((page) => jszSchema.parse(page));
  let asked = 0;
  return await readClusterState(
    {
      jsz: () => Promise.resolve(answers[Math.min(asked++, answers.length - 1)]!),
      isWell: () => Promise.resolve(well),
    },
    'a',
    others,
  );
}

const page = (meta: object, stream: object = led('b'), more: object = {}) => ({
  meta_cluster: meta,
  account_details: [{ name: natsAccount, stream_detail: [{ ...orders, cluster: stream, ...more }] }],
});

test('one that leads nothing says nothing of others', async () => {
  expect(await stateOf([page(led('b', copy('a', false)), led('c', copy('b', false)))])).toEqual({
    ...{ leader: false, healthy: true, behind: [], alone: 0 },
  });
});

test.each([
  ['the cluster does not know of', page(led('a', copy('b'))), ['c']],
  ['is away', page(led('a', copy('b'), copy('c', true, true))), ['c']],
  ['has not all of a stream', page(led('b'), led('a', copy('b', false), copy('c'))), ['b']],
  [
    'has not all of a consumer',
    page(led('b'), led('b'), { consumer_detail: [{ name: 'd', cluster: led('a', copy('c', false)) }] }),
    ['c'],
  ],
])('a leader names one that %s', async (_what, said, behind) => {
  expect((await stateOf([said])).behind).toEqual(behind);
});

test('a copy that was up to date once does not count as behind', async () => {
  const late = page(led('b'), led('a', copy('b', false), copy('c')));
  const other = page(led('b'), led('a', copy('b'), copy('c', false)));
  expect((await stateOf([late, other])).behind).toEqual([]);
});

test.each([
  ['it does not say so itself', [page(led('b'))], { well: false }],
  ['the cluster has no leader', [page(led(''))], {}],
  ['a stream has no leader', [page(led('b'), led(''))], {}],
])('a server is not well while %s', async (_what, pages, options) => {
  expect((await stateOf(pages, options)).healthy).toBe(false);
});

test('streams of which there is no other copy are counted', async () => {
  const single = { config: { num_replicas: 1, storage: 'file' } };
  expect((await stateOf([page(led('b'), led('a'), single)])).alone).toBe(1);
});
