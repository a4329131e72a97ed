import {
  getApiKey,
  getRole,
  listApiKeys,
  listMembers,
  paginate,
  type ApiKey,
  type Member,
} from '@sluice/client';
import type { Cli } from '../../cli.ts';
import { CliError, exitCodes, notFound, usageError } from '@sluice/terminal/errors';
import type { View } from '@sluice/terminal/output';
import { segmentsOf } from '@sluice/apply/place-path';
import type { PlaceKind, PlaceOf } from '../../places.ts';
import { inTenant, type TenantCall } from '../entries/entries.ts';
import { keys } from '../keys/keys.ts';
import { members } from '../members/members.ts';
import { rightsOf, type Names, type Right } from './rights.ts';

/** What a member or a key may do somewhere, and by what. */
interface Explained extends Right {
  who: string;
  because: string;
}

const view: View<Explained> = {
  name: ({ who }) => who,
  empty: 'No member and no key may do that.',
  columns: [
    { header: 'WHO', value: ({ who }) => who },
    { header: 'MAY', value: ({ permissions }) => permissions.join(', ') },
    { header: 'WHERE', value: ({ where }) => where },
    { header: 'BECAUSE OF', value: ({ because, source }) => `${because}: ${source}` },
  ],
};

interface Flags {
  permission?: string;
  member?: string;
  key?: string;
}

/** Who may do what, where and why. */
export async function explain(
  cli: Cli,
  at: string | undefined,
  { permission, member, key }: Flags,
): Promise<void> {
  if (member !== undefined && key !== undefined)
    throw usageError('A member or a key is explained.', 'pass --member or --key');
  const place = at === undefined ? undefined : await placeOf(cli, at);
  const call = await inTenant(cli);
  const names = await namesOf(cli);
  const readRole = rolesOf(call);
  async function* all(): AsyncGenerator<Explained> {
    if (key === undefined) for await (const one of membersOf(cli, member)) yield* ofMember(one);
    if (member === undefined) for await (const one of keysOf(cli, call, key)) yield* ofKey(one);
  }
  async function* ofMember({ email, role_ids, active }: Member): AsyncGenerator<Explained> {
    if (!active && member !== undefined) cli.say(`${email} is not active, so all of this is refused.`);
    if (!active && member === undefined) return;
    for (const id of role_ids) {
      const { name, permissions } = await readRole(id);
      for (const right of rightsOf(permissions, names, place))
        yield { who: email, because: `role ${name}`, ...right };
    }
  }
  async function* ofKey({ id, name, role_name: role, user_id }: ApiKey): AsyncGenerator<Explained> {
    const { data } = await getApiKey({ ...call, path: { ...call.path, api_key_id: id } });
    for (const right of rightsOf(data.permissions, names, place))
      yield { who: `key ${name}`, because: `role ${role} and what user ${user_id} may`, ...right };
  }
  async function* wanted(): AsyncGenerator<Explained> {
    for await (const one of all()) {
      const permissions = one.permissions.filter((name) => permission === undefined || name === permission);
      if (permissions.length > 0) yield { ...one, permissions };
    }
  }
  await cli.output.list(wanted(), view);
}

/** A place by the number of its parts; an id alone is not clear. */
async function placeOf(cli: Cli, at: string): Promise<PlaceOf[PlaceKind]> {
  const { places } = await cli.session();
  const kinds = (['division', 'environment', 'deployment'] as const).slice(segmentsOf(at).length - 1);
  for (const kind of kinds) {
    try {
      return await places.find(kind, at);
    } catch (error) {
      if (!(error instanceof CliError) || error.exitCode !== exitCodes.notFound) throw error;
    }
  }
  throw notFound(
    `There is no place ${JSON.stringify(at)} among those that you may see.`,
    'sluice deployments list',
  );
}

async function namesOf(cli: Cli): Promise<Names> {
  const { places } = await cli.session();
  const [divisions, environments] = await Promise.all([places.list('division'), places.list('environment')]);
  return {
    divisions: new Map(divisions.map(({ division_id, path }) => [String(division_id), path])),
    environments: new Map(environments.map(({ environment_id, path }) => [String(environment_id), path])),
  };
}

async function* membersOf(cli: Cli, text: string | undefined): AsyncGenerator<Member> {
  if (text !== undefined) yield (await members.find(cli, text)).item;
  else yield* paginate(listMembers, await inTenant(cli));
}

async function* keysOf(cli: Cli, call: TenantCall, text: string | undefined): AsyncGenerator<ApiKey> {
  if (text !== undefined) yield (await keys.find(cli, text)).item;
  else yield* paginate(listApiKeys, call);
}

/** Each role is read once. */
function rolesOf({ path, ...call }: TenantCall) {
  const read = new Map<number, ReturnType<typeof get>>();
  const get = async (role_id: number) => (await getRole({ ...call, path: { ...path, role_id } })).data;
  return (id: number) => {
    const known = read.get(id) ?? get(id);
    read.set(id, known);
    return known;
  };
}
