import { forgetEarly, takeEarly } from '@sluice/console-core/early.ts';
import { askEarly } from './first-pages.ts';
import {
  accountQuery,
  contextQuery,
  deploymentsQuery,
  installationQuery,
  structureQuery,
  summaryQuery,
} from '@sluice/console-core/api/queries.ts';
import { queryClient } from '@sluice/console-core/api/query-client.ts';
import { signInSourcesQuery } from '@sluice/console-core/api/sign-in.ts';

const asked: string[] = [];
const { fetch } = globalThis;

beforeEach(() => {
  asked.length = 0;
  globalThis.fetch = (url) => {
    asked.push(new URL(url instanceof Request ? url.url : url, 'http://console.invalid').pathname);
    return Promise.resolve(Response.json({ items: [], total_results: 0 }));
  };
});

afterEach(() => {
  globalThis.fetch = fetch;
  forgetEarly();
  queryClient.clear();
});

/** The code of pages is for browsers. */
const ask = (path: string) => askEarly(path, Promise.resolve()).catch(() => undefined);

test('what the overview and the sign-in read was asked for before, and is asked for once', async () => {
  await Promise.all([ask('/t/7'), ask('/sign-in')]);
  const early = [...asked];
  await Promise.all([
    ...[accountQuery, installationQuery, signInSourcesQuery].map((query) =>
      queryClient.fetchQuery<unknown>(query as never),
    ),
    ...[contextQuery(7), structureQuery(7), summaryQuery(7)].map((query) =>
      queryClient.fetchQuery<unknown>(query as never),
    ),
    queryClient.fetchInfiniteQuery(deploymentsQuery(7, { status: 'failed' })),
  ]);
  expect(early).toHaveLength(7);
  expect(asked).toEqual(early);
});

test('an answer is taken once, and not by the session that comes after', async () => {
  await ask('/t/7/people');
  expect(await takeEarly('/account')).toBeInstanceOf(Response);
  expect(takeEarly('/account')).toBeUndefined();
  forgetEarly();
  expect(takeEarly('/tenants/7/context')).toBeUndefined();
});

test('nothing is asked for where nobody reads it', async () => {
  await Promise.all(['/status', '/t/x', '/account/device', '/'].map(ask));
  expect(asked).toEqual([]);
});

test('an early answer that does not come is asked for again', async () => {
  const answering = globalThis.fetch;
  globalThis.fetch = () => Promise.reject(new TypeError('Failed to fetch'));
  await ask('/sign-in');
  globalThis.fetch = answering;
  await queryClient.fetchQuery(signInSourcesQuery);
  expect(asked).toEqual(['/api/main/account/auth/sources']);
});
