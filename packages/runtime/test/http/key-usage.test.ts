import { eventually } from '@sluice/testing';
import type { ApiKeyId } from '@sluice/contracts';
import { callerOf } from '@sluice/grants';
import { newContext } from '@sluice/service';
import { trackKeyUsage, type KeyUses } from '@sluice/http';
import { grantOf, quiet } from '../widget-service.ts';

const now = () => new Date('2030-01-01T00:00:00Z');
const authorizerOf = (id: number) => async () =>
  callerOf(grantOf({ api_key: { id: id as ApiKeyId, name: 'key' } }), newContext());
type Request = Parameters<ReturnType<ReturnType<typeof trackKeyUsage>['through']>>[0];
const request = {} as Request;

test('each key is handed over once, with the time of its last use', async () => {
  const stored: KeyUses[] = [];
  const uses = trackKeyUsage({
    store: async (recorded) => void stored.push(recorded),
    everyMilliseconds: 20,
    now,
    log: quiet,
  });
  for (let i = 0; i < 50; i++) await uses.through(authorizerOf(7))(request, { kind: 'authenticated' });
  await eventually(() => expect(stored).toEqual([new Map([[7, now()]])]));
  await uses.stop();
  expect(stored).toHaveLength(1);
});

test('what could not be stored is handed over again, at the end too', async () => {
  const stored: KeyUses[] = [];
  let broken = true;
  let attempts = 0;
  const store = async (recorded: KeyUses) => {
    attempts += 1;
    if (broken) throw new Error('the database is away');
    stored.push(recorded);
  };
  const uses = trackKeyUsage({ store, everyMilliseconds: 10, now, log: quiet });
  await uses.through(authorizerOf(1))(request, { kind: 'authenticated' });
  await eventually(() => expect(attempts).toBeGreaterThan(1));
  broken = false;
  await uses.through(authorizerOf(2))(request, { kind: 'authenticated' });
  await uses.stop();
  expect(new Map(stored.flatMap((recorded) => [...recorded]))).toEqual(
    new Map([1, 2].map((id) => [id, now()])),
  );
});
