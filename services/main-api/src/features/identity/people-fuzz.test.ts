import { client } from '@sluice/testing';
import { faultsOf, fuzzedOperations, fuzzRuns, fuzzSeed, type FuzzedDocument } from '@sluice/testing/fuzz';
import fc from 'fast-check';
import { itemsOf } from '#test/main-api.ts';
import { people } from '#test/people.ts';

/** What keys cannot reach: the operations of people, asked with what their schemas allow and with what they do not. */
const seed = fuzzSeed();
// it asks faster than any person should
const fast = '100000';
const p = people({
  environment: {
    RATE_LIMIT_PER_SECOND: fast,
    RATE_LIMIT_BURST: fast,
    ADDRESS_RATE_LIMIT_PER_SECOND: fast,
    ADDRESS_RATE_LIMIT_BURST: fast,
  },
});

test(`with seed ${seed} every operation of people has an answer of its document`, async () => {
  const person = await p.signedUp(undefined, { tenant: { name: 'Fuzzed' } });
  const [tenant] = itemsOf(await person.get('/tenants'));
  await person.get('/account');
  const { url } = p.replica;
  const document = (await client(url).get('/openapi.json')).body as unknown as FuzzedDocument;
  const operations = fuzzedOperations(document, { tenant_id: String(tenant?.['id']) });
  const ofPeople = operations.filter(({ permission }) => permission === 'session' || permission === 'public');
  expect(ofPeople.length).toBeGreaterThan(10);
  const statuses = new Set<number>();
  // the session is needed until the end
  for (const { operationId, requests } of ofPeople.filter((one) => one.operationId !== 'signOut')) {
    const property = fc.asyncProperty(requests, async ({ method, path, headers, body }) => {
      const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const answer = await client(url).request(method, path, body, {
        ...headers,
        cookie,
        'x-csrf-token': person.csrf ?? '',
      });
      statuses.add(answer.status);
      expect([operationId, ...faultsOf(answer)]).toEqual([operationId]);
    });
    await fc.assert(property, { numRuns: fuzzRuns(20), seed });
  }
  expect([...statuses]).toEqual(expect.arrayContaining([200, 204, 400]));
  expect((await person.get('/account')).status).toBe(200);
}, 60_000);
