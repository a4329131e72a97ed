import { randomUUID } from 'node:crypto';
import { loadApiDocument, operationsOf } from '@sluice/http';
import { currentContext } from '@sluice/service';
import { aDeployment, client, eventually, Statements } from '@sluice/testing';
import { untilStatus } from '#test/client.ts';
import { supervisor } from '#test/region.ts';

const region = supervisor({ replicas: 1 });
const statements = new Statements(region, () => currentContext()?.requestId);

test('no read changes a row, also of a deployment whose machines are the customer’s', async () => {
  const document = await loadApiDocument(new URL('../openapi/', import.meta.url));
  const api = client(region.replica().url, await region.key());
  const shape = aDeployment({ uid: randomUUID(), variant: 'byoc', tier: 'small' });
  await region.apply(shape);
  await untilStatus(region.replica().url, await region.key(), shape.id, 'waiting_for_nodes');
  const at = `/deployments/${shape.id}`;
  const config = await api.post<{ id: number }>(`${at}/configs/broker`, { values: {}, activate: true });
  expect(config.status).toBe(201);
  // the test would notice a read that changes one
  expect(statements.changing(config)).not.toEqual([]);

  const known: Record<string, string | number> = {
    ...{ tenant_id: shape.tenant_id, division_id: shape.division.id, environment_id: shape.environment.id },
    ...{ deployment_id: shape.id, node_id: shape.nodes[0]!.id, runtime: 'broker' },
    ...{ config_kind: 'broker', config_name: 'broker', config_id: config.body.id, version: 1 },
  };
  const reads = operationsOf(document).filter(({ method }) => method === 'get');
  const found: Record<string, string[]> = {};
  let answered = 0;
  for (const { path, operation } of reads) {
    const named = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(known[name] ?? 1));
    const answer = await eventually(async () => {
      const given = await api.get(named);
      expect([path, given.status]).toEqual([path, expect.not.stringMatching(/^5/)]);
      return given;
    });
    if (answer.status === 200) answered++;
    const changing = statements.changing(answer);
    // what is recorded waits in a table to be sent, and nothing else is written
    if (operation['x-audit'] !== undefined)
      expect([path, changing]).toEqual([path, [expect.stringMatching(/INSERT INTO outbox /)]]);
    else if (changing.length > 0) found[path] = changing;
  }
  expect(found).toEqual({});
  // the others are of what this deployment does not have
  expect(answered).toBeGreaterThan(20);
}, 60_000);
