import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { firstTenant } from './first-tenant.ts';

const made = { tenant_id: 1, division_id: 2, api_key: 'a key' };
const clock = Date.now;
let mainApi: Server | undefined;
afterEach(() => {
  Date.now = clock;
  mainApi?.close();
  mainApi?.closeAllConnections();
});

/** main-api, which refuses so many requests first. Each takes five seconds by the clock. */
async function busyMainApi(refusals: number): Promise<string> {
  let seconds = 0;
  Date.now = () => clock() + seconds * 1_000;
  mainApi = createServer((_request, response) => {
    seconds += 5;
    response.writeHead(seconds <= refusals * 5 ? 503 : 200).end();
  });
  mainApi.listen(0, '127.0.0.1');
  await once(mainApi, 'listening');
  return `http://127.0.0.1:${(mainApi.address() as AddressInfo).port}`;
}
const first = (url: string) =>
  firstTenant(() => Promise.resolve(made), url, undefined, AbortSignal.timeout(10_000));

test('the first start waits half a minute for its key where the machine is busy', async () => {
  expect(await first(await busyMainApi(6))).toEqual(made);
});

test('a key that is refused for longer is an error, which names the service to look at', async () => {
  await expect(first(await busyMainApi(100))).rejects.toThrow(/does not work.*main-api/);
});
