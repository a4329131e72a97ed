import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { actions, type ActionName } from '@sluice/console-core/api/actions.ts';
import { permissionCatalogue, type Scope } from '@sluice/contracts';
import { repository } from '@sluice/testing';
import type { WalkedOperation } from '../documents.ts';
import { refusalOf, withKey } from '../harmless-requests.ts';
import { sixAtOnce, walkedStack, type WalkedStack } from '../walked-stack.ts';

/** No right is the console's alone: the API refuses each action of its table to who lacks what the table says. */

interface Needed {
  scope: Scope;
  permission: string;
}

interface Asked {
  name: string;
  url: string;
  operation: WalkedOperation;
  needed: Needed;
  or: Needed | undefined;
}

let walked: WalkedStack;
let asked: Asked[];

beforeAll(async () => {
  walked = await walkedStack();
  const [main, supervisor, audit] = walked.layers;
  const layers = { 'main-api': main, supervisor, audit };
  asked = (Object.keys(actions) as ActionName[]).map((name) => {
    const { operation: id, layer, scope, permission, ...more } = actions[name];
    const { url, operations } = layers[layer]!;
    const operation = operations.find((one) => one.id === id);
    if (!operation) throw new Error(`${name}: ${layer} has no operation ${id}`);
    return { name, url, operation, needed: { scope, permission }, or: 'or' in more ? more.or : undefined };
  });
}, 300_000);
afterAll(() => walked?.stack.remove());

/** What a role grants that has all but some permissions, and but those that include them. */
const allBut = (left: readonly Needed[]) =>
  Object.fromEntries(
    Object.entries(permissionCatalogue).map(([scope, names]) => [
      scope,
      names
        .map(({ key }): string => key)
        .filter(
          (key) =>
            !left.some(
              (one) =>
                one.scope === scope && [key, key.replace(/:manage$/, ':read')].includes(one.permission),
            ),
        ),
    ]),
  );

const only = ({ scope, permission }: Needed) => ({ [scope]: [permission] });

/** Those that need the same, so that one key serves them all. */
function byNeed(): Asked[][] {
  const groups = Map.groupBy(asked, ({ needed, or }) => JSON.stringify([needed, or]));
  return [...groups.values()];
}

const namesOf = (needed: Needed[]) =>
  needed.map(({ scope, permission }) => `${scope} ${permission}`).join(' or ');

test('the API refuses each action to who has everything but what it needs, and says what that is', async () => {
  for (const group of byNeed()) {
    const [{ needed, or }] = group as [Asked];
    // where the document names another permission that is enough for a part of what it is about, that is missing too
    const documented = group.flatMap(({ operation }) => otherOf(operation.permission));
    const left = [needed, ...(or ? [or] : []), ...documented];
    await withKey(walked.stack, { permissions: allBut(left) }, (token) =>
      sixAtOnce(group, async ({ name, url, operation }) => {
        const refusal = await refusalOf(walked, url, operation, token);
        expect([name, namesOf(left), refusal]).toEqual([
          name,
          namesOf(left),
          expect.objectContaining({ status: 403, code: 'forbidden', ...needed }),
        ]);
      }),
    );
  }
}, 120_000);

test('the API lets each action pass for who has what it needs and nothing else', async () => {
  for (const group of byNeed()) {
    const [{ needed, or }] = group as [Asked];
    for (const one of or ? [needed, or] : [needed])
      await withKey(walked.stack, { permissions: only(one) }, (token) =>
        sixAtOnce(group, async ({ name, url, operation }) =>
          expect([name, one, await refusalOf(walked, url, operation, token)]).toEqual([name, one, undefined]),
        ),
      );
  }
}, 120_000);

test('every operation by which a page changes something is of an action, unless it asks for no permission', async () => {
  const files = globSync('packages/console{,-core,-deployment}/src/**/*.{ts,tsx}', { cwd: repository });
  const changes = new Map(
    walked.layers.flatMap(({ operations }) =>
      operations
        .filter(({ method, permission }) => method !== 'GET' && isToChange(permission))
        .map(({ id, name }) => [id, name] as const),
    ),
  );
  const called = new Set<string>();
  for (const file of files) {
    const text = await readFile(join(repository, file), 'utf8');
    for (const [, names = ''] of text.matchAll(/import \{([^}]*)\} from '@sluice\/client'/g))
      for (const name of names.split(',')) called.add(name.trim());
  }
  const known = new Set<string>(asked.map(({ operation }) => operation.id));
  expect([...called].filter((id) => changes.has(id) && !known.has(id))).toEqual([]);
  expect([...known].filter((id) => !called.has(id))).toEqual([]);
});

const otherOf = (asked: WalkedOperation['permission']): Needed[] =>
  typeof asked === 'object' && asked.or ? [{ ...asked.or, scope: asked.or.scope as Scope }] : [];

/** Others are for everybody who is signed in, or read by a body. */
const isToChange = (asked: WalkedOperation['permission']) =>
  typeof asked === 'object' && asked.permission !== undefined && !asked.permission.endsWith(':read');
