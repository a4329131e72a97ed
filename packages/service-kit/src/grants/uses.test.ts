import { eventually } from '@sluice/testing';
import { principalOf } from './principal.ts';
import { rememberUses, type Uses } from './uses.ts';
import { grantOf, quiet } from '../../test/thing-service.ts';

const now = () => new Date('2030-01-01T00:00:00Z');
const authorizerOf = (id: number) => async () => principalOf(grantOf({ api_key: { id, name: 'key' } }));
type Request = Parameters<ReturnType<ReturnType<typeof rememberUses>['through']>>[0];
const request = {} as Request;

test('each key is handed over once, with the time of its last use', async () => {
  const stored: Uses[] = [];
  const uses = rememberUses({
    store: async (noted) => void stored.push(noted),
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
  const stored: Uses[] = [];
  let broken = true;
  let attempts = 0;
  const store = async (noted: Uses) => {
    attempts += 1;
    if (broken) throw new Error('the database is away');
    stored.push(noted);
  };
  const uses = rememberUses({ store, everyMilliseconds: 10, now, log: quiet });
  await uses.through(authorizerOf(1))(request, { kind: 'authenticated' });
  await eventually(() => expect(attempts).toBeGreaterThan(1));
  broken = false;
  await uses.through(authorizerOf(2))(request, { kind: 'authenticated' });
  await uses.stop();
  expect(new Map(stored.flatMap((noted) => [...noted]))).toEqual(new Map([1, 2].map((id) => [id, now()])));
});
