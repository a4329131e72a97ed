import { notifierRequests } from '@sluice/contracts';
import { answerRequests } from '@sluice/messaging';
import { createLog } from '@sluice/service';
import { secretBox, secretKeysSchema } from '@sluice/system/secrets';
import { eventually } from '@sluice/testing';
import { mainApi } from '#test/main-api.ts';
import { mailKeys } from '#test/settings.ts';

// with ten connections three changes may wait for the notifier at the same time
const on = mainApi({ replicas: 1, environment: { DATABASE_POOL_SIZE: '10' } });
const tenants = on.tenants();

test('tenants whose changes of channels take long leave places for the others', async () => {
  const slow = await Promise.all([1, 2, 3].map(() => tenants.tenant()));
  const other = await tenants.tenant();
  const waiting = new Map<number, () => void>();
  const end = answerRequests({
    ...{ nats: on.nats, subject: on.topology.subjects.notifierRequests, queue: 'notifier', most: 100 },
    ...{ box: secretBox(secretKeysSchema.parse(mailKeys)), log: createLog('notifier', 'error') },
    requests: { delete_channel: notifierRequests.delete_channel },
    handlers: {
      delete_channel: ({ tenant_id }) => {
        if (tenant_id === other.id) return Promise.resolve({});
        const { promise, resolve } = Promise.withResolvers<object>();
        waiting.set(tenant_id, () => resolve({}));
        return promise;
      },
    },
  });
  const remove = ({ admin, path }: (typeof slow)[number]) => admin.delete(`${path}/channels/1`);
  const release = () => waiting.forEach((answer) => answer());

  // as yet nothing is known of them
  const first = slow.map(remove);
  await eventually(() => expect(waiting.size).toBe(3));
  expect(await remove(other)).toMatchObject({ status: 503, body: { code: 'unavailable' } });
  const since = performance.now();
  await eventually(() => expect(performance.now() - since).toBeGreaterThan(500));
  release();
  expect((await Promise.all(first)).map(({ status }) => status)).toEqual([204, 204, 204]);

  waiting.clear();
  const second = slow.map(remove);
  await eventually(() => expect(waiting.size).toBe(1));
  for (let i = 0; i < 5; i++) expect((await remove(other)).status).toBe(204);
  release();
  expect((await Promise.all(second)).map(({ status }) => status).toSorted()).toEqual([204, 503, 503]);
  await end();
});
