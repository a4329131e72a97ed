import { newApiToken } from '@sluice/contracts';
import {
  aloneOnStack,
  client,
  eventually,
  isStackGiven,
  type Answer,
  type SeededTenant,
  type Stack,
} from '@sluice/testing';
import { changes, uncallable } from './changes.ts';
import { wrongValueFor, type WalkedOperation } from './documents.ts';
import { RecordedChanges } from './recorded-changes.ts';
import { seedTenant } from './second-tenant.ts';
import { sixAtOnce, walkedStack, type Layer } from './walked-stack.ts';

/**
 * Walks every operation of the three documents as the services serve them: nothing that a client can send wrong may
 * be answered with anything but the right refusal. A new operation is walked without a line changed here.
 */

let stack: Stack;
let layers: Layer[];
/** ids of things that exist, by parameter name */
let existing: Record<string, string>;
/** a node that exists: operations that change one are asked for another */
let nodeId: string;
let other: SeededTenant;
let foreignKey: string;
let revokedKey: string;

beforeAll(async () => {
  // its changes reach beyond its tenants
  const walked = await walkedStack(aloneOnStack());
  ({ stack, layers } = walked);
  nodeId = String(walked.nodeId);
  existing = { ...walked.existing, role_id: String(await adminRoleId()), runtime: 'broker' };
  other = await seedTenant(stack, 'Another tenant');
  foreignKey = other.api_key;
  revokedKey = await revoked();
}, 300_000);
afterAll(() => stack.remove());

async function adminRoleId(): Promise<number | undefined> {
  const roles = await stack.main.get<{ items: { id: number; name: string }[] }>(
    `/tenants/${stack.tenant_id}/roles`,
  );
  return roles.body.items.find(({ name }) => name === 'admin')?.id;
}

/** A key that worked and was deleted. */
async function revoked(): Promise<string> {
  const keys = `/tenants/${stack.tenant_id}/api_keys`;
  const { body } = await stack.main.post<{ id: number; token: string }>(keys, {
    name: 'to be revoked',
    role_id: await adminRoleId(),
    expiry_at: new Date(Date.now() + 3_600_000).toISOString(),
  });
  expect((await client(stack.base_url, body.token).get(keys)).status).toBe(200);
  expect((await stack.main.delete(`${keys}/${body.id}`)).status).toBe(204);
  return body.token;
}

/** The operation's path with existing ids, except where `replaced` says otherwise; unknown parameters get an absent id. */
function pathOf({ path }: WalkedOperation, replaced: Record<string, string> = {}): string {
  return path.replaceAll(
    /\{(\w+)\}/g,
    (_, name: string) => replaced[name] ?? existing[name] ?? '9007199254740990',
  );
}

/** Has every operation checked that a key may call; those for sessions of people are walked where they are tested. */
async function eachOperation(
  select: (operation: WalkedOperation) => boolean,
  check: (layer: Layer, operation: WalkedOperation) => Promise<void>,
): Promise<void> {
  const selected = layers.flatMap((layer) =>
    layer.operations
      .filter(forKeys)
      .filter(select)
      .map((operation) => ({ layer, operation })),
  );
  expect(selected.length).toBeGreaterThan(0);
  await sixAtOnce(selected, ({ layer, operation }) => check(layer, operation));
}

/** An answer with this status and code, as a problem document; a failure names the operation. */
function expectRefusal(
  { name }: WalkedOperation,
  { status, body, headers }: Answer,
  wanted: number,
  code: unknown,
): void {
  expect([name, status, body?.['code']]).toEqual([name, wanted, code]);
  expect(headers.get('svc-request')).toMatch(/^[0-9a-f]{32}$/);
  expect(headers.get('content-type')).toMatch(/^application\/problem\+json/);
  expect(body).toMatchObject({
    status,
    type: `/docs/errors#${String(body['code'])}`,
    instance: headers.get('svc-request'),
  });
}

/** what is wrong inside of an object may be one of its fields, or that it has such a field */
const aBadBody: unknown = expect.stringMatching(/^(invalid_request|unknown_field)$/);
const forKeys = ({ permission }: WalkedOperation) => permission !== 'session';
const needsKey = ({ permission }: WalkedOperation) => permission !== 'public';
const hasBody = ({ body }: WalkedOperation) => body !== undefined;
const call = (
  layer: Layer,
  key: string | undefined,
  operation: WalkedOperation,
  path = pathOf(operation),
  body?: unknown,
) => client(layer.url, key).request(operation.method, path, body);

test('no key, a malformed, an unknown and a revoked key are 401 everywhere', async () => {
  for (const key of [undefined, '', 'svc_', 'x'.repeat(5_000), newApiToken(), revokedKey]) {
    await eachOperation(needsKey, async (layer, operation) => {
      expectRefusal(operation, await call(layer, key, operation), 401, 'unauthenticated');
    });
  }
});

test("another tenant's key sees nothing: 403 where the path names the tenant, 404 where it does not", async () => {
  const named = ({ path }: WalkedOperation) => path.includes('{tenant_id}');
  const unnamed = (operation: WalkedOperation) => !named(operation) && operation.path.includes('{');
  await eachOperation(named, async (layer, operation) => {
    expectRefusal(operation, await call(layer, foreignKey, operation), 403, 'forbidden');
  });
  await eachOperation(unnamed, async (layer, operation) => {
    expectRefusal(operation, await call(layer, foreignKey, operation), 404, 'not_found');
  });
});

test('a malformed id is 400 wherever it stands', async () => {
  const ids = (operation: WalkedOperation) => operation.pathParameters.filter((name) => name.endsWith('_id'));
  for (const wrong of ['abc', '-1', '1.0', '9223372036854775808', '%00']) {
    await eachOperation(
      (operation) => ids(operation).length > 0,
      async (layer, operation) => {
        for (const name of ids(operation)) {
          const answer = await call(layer, stack.api_key, operation, pathOf(operation, { [name]: wrong }));
          expectRefusal(operation, answer, 400, 'malformed_id');
        }
      },
    );
  }
});

test('an id that names nothing is 404, also beyond 2^53', async () => {
  const last = ({ pathParameters }: WalkedOperation) => pathParameters.at(-1) ?? '';
  const addressesById = (operation: WalkedOperation) =>
    operation.body === undefined &&
    last(operation).endsWith('_id') &&
    last(operation) !== 'tenant_id' &&
    operation.path.endsWith('}');
  for (const absent of ['0', '9007199254740991', '9007199254740993', '9223372036854775807']) {
    await eachOperation(addressesById, async (layer, operation) => {
      const answer = await call(
        layer,
        stack.api_key,
        operation,
        pathOf(operation, { [last(operation)]: absent }),
      );
      expectRefusal(operation, answer, 404, 'not_found');
    });
  }
});

test('an unknown field, a missing field and a wrong type are 400, named', async () => {
  await eachOperation(hasBody, async (layer, operation) => {
    const send = (body: unknown) => call(layer, stack.api_key, operation, pathOf(operation), body);
    const unknown = await send({ no_such_field: 1 });
    expect(unknown.status).toBe(400);
    expect(unknown.body['field_issues']).toContainEqual({
      path: '/body/no_such_field',
      code: 'unknown_field',
      message: 'is not a field of this operation',
    });
    const required = operation.body?.required ?? [];
    if (required.length > 0) {
      const missing = await send({});
      expectRefusal(operation, missing, 400, 'invalid_request');
      const paths = (missing.body['field_issues'] as { path: string; code: string }[]).map(
        ({ path }) => path,
      );
      expect([operation.name, ...paths]).toEqual([
        operation.name,
        ...required.map((name) => `/body/${name}`),
      ]);
    }
    for (const [name, schema] of Object.entries(operation.body?.properties ?? {})) {
      const wrong = await send({ [name]: wrongValueFor(schema) });
      expectRefusal(operation, wrong, 400, aBadBody);
      const places = (wrong.body['field_issues'] as { path: string }[]).map(({ path }) => path);
      expect(places.some((place) => place.startsWith(`/body/${name}`))).toBe(true);
    }
  });
});

test('an unknown query parameter is 400, and a page far past the end empty', async () => {
  await eachOperation(
    (operation) => operation.method === 'GET' && needsKey(operation),
    async (layer, operation) => {
      const unknown = await call(layer, stack.api_key, operation, `${pathOf(operation)}?no_such_parameter=1`);
      expectRefusal(operation, unknown, 400, 'unknown_parameter');
    },
  );
  const paginated = ({ queryParameters }: WalkedOperation) =>
    queryParameters.some(({ name }) => name === 'results');
  const isThere = ({ pathParameters }: WalkedOperation) =>
    pathParameters.every((name) => name === 'node_id' || name in existing);
  const paginatedThere = (operation: WalkedOperation) => paginated(operation) && isThere(operation);
  await eachOperation(paginatedThere, async (layer, operation) => {
    const answer = await call(
      layer,
      stack.api_key,
      operation,
      `${pathOf(operation, { node_id: nodeId })}?page=9007199254740991&results=100`,
    );
    expect([operation.name, answer.status, answer.body?.['items']]).toEqual([operation.name, 200, []]);
  });
});

/** What a key can change; people's own operations are recorded where their tests are. */
const recorded = (operation: WalkedOperation) =>
  forKeys(operation) && needsKey(operation) && operation.audit.length > 0;

test('every operation that changes something has a line in the table of changes, and no other', () => {
  const ids = layers.flatMap(({ operations }) => operations.filter(recorded).map(({ id }) => id));
  expect([...Object.keys(changes), ...Object.keys(uncallable)].sort()).toEqual([...new Set(ids)].sort());
});

// it puts into the databases what no call brings about, and into the last tenant's log its end: it comes last
(isStackGiven ? test.skip : test)(
  'every change that a key makes is recorded, with who, what and by which key, and without a secret',
  async () => {
    const walk = await RecordedChanges.by(stack, existing, other);
    try {
      const operations = layers.flatMap((layer) => layer.operations);
      const failed: string[] = [];
      for (const [id, prepare] of Object.entries(changes)) {
        const operation = operations.find((each) => each.id === id);
        if (!operation) continue;
        await walk.make(operation, prepare).catch((error: unknown) => failed.push(String(error)));
      }
      expect(failed).toEqual([]);
      await eventually(async () => expect(walk.missing(await walk.entries())).toEqual([]), {
        timeoutMs: 60_000,
        everyMs: 500,
      });
      expect(walk.secrets.size).toBeGreaterThan(6);
      const recordedText = JSON.stringify(await walk.entries());
      expect([...walk.secrets].filter((secret) => recordedText.includes(secret))).toEqual([]);
    } finally {
      await walk.close();
    }
  },
  600_000,
);
