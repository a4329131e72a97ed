import { eventually } from '@sluice/testing';
import { patience, probesOf, type World } from './world.ts';

/** A change that is made after the copy; what it removes must not come back. */
export type Change = () => Promise<void>;

/** What there is before the copy, and what is done to it after that, in any order. */
export async function prepare(world: World): Promise<Record<string, Change>> {
  const { stack, tenant } = world;
  const [doomedKey, role] = [await world.addKey(), await world.addRole()];
  const reducedKey = await world.addKey(role);
  const [grown, doomed, steady] = await Promise.all([1, 2, 3].map(() => world.addDeployment()));
  if (grown === undefined || doomed === undefined || steady === undefined) throw new Error('there are none');
  const rule = await world.addRule(steady);
  const instance = await world.addConnector(steady);
  await instanceListed(world, steady, instance, true);
  const former = await world.login(steady);
  const growing = await world.addRole();
  const grownKey = await world.addKey(growing);
  await world.addConfig(steady);

  return {
    'a key is deleted': async () => {
      await world.change(
        'main-api',
        'DELETE',
        `${tenant}/api_keys/${doomedKey.id}`,
        undefined,
        'api_key_deleted',
      );
      for (const [layer, path] of probesOf(world))
        world.removedRights.push({
          name: `the deleted key at ${layer}`,
          succeeds: async () => (await world.api(layer, doomedKey.token).get(path)).status < 300,
        });
    },
    'a role is reduced': async () => {
      const permissions = { tenant: ['info:read'] };
      await world.change(
        'main-api',
        'PUT',
        `${tenant}/roles/${role}`,
        // an attempt that only repeats what an unanswered one has changed would be no event
        () => ({ permissions, name: world.name('reduced') }),
        'role_updated',
      );
      world.removedRights.push({
        name: 'the right that its role has lost',
        succeeds: async () =>
          (await world.api('main-api', reducedKey.token).get(`${tenant}/roles`)).status < 300,
      });
    },
    'a role grants more': async () => {
      const permissions = { tenant: ['info:read', 'role:read', 'member:read'] };
      const path = `${tenant}/roles/${growing}`;
      await world.change('main-api', 'PUT', path, () => ({ permissions }), 'role_updated');
      world.claims.push({
        name: 'what a role was given waits for an operator',
        check: async () => {
          if (world.target === 'main-api')
            await frozenUntilApplied(world, grownKey, 'key_enlarged', `(${growing}) grants`);
          await eventually(async () => {
            const { status } = await world.api('main-api', grownKey.token).get(`${tenant}/members`);
            if (status !== 200) throw new Error(`the key of the role that grants more gets ${status}`);
          });
        },
      });
    },
    'a member loses a role': async () => {
      const [viewer] = await stack.query<{ id: number }>(
        "SELECT id::int FROM roles WHERE tenant_id = $1 AND name = 'viewer'",
        [stack.tenant_id],
      );
      const path = `${tenant}/members/${stack.colleague}`;
      await world.change('main-api', 'PUT', path, () => ({ roles: [viewer?.id] }), 'member_updated');
      world.claims.push({
        name: 'a member without key and session does not get the role back',
        check: async () => {
          const roles = await stack.query<{ name: string }>(
            `SELECT r.name FROM member_roles mr JOIN memberships m ON m.id = mr.membership_id JOIN roles r ON r.id = mr.role_id
             WHERE m.user_id = $1`,
            [stack.colleague],
          );
          const names = roles.map(({ name }) => name).join();
          if (names.split(',').includes('admin')) throw new Error(`the member has the roles ${names}`);
        },
      });
    },
    'a deployment is upgraded': async () => {
      const path = `${world.environment}/deployments/${grown}`;
      await world.change(
        'main-api',
        'POST',
        `${path}/upgrade`,
        () => ({ tier: 'medium', storage: { size: 60 } }),
        'deployment_upgrade_requested',
      );
      await eventually(
        async () => {
          const { tier } = await world.agreed(grown);
          if (tier !== 'medium') throw new Error(`it is ${tier}`);
        },
        { timeoutMs: patience },
      );
      world.claims.push({
        name: 'an upgrade is not reverted',
        check: async () => {
          const { tier } = await world.agreed(grown);
          if (tier !== 'medium') throw new Error(`the upgraded deployment is ${tier}`);
        },
      });
    },
    'a deployment is deleted': async () => {
      const path = `${world.environment}/deployments/${doomed}`;
      await world.change('main-api', 'DELETE', path, undefined, 'deployment_deleted');
      await world.gone(doomed);
      world.claims.push({ name: 'a deleted deployment stays so', check: () => world.gone(doomed) });
    },
    'a rule is deleted, and the login replaced': async () => {
      const base = `/deployments/${steady}`;
      await world.change(
        'supervisor',
        'DELETE',
        `${base}/access_rules/${rule}`,
        undefined,
        'access_rule_deleted',
      );
      await world.change(
        'supervisor',
        'POST',
        `${base}/credentials/rotate`,
        () => ({ grace_seconds: 0 }),
        'deployment_secrets_rotated',
      );
      const newest = await world.login(steady);
      world.removedRights.push({
        name: 'the login without a rule',
        succeeds: () => world.letsIn(steady, former),
      });
      world.claims.push({
        name: 'the deleted rule and the former login stay away',
        check: async () => {
          const { body } = await world.api('supervisor').get<{ id: number }[]>(`${base}/access_rules`);
          if (body.some(({ id }) => id === rule)) throw new Error('the deleted rule is there');
          if ((await world.login(steady)).password !== newest.password)
            throw new Error('the login is another one');
        },
      });
    },
    'a configuration is stored': async () => void (await world.addConfig(steady)),
    'a connector is deleted, and another one activated': async () => {
      const path = `/deployments/${steady}/connectors/instances/${instance}`;
      await world.change('supervisor', 'DELETE', path, undefined, 'connector_deleted');
      const next = await world.addConnector(steady);
      await instanceListed(world, steady, next, true);
      world.claims.push({
        name: 'connectors are as they were',
        check: async () => {
          await instanceListed(world, steady, instance, false);
          await instanceListed(world, steady, next, true);
        },
      });
    },
    'a backup is made': async () => void (await world.addBackup(steady)),
    'a key is made': async () => {
      const made = await world.addKey();
      world.claims.push({
        name: 'a key that is made since the copy waits for an operator',
        check: async () => {
          if (world.target === 'main-api') await frozenUntilApplied(world, made, 'key_made');
          // where no bucket has it, it is lost
          await world.refused(
            made.token,
            world.target === 'main-api-without-nats' ? 'unauthenticated' : null,
          );
        },
      });
    },
    'all kinds of ids are given out anew': async () => await giveIds(world, steady),
  };

  function instancePath(deployment: number): string {
    return `${world.environment}/deployments/${deployment}/connectors`;
  }

  async function instanceListed(of: World, deployment: number, id: number, wanted: boolean): Promise<void> {
    await eventually(
      async () => {
        const region = await of
          .api('supervisor')
          .get<{ id: number }[]>(`/deployments/${deployment}/connectors/instances`);
        const rows = await stack.query<{ id: number }>(
          'SELECT id::int FROM connector_instances WHERE deployment_id = $1 AND refused_at IS NULL',
          [deployment],
        );
        const [there, here] = [region.body, rows].map((list) => list.some((one) => one.id === id));
        if (here !== wanted || there !== wanted)
          throw new Error(
            `the connector ${id} of ${instancePath(deployment)}: main-api ${here}, region ${there}`,
          );
      },
      { timeoutMs: patience, everyMs: 250 },
    );
  }
}

/**
 * A key is refused as frozen on all layers and is listed, and works again once an operator has applied that.
 * @param besides what is applied before: a part of its description
 */
async function frozenUntilApplied(
  world: World,
  { id, token }: { id: number; token: string },
  kind: string,
  besides?: string,
): Promise<void> {
  await world.refused(token, 'credential_frozen');
  const differences = await world.differences();
  const found = differences.find((one) => one.kind === kind && one.about.includes(`(${id})`));
  if (!found)
    throw new Error(`the review does not list ${kind} of the key ${id}: ${JSON.stringify(differences)}`);
  const other = besides === undefined ? [] : differences.filter(({ about }) => about.includes(besides));
  await world.admin('apply', ...[...other, found].map((one) => String(one.id)));
  await world.refused(token, null);
}

/** One of each kind: an id that was given out before ends the run. */
export async function giveIds(world: World, deployment: number): Promise<void> {
  await world.addKey();
  await world.addRole();
  await world.addConfig(deployment);
  await world.addConnector(deployment);
  const rule = await world.addRule(deployment);
  await world.change('supervisor', 'DELETE', `/deployments/${deployment}/access_rules/${rule}`);
  await world.addBackup(deployment);
}
