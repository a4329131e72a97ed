import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient } from '@sluice/client';
import { createSlots } from '../src/run/slots.ts';

test('no more deployments are created at a time than the plan allows, requests that are not answered yet included', async () => {
  let used = 1;
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify([{ name: 'concurrent_deployments_limit', scope: 'tenant', limit: 2, used }]));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const said: string[] = [];
  const slot = createSlots({
    client: createClient({ url, apiKey: 'svc_key', tenant: 1 }),
    ...{ signal: new AbortController().signal, tenantId: 1, timeoutMs: 60_000 },
    say: (text) => {
      said.push(text);
      // what was requested is initialized meanwhile
      used = 0;
    },
  });
  try {
    const free = await slot();
    expect(said).toEqual([]);
    used = 1;
    await slot();
    expect(said).toHaveLength(1);
    free();
  } finally {
    server.close();
  }
});
