import type { ServerResponse } from 'node:http';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { testFolder } from '@sluice/testing';
import { against } from './fixtures/against.ts';
import { answerPlaces, sendJson } from './fixtures/places.ts';

/** The program as a process, against a server with the faults that a real one has too rarely. */

test('a shell that completes a name does not wait for a server that does not answer', async () => {
  const { code, stderr, milliseconds } = await against(() => {}, [
    'complete',
    '--',
    'deployments',
    'show',
    '',
  ]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(milliseconds).toBeLessThan(20_000);
}, 30_000);

test('a key that no header can hold is not shown', async () => {
  const env = { SLUICE_API_KEY: 'svc_secret\nmore' };
  const { code, stdout, stderr } = await against(() => {}, ['whoami', '--verbose'], { env });
  expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
  expect(stderr).not.toContain('secret');
});

test('sluice api sends nothing where the file for the answer cannot be written', async () => {
  const methods: string[] = [];
  const create = (out: string) =>
    against(
      ({ method = '' }, answer) => {
        methods.push(method);
        sendJson(answer, method === 'GET' ? { tenant: { id: 1 }, regions: [] } : { id: 7, token: 'once' });
      },
      ['api', 'createApiKey', '--field', 'name=ci', '--out', out],
    );
  const file = join(await testFolder(), 'key.json');
  expect(await create(file)).toMatchObject({ code: 0, stdout: '' });
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ token: 'once' });
  expect(methods.splice(0)).toEqual(['GET', 'POST']);
  expect(await create(file)).toMatchObject({ code: 2 });
  expect(methods).toEqual(['GET']);
});

test('an answer that breaks off is nothing unexpected, and leaves no half of a file', async () => {
  const file = join(await testFolder(), 'usage.csv');
  const { code, stdout, stderr } = await against(
    (request, answer) => {
      if (answerPlaces(request, answer)) return;
      answer
        .writeHead(200, { 'content-type': 'text/csv' })
        .write('a,b\n', () => setTimeout(() => answer.destroy(), 200));
    },
    ['billing', 'export', '--format', 'csv', '--out', file],
  );
  expect({ code, stdout }).toEqual({ code: 10, stdout: '' });
  expect(stderr).toContain('before the answer was complete');
  await expect(readFile(file)).rejects.toMatchObject({ code: 'ENOENT' });
});

test('a login that was rotated and cannot be read is no reason to rotate it again', async () => {
  let rotated = 0;
  const { code, stdout, stderr } = await against(
    (request, answer) => {
      if (answerPlaces(request, answer)) return;
      if (request.method === 'GET')
        return sendJson(answer, { code: 'forbidden', detail: 'Not allowed.', status: 403 }, 403);
      rotated++;
      answer.writeHead(202).end();
    },
    ['credentials', 'rotate', 'orders', '--yes'],
  );
  expect({ code, stdout, rotated }).toEqual({ code: 9, stdout: '', rotated: 1 });
  expect(stderr).toContain('Next: sluice credentials show payments/dev/orders');
});

test('a sign-in does not end the session of the environment, which is not that of the context', async () => {
  const asked: string[] = [];
  const folder = await testFolder();
  await writeFile(join(folder, 'key'), 'svc_other');
  const { code, stderr } = await against(
    ({ method = '', url = '' }, answer) => {
      asked.push(`${method} ${url}`);
      const api_key = { id: 1 };
      sendJson(answer, { user: { name: 'Ann' }, api_key, tenant: { id: 1, name: 't' }, regions: [] });
    },
    ['login', '--url', 'URL', '--key-file', join(folder, 'key'), '--context', 'work'],
    { env: { SLUICE_API_KEY: 'svt_environment' } },
  );
  expect({ code, asked, stderr }).toEqual({
    code: 0,
    asked: ['GET /context'],
    stderr: expect.stringContaining('Ann') as unknown,
  });
});

test('a session that a sign-in cannot use is ended', async () => {
  const asked: string[] = [];
  const { code, stderr } = await against(
    ({ method = '', url = '', headers }, answer) => {
      asked.push(`${method} ${url} ${String(headers['svc-session'])}`);
      const page = 'http://127.0.0.1/device';
      if (url === '/account/device')
        return sendJson(answer, {
          ...{ device_code: 'd', user_code: 'WDJB-MJHT', expires_in: 60, interval: 0.01 },
          ...{ verification_uri: page, verification_uri_complete: page },
        });
      if (url.startsWith('/account/device/')) return sendJson(answer, { access_token: 'svt_new' });
      if (url === '/context')
        return sendJson(answer, { user: { name: 'Ann' }, api_key: null, tenant: null, regions: [] });
      sendJson(answer, { items: [], total_results: 0 });
    },
    ['login', '--url', 'URL', '--device', '--tenant', 'none'],
  );
  expect(stderr).toContain('there is no tenant "none"');
  expect(code).toBe(2);
  expect(asked.at(-1)).toBe('DELETE /account/sign_out svt_new');
});

test('a configuration is compared with a file without its secrets', async () => {
  const file = join(await testFolder(), 'values.yaml');
  await writeFile(file, 'plugin_config: { host: b, password: s3cret, token: s3cret }');
  const { code, stdout } = await against(
    (request, answer) => {
      const { url = '' } = request;
      const config = { id: 9, kind: 'connector:sink:out', name: 'connector:sink:out', version: 1 };
      const schema = ['password', 'token', 'host'].map((key) => ({ key, secret: key !== 'host' }));
      if (answerPlaces(request, answer)) return;
      if (url.endsWith('/schema')) return sendJson(answer, { plugin_config: { name: 'Plugin', schema } });
      if (url.endsWith('/versions')) return sendJson(answer, [config]);
      sendJson(answer, { ...config, values: { plugin_config: { host: 'a', password: '***' } } });
    },
    ['configs', 'diff', 'connector:sink:out', 'orders', '--file', file, '-o', 'json'],
  );
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual([
    { key: 'plugin_config.host', from: 'a', to: 'b' },
    { key: 'plugin_config.token', to: '***' },
  ]);
});

test('a dry run shows the request without the secret in it', async () => {
  const file = join(await testFolder(), 'address');
  await writeFile(file, 'https://chat.example.com/hooks/secret');
  const { code, stdout } = await against(answerPlaces, [
    'channels',
    'create',
    'chat',
    'hook',
    '--url-file',
    file,
    '--dry-run',
    '-o',
    'json',
  ]);
  expect({ code, stdout }).toMatchObject({ code: 0 });
  expect(JSON.parse(stdout)).toMatchObject({ method: 'POST', body: { name: 'hook', destination: '***' } });
});

test('a peering is shown by a dry run, which is no option of its cloud', async () => {
  const peer = ['--peer-vpc-id', 'vpc-1', '--peer-owner-id', '1', '--peer-vpc-cidr', '10.0.0.0/16'];
  const { code, stdout } = await against(answerPlaces, [
    'network',
    'create',
    'peering',
    'office',
    'orders',
    ...peer,
    '--dry-run',
    '-o',
    'json',
  ]);
  expect({ code, ...(JSON.parse(stdout) as object) }).toMatchObject({
    ...{ code: 0, method: 'POST', body: { name: 'office', peer_vpc_id: 'vpc-1' } },
  });
});

test('a configuration that is as it was is activated where that is asked for', async () => {
  const asked: string[] = [];
  const file = join(await testFolder(), 'values.yaml');
  await writeFile(file, 'BROKER_MESSAGE_MAX_SIZE: 512KiB');
  const edit = async (primary: boolean) =>
    against(
      (request, answer) => {
        const { method = '', url = '' } = request;
        if (method !== 'GET') asked.push(`${method} ${url}`);
        const config = { id: 9, kind: 'broker', name: 'broker', version: 2, primary };
        if (answerPlaces(request, answer)) return;
        if (url.endsWith('/versions')) return sendJson(answer, [config]);
        sendJson(answer, { ...config, values: { BROKER_MESSAGE_MAX_SIZE: '512KiB' } });
      },
      ['configs', 'edit', 'broker', 'orders', '--file', file, '--activate'],
    );
  expect(await edit(true)).toMatchObject({ code: 0 });
  expect(asked).toEqual([]);
  const { code, stderr } = await edit(false);
  expect({ code, asked }).toMatchObject({ code: 0, asked: [expect.stringMatching(/^[A-Z]+ .*activ/)] });
  expect(stderr).toContain('broker@2 is active.');
});

test('events of the Main API and of the regions that the tenant uses; one that is away is named', async () => {
  const event = (kind: string, id: number) => {
    const place = { division_id: 2, environment_id: 3, deployment_id: kind === 'division' ? null : 7 };
    const data = {
      kind,
      id,
      change: 'updated',
      revision: id,
      ...place,
      changed_at: '2026-03-14T09:26:53.589Z',
    };
    return `event: change\ndata: ${JSON.stringify(data)}\nid: 1\n\n`;
  };
  const streams: ServerResponse[] = [];
  const { code, stdout, stderr } = await against(
    ({ url = '', headers: { host } }, answer) => {
      if (url.endsWith('/events/stream')) {
        answer.writeHead(200, { 'content-type': 'text/event-stream' });
        answer.write(url.startsWith('/region') ? event('task', 8) : event('division', 2));
        streams.push(answer);
        if (streams.length === 2)
          setTimeout(() => {
            for (const stream of streams) stream.write('event: end\ndata: {"reason":"forbidden"}\n\n');
          }, 500);
        return;
      }
      const at = (region: string, supervisor_url: string) => ({
        id: 7,
        name: region,
        cloud: 'a',
        region,
        supervisor_url,
      });
      const deployments = [at('here', `http://${host}/region`), at('away', 'http://127.0.0.1:1')];
      const divisions = [{ id: 2, name: 'd', environments: [{ id: 3, name: 'e', deployments }] }];
      const structure = { id: 1, name: 't', divisions };
      sendJson(answer, url === '/context' ? { tenant: { id: 1 }, regions: [] } : structure);
    },
    ['events', '--follow', '-o', 'ndjson'],
  );
  const told = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { layer: string; kind: string });
  expect(told.map(({ layer, kind }) => `${layer} ${kind}`).sort()).toEqual([
    'a/here task',
    'main-api division',
  ]);
  expect(stderr).toContain('a/away: the stream has broken off');
  expect(stderr).toContain('The right to read changes is gone.');
  expect(code).toBe(1);
});
