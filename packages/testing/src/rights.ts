import { createHmac, randomUUID } from 'node:crypto';
import { client, type Answer, type Client } from './client.ts';
import type { ReplicatedStack } from './replicas.ts';
import type { GivenRight, Right } from './revocation.ts';

/** The ways in which a right is taken away, by name: each gives it to a new key first. */
export function revocableRights(stack: ReplicatedStack): Record<string, Right> {
  const { tenant_id, division_id, colleague } = stack;
  const tenant = `/tenants/${tenant_id}`;
  const all = { tenant: ['info:read', 'info:manage', 'audit:read'] };
  const expiry_at = () => new Date(Date.now() + 3_600_000).toISOString();

  async function newKey(admin: Client, name: string, role: object): Promise<{ id: number; token: string }> {
    const input = { name: `${name} ${randomUUID()}`, expiry_at: expiry_at(), ...role };
    return await expecting(201, () => admin.post<{ id: number; token: string }>(`${tenant}/api_keys`, input));
  }
  const removeKey = async (admin: Client, id: number) =>
    void (await expecting(204, () => admin.delete(`${tenant}/api_keys/${id}`)));

  /** A key with a custom role, from which `change` takes the right. */
  async function withRole(
    admin: Client,
    name: string,
    permissions: object,
    change: object,
  ): Promise<GivenRight> {
    const role = await expecting(201, () =>
      admin.post<{ id: number }>(`${tenant}/roles`, { name: `${name} ${randomUUID()}`, permissions }),
    );
    const key = await newKey(admin, name, { role_id: role.id });
    return {
      token: key.token,
      takeAway: async (taker) =>
        void (await expecting(204, () => taker.put(`${tenant}/roles/${role.id}`, { permissions: change }))),
      async cleanUp(taker) {
        await removeKey(taker, key.id);
        await expecting(204, () => taker.delete(`${tenant}/roles/${role.id}`));
      },
    };
  }

  return {
    async 'key deleted'(admin, trial) {
      const { id, token } = await newKey(admin, `deleted ${trial}`, { permissions: all });
      return { token, takeAway: (taker) => removeKey(taker, id), cleanUp: async () => undefined };
    },
    async 'key rotated'(admin, trial) {
      const { id, token } = await newKey(admin, `rotated ${trial}`, { permissions: all });
      return {
        token,
        takeAway: async (taker) =>
          void (await expecting(201, () => taker.post(`${tenant}/api_keys/${id}/rotate`, {}))),
        cleanUp: (taker) => removeKey(taker, id),
      };
    },
    async 'addresses limited'(admin, trial) {
      const { id, token } = await newKey(admin, `limited ${trial}`, { permissions: all });
      const security = { validate_ip: true, allowed_ips: ['192.0.2.1'] };
      return {
        token,
        takeAway: async (taker) =>
          void (await expecting(204, () => taker.put(`${tenant}/api_keys/${id}/security`, security))),
        cleanUp: (taker) => removeKey(taker, id),
      };
    },
    async 'member deactivated'(admin, trial) {
      const { id, token } = await newKey(admin, `deactivated ${trial}`, { permissions: all });
      await stack.giveToColleague(id);
      const activate = async (by: Client, active: boolean) =>
        void (await expecting(204, () => by.put(`${tenant}/members/${colleague}`, { active })));
      await activate(admin, false);
      await activate(admin, true);
      return {
        token,
        takeAway: (taker) => activate(taker, false),
        async cleanUp(taker) {
          await activate(taker, true);
          await removeKey(taker, id);
        },
      };
    },
    async 'session ended'(_admin, trial) {
      const token = await stack.openSession();
      const csrf = createHmac('sha256', token).update('sluice csrf').digest('base64url');
      const headers = { cookie: `sluice_session=${token}`, 'x-csrf-token': csrf };
      const replicas = stack.of('main-api');
      const { url = '' } = replicas[trial % replicas.length] ?? {};
      return {
        token,
        headers,
        takeAway: async () =>
          void (await expecting(204, () =>
            client(url).request('DELETE', '/account/sign_out', undefined, headers),
          )),
        cleanUp: async () => undefined,
      };
    },
    'role changed': (admin, trial) => withRole(admin, `changed ${trial}`, all, {}),
    async 'override added'(admin, trial) {
      const permissions = { tenant: ['info:manage'], division: ['info:read', 'environment:read'] };
      const overridden = { ...permissions, divisions: { [division_id]: { permissions: [] } } };
      const division = `${tenant}/divisions/${division_id}`;
      return {
        ...(await withRole(admin, `overridden ${trial}`, permissions, overridden)),
        // a supervisor's summary of the division opens with the tenant's info as well, which the changes need
        probes: { 'main-api': `${division}/environments`, supervisor: null, audit: null },
      };
    },
  };
}

/** Asks until it is done: a change that is stored and not yet known to be in force is repeated, as its answer says. */
async function expecting<Body>(status: number, ask: () => Promise<Answer<Body>>): Promise<Body> {
  for (let attempt = 1; ; attempt++) {
    const answer = await ask();
    const isGone = attempt > 1 && status === 204 && answer.status === 404;
    if (answer.status === status || isGone) return answer.body;
    if (answer.status !== 503 || attempt === 5)
      throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
  }
}
