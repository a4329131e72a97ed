import { idOf, type TenantId, type UserId } from '@sluice/contracts';
import { eventually } from '@sluice/testing';
import { system, type Origin } from '../origin.ts';
import { TenantShares } from './tenant-shares.ts';

const of = (tenant: number): Origin => ({ ...system, tenantId: idOf<TenantId>(tenant) });

/** Changes that go on until they are told to end, and how many have begun. */
function changes(shares: TenantShares) {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const begun = { count: 0 };
  const run = (origin: Origin) =>
    shares.run(origin, async () => {
      begun.count++;
      await ended;
    });
  return { begun, run, end };
}

test('some changes of a tenant run at the same time; the next begins when one ends, also when it fails', async () => {
  const shares = new TenantShares({ connections: 2, waitSeconds: 60 });
  const { begun, run, end } = changes(shares);
  const first = Promise.withResolvers<never>();
  const failing = shares.run(of(1), () => first.promise);
  const others = [run(of(1)), run(of(1)), run(of(1))];
  expect(begun.count).toBe(1);
  first.reject(new Error('refused'));
  await expect(failing).rejects.toThrow('refused');
  await eventually(() => expect(begun.count).toBe(2));
  end();
  await Promise.all(others);
  expect(begun.count).toBe(3);
});

test('other tenants, and what Sluice does by itself, do not wait for it', async () => {
  const shares = new TenantShares({ connections: 1, waitSeconds: 60 });
  const { run, end } = changes(shares);
  const busy = [run(of(1)), run(of(1))];
  await shares.run(of(2), async () => undefined);
  await shares.run(system, async () => undefined);
  // somebody without a tenant, and somebody unknown
  await shares.run(
    { cause: { ...system.cause, author: { id: idOf<UserId>(7), name: 'Ada' } }, tenantId: idOf<TenantId>(0) },
    async () => undefined,
  );
  await shares.run(of(0), async () => undefined);
  end();
  await Promise.all(busy);
});

test('who waits too long is refused, and so at once is who finds a hundred waiting', async () => {
  const shares = new TenantShares({ connections: 1, waitSeconds: 0.2 });
  const { begun, run, end } = changes(shares);
  const running = run(of(1));
  const waiting = Array.from({ length: 100 }, () => run(of(1)));
  const busy = { code: 'tenant_busy', status: 503, extras: { headers: { 'retry-after': '1' } } };
  const late = Promise.allSettled(waiting);
  await expect(run(of(1))).rejects.toMatchObject(busy);
  for (const outcome of await late) expect(outcome).toMatchObject({ status: 'rejected', reason: busy });
  // they have left their places
  const next = run(of(1));
  end();
  await Promise.all([running, next]);
  expect(begun.count).toBe(2);
});
