import { loadApiDocument, operationsOf } from '@sluice/http';
import { currentContext } from '@sluice/service';
import { client, eventually, Statements } from '@sluice/testing';
import { auditService, entries } from '#test/audit-service.ts';
import { allowExport, named, record } from '#test/events.ts';

const on = auditService({ replicas: 1 });
const statements = new Statements(on, () => currentContext()?.requestId);

test('no read changes a row', async () => {
  const key = await on.key();
  await allowExport(on);
  await record(on, named('a'));
  await eventually(async () => expect((await entries(on.replica(), key)).items).not.toEqual([]));
  const document = await loadApiDocument(new URL('../openapi/', import.meta.url));
  const reads = operationsOf(document).filter(({ method }) => method === 'get');
  expect(reads).not.toEqual([]);
  for (const { path } of reads) {
    const answer = await client(on.replica().url, key).get(path.replace('{tenant_id}', '1'));
    expect(answer.status).toBeLessThan(500);
    expect([path, statements.changing(answer)]).toEqual([path, []]);
  }
});
