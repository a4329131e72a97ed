import { randomUUID } from 'node:crypto';
import { mainApi } from '#test/main-api.ts';

const on = mainApi({ replicas: 1 });
const region = on.region();
const a = on.tenants();

async function create() {
  const acme = await a.tenant();
  const created = await acme.starter();
  const path = created.headers.get('location') ?? '';
  const id = Number(created.headers.get('svc-deployment'));
  const uid = await region.uid(id);
  const status = async () => {
    const answer = await acme.admin.get(path);
    return answer.status === 200 ? answer.body['status'] : answer.status;
  };
  return { acme, created, path, id, uid, status };
}

test('a deployment has a uid of its own, which its events and commands carry', async () => {
  const { acme, created, path, id, uid } = await create();
  expect(uid).toMatch(/^[0-9a-f-]{36}$/);
  expect((await create()).uid).not.toBe(uid);
  expect((await region.event('deployment_created', created.headers)).deployment).toMatchObject({ id, uid });
  const deleted = await acme.admin.delete(path);
  expect((await region.event('deployment_deleted', deleted.headers)).deployment).toMatchObject({ id, uid });
  const [command] = await region.untilCommanded('deployment_delete', id);
  expect(command).toMatchObject({ uid });
});

test('a report about another deployment with the same id has no effect', async () => {
  const { id, uid, status } = await create();
  const other = randomUUID();
  await region.status(id, 5, 'initialized', { uid: other });
  await region.removed(id, other);
  expect(await status()).toBe('creating');
  await region.status(id, 2, 'initialized');
  expect(await status()).toBe('initialized');
  await region.removed(id);
  expect(await status()).toBe(404);
  expect(await on.sql('SELECT uid FROM removed_deployments WHERE deployment_id = $1', [id])).toEqual([
    { uid },
  ]);
});
