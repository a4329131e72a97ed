import { createClient, listDivisions, paginate } from '@sluice/client';
import { answerJson, faultyServer } from './fixtures/faulty-server.ts';

/** Reads a list of ids, newest first, which `change` changes before each page but the first. */
async function readWhile(ids: number[], change: (ids: number[], page: number) => void): Promise<number[]> {
  let requests = 0;
  const server = await faultyServer((answer, { url }) => {
    const { searchParams } = new URL(url, 'http://localhost');
    const [page = 1, results = 1] = ['page', 'results'].map((name) => Number(searchParams.get(name)));
    if (requests++ > 0) change(ids, page);
    if (requests > 200) return void answer.destroy();
    const items = ids.slice((page - 1) * results, page * results).map((id) => ({ id }));
    answerJson(answer, 200, { items, page, total_results: ids.length });
  });
  const client = createClient({ url: server.url, apiKey: 'key' });
  const read: number[] = [];
  for await (const { id } of paginate(listDivisions, { client, path: { tenant_id: 1 } }, { results: 3 }))
    read.push(id);
  await server.close();
  return read;
}

const descending = (count: number) => Array.from({ length: count }, (_, at) => count - at);

test('all entries come once, in their order', async () => {
  for (const count of [0, 1, 3, 7])
    expect(await readWhile(descending(count), () => undefined)).toEqual(descending(count));
});

test('entries that move to later pages do not come again', async () => {
  const read = await readWhile(descending(9), (ids, page) => page === 2 && ids.unshift(100));
  expect(read).toEqual(descending(9));
});

test('entries that move to pages that were read are not left out', async () => {
  let removed = false;
  const read = await readWhile(descending(9), (ids) => {
    if (!removed) ids.splice(0, 2);
    removed = true;
  });
  expect([...read].sort((a, b) => b - a)).toEqual(descending(9));
});

test.each([1, 2, 3, 4, 5])('whatever is added and removed: run %d', async (run) => {
  let random = run;
  const next = (below: number) => (random = (random * 48_271) % 2_147_483_647) % below;
  const gone = new Set<number>();
  let added = 1_000;
  const read = await readWhile(descending(40), (ids) => {
    for (let count = next(3); count > 0; count--) ids.unshift(added++);
    for (let count = next(4); count > 0; count--)
      for (const id of ids.splice(next(ids.length), 1)) gone.add(id);
  });
  expect(new Set(read).size).toBe(read.length);
  const stayed = descending(40).filter((id) => !gone.has(id));
  expect(stayed.filter((id) => !read.includes(id))).toEqual([]);
});

test('a reader that leaves causes no more requests', async () => {
  const server = await faultyServer((answer) =>
    answerJson(answer, 200, { items: [{ id: 1 }], page: 1, total_results: 500 }),
  );
  const client = createClient({ url: server.url, apiKey: 'key' });
  for await (const { id } of paginate(listDivisions, { client, path: { tenant_id: 1 } })) {
    expect(id).toBe(1);
    break;
  }
  expect(server.requests).toHaveLength(1);
  expect(server.requests[0]?.url).toBe('/tenants/1/divisions?page=1&results=100');
  await server.close();
});
