import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { client, connectBroker, eventually, findLoopbackHosts, type Login } from '@sluice/testing';
import { jetstreamManager } from '@nats-io/jetstream';
import type { Addressed } from '../kubernetes/requests.ts';
import type { Day } from './day.ts';
import type { Used } from './load.ts';
import { bothVersions, releaseFolder } from './releases.ts';

const patience = { timeoutMs: 20 * 60_000, everyMs: 2_000 };
const place = { cloud: 'cloud_a', region: 'us-east-1' };
const compose = 'docker compose -f sources/infra/compose.yaml';

/** The same with Docker Compose: a start, an upgrade while it is used, and its end. */
export async function composeDay(day: Day): Promise<void> {
  findLoopbackHosts();
  const [first, second] = await bothVersions(day);
  for (const version of [first, second])
    await day.run(
      `while read -r name reference; do docker pull --quiet "$reference" && docker tag "$reference" "$name"; done < ${await releaseFolder(day, version)}/images.txt`,
      {
        shown: `while read -r name reference; do docker pull --quiet "$reference" && docker tag "$reference" "$name"; done < release-${version}/images.txt`,
      },
    );
  await day.run(`SLUICE_VERSION=${first} ${compose} up --wait --no-build`, { keep: [] });
  await day.run(`${compose} cp first-tenant:/installation/stack.json stack.json`);
  const stack = JSON.parse(await readFile(join(day.folder, 'stack.json'), 'utf8')) as Addressed;
  const used = await useIt(stack);
  day.note('A deployment, by the public API at the front door: it runs, and its broker lets clients in.');
  await day.underLoad(
    'the upgrade',
    async () => {
      await day.run(`SLUICE_VERSION=${second} ${compose} up --wait --no-build`);
      await eventually(async () => {
        const connection = await connectBroker(used.broker, used.login);
        await (await jetstreamManager(connection)).streams.info('day');
        await connection.close();
      }, patience);
    },
    { used, isReplaced: true },
  );
  await day.run(`${compose} ps --format '{{.Image}}' | sort | uniq -c`, { keep: [/sluice\//] });
  await day.run(`${compose} down --volumes`);
  await day.run('docker ps --all --quiet --filter label=com.docker.compose.project=sluice | wc -l', {
    keep: [/./],
  });
}

/** Makes a deployment with a broker that lets clients in. */
async function useIt(stack: Addressed): Promise<Used> {
  const main = client(stack.base_url, stack.api_key);
  const region = client(
    stack.supervisors.find(({ cloud }) => cloud === place.cloud)?.url ?? '',
    stack.api_key,
  );
  const path = `/tenants/${stack.tenant_id}/divisions/${stack.division_id}/deployments/starter`;
  const id = await eventually(async () => {
    const { status, headers, body } = await main.post(path, place);
    if (status !== 202) throw new Error(`${status} ${JSON.stringify(body)}`);
    return Number(headers.get('svc-deployment'));
  }, patience);
  const broker = await eventually(async () => {
    const { body } = await region.get<{ status: string; endpoints: { broker_tcp: string } }>(
      `/deployments/${id}`,
    );
    if (body.status !== 'initialized') throw new Error(`the deployment is ${body.status}`);
    return body.endpoints.broker_tcp;
  }, patience);
  const rules = { broker_tcp: true, broker_http: false, broker_websocket: false, broker_udp: false };
  await region.post(`/deployments/${id}/access_rules`, { name: 'all', cidr_blocks: ['0.0.0.0/0'], rules });
  const { body: login } = await region.get<Login>(`/deployments/${id}/credentials`);
  await eventually(async () => await (await connectBroker(broker, login)).close(), patience);
  return { ...stack, broker, login };
}
