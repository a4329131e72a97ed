import { against } from './fixtures/against.ts';
import { answerPlaces, sendJson } from './fixtures/places.ts';

/** `sluice backups restore`, whose end is in the audit log alone. */
async function restored(ends: (asked: number) => object[], ...flags: string[]) {
  let [asked, restores] = [0, 0];
  const ended = await against(
    (request, answer) => {
      if (answerPlaces(request, answer)) return;
      if (request.url?.startsWith('/audit/')) return sendJson(answer, { items: ends(asked++) });
      if (request.method === 'GET') return sendJson(answer, [{ id: 9, name: 'nightly' }]);
      restores++;
      answer.writeHead(204).end();
    },
    ['backups', 'restore', 'nightly', 'orders', '--yes', ...flags],
  );
  return { ...ended, restores };
}

const entry = (type: string, timestamp: string, data = {}) => ({ type, timestamp, data });
const before = entry('backup_restored', '2026-03-14T09:00:00.000Z');
const containing = (text: string): unknown => expect.stringContaining(text);

test('a restore is waited for until the log has its end, not that of an earlier one', async () => {
  const later = entry('backup_restored', '2026-03-14T10:00:00.000Z');
  expect(await restored((asked) => (asked < 3 ? [before] : [later]), '--wait')).toMatchObject({
    ...{ code: 0, stdout: '', restores: 1 },
    stderr: containing('payments/dev/orders is restored from the backup nightly.'),
  });
});

test('a restore that fails says why, one that takes too long ends with 8', async () => {
  const failed = entry('backup_restore_failed', '2026-03-14T10:00:00.000Z', { reason: 'a volume is gone' });
  expect(await restored((asked) => (asked < 1 ? [] : [failed]), '--wait')).toMatchObject({
    ...{ code: 1, stdout: '' },
    stderr: containing('keeps what it had: a volume is gone.'),
  });
  expect(await restored(() => [before], '--timeout', '500ms')).toMatchObject({ code: 8, restores: 1 });
});

test('without waiting it says where the end is', async () => {
  expect(await restored(() => [])).toMatchObject({
    ...{ code: 0, restores: 1 },
    stderr: containing('sluice audit list --deployment payments/dev/orders --types backup_restored'),
  });
});
