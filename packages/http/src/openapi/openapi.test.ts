import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { deprecationHeadersOf } from './deprecation.ts';
import { operationsOf, type OpenApiDocument, type OperationObject } from './document.ts';
import { loadApiDocument } from './load.ts';

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

/** Loads a document whose files have these texts. */
async function loaded(files: Record<string, string>): Promise<OpenApiDocument> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-openapi-'));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, `${name}.yaml`), text);
  return await loadApiDocument(pathToFileURL(`${folder}/`));
}

interface Declared {
  method?: string;
  path?: string;
  permission: string;
  /** absent: that something was created, where it is no GET */
  audit?: string | undefined;
  more?: string;
}

/** The one operation of a document, declared like this, with the document. */
async function operation({ method = 'get', path = '/things', permission, more = '', ...rest }: Declared) {
  const audit = 'audit' in rest ? rest.audit : method === 'get' ? undefined : 'division_created';
  const document = await loaded({
    things: `
      paths:
        ${path}:
          ${method}:
            operationId: it
            x-permission: ${permission}
            ${audit === undefined ? '' : `x-audit: ${audit}`}
            ${more}
            responses: { '204': { description: done } }`,
  });
  const [declared] = operationsOf(document);
  if (!declared) throw new Error('the document has no operation');
  return { ...declared.operation, codes: codesOf(declared.operation, document), document };
}

/** The codes of each error answer, by status. */
function codesOf({ responses }: OperationObject, document: OpenApiDocument): Record<string, string[]> {
  const components = document.components as {
    responses: Record<string, { content: Record<string, { schema: { $ref: string } }> }>;
    schemas: Record<string, { allOf: { properties?: { code: { enum: string[] } } }[] }>;
  };
  const last = (reference: unknown) => (reference as { $ref: string }).$ref.split('/').at(-1) ?? '';
  const errors = Object.entries(responses).filter(([status]) => /^[45]/.test(status));
  return Object.fromEntries(
    errors.map(([status, response]) => {
      const media = components.responses[last(response)]?.content['application/problem+json'];
      const schema = components.schemas[last(media?.schema)];
      return [status, schema?.allOf[1]?.properties?.code.enum ?? []];
    }),
  );
}

const everywhere = {
  '500': ['internal'],
  '503': ['unavailable', 'database_busy', 'tenant_busy'],
  '504': ['deadline_exceeded'],
  '429': ['rate_limited'],
};
const permission = '{ scope: tenant, permission: info:read }';

describe('how an operation is authenticated follows from who may call it', () => {
  test.each([
    ['public', 'get', []],
    ['public', 'post', []],
    ['session', 'get', [{ Session: [] }, { TerminalSession: [] }]],
    ['session', 'put', [{ Session: [], CsrfToken: [] }, { TerminalSession: [] }]],
    ['authenticated', 'get', [{ ApiKey: [] }, { Session: [] }, { TerminalSession: [] }]],
    ['authenticated', 'delete', [{ ApiKey: [] }, { Session: [], CsrfToken: [] }, { TerminalSession: [] }]],
    [permission, 'get', [{ ApiKey: [] }, { Session: [] }, { TerminalSession: [] }]],
    [
      '{ scope: tenant, owner: true }',
      'delete',
      [{ ApiKey: [] }, { Session: [], CsrfToken: [] }, { TerminalSession: [] }],
    ],
    ['agent', 'get', [{ AgentToken: [] }]],
  ])('%s, %s', async (declaration, method, security) => {
    expect((await operation({ permission: declaration, method })).security).toEqual(security);
  });

  test('an operation that does not say who may call it is refused', async () => {
    await expect(operation({ permission: 'nobody' })).rejects.toThrow('no valid x-permission');
  });
});

describe('a deprecated operation', () => {
  const deprecated = (said: string) => operation({ permission: 'public', more: `x-deprecated: ${said}` });

  test('is marked, and its answers have the headers that say so', async () => {
    const found = await deprecated("{ since: '2026-11-26', sunset: '2027-05-26' }");
    expect(found.deprecated).toBe(true);
    const { headers } = found.responses['204'] as { headers: object };
    expect(Object.keys(headers)).toEqual(expect.arrayContaining(['Deprecation', 'Sunset', 'svc-release']));
    expect(deprecationHeadersOf({ path: '/things', method: 'get', operation: found })).toEqual({
      deprecation: '@1795651200',
      sunset: 'Wed, 26 May 2027 00:00:00 GMT',
    });
  });

  test('has no Sunset before it is known, and another operation has neither', async () => {
    const { headers } = (await deprecated("{ since: '2026-11-26' }")).responses['204'] as { headers: object };
    expect(Object.keys(headers)).not.toContain('Sunset');
    const other = await operation({ permission: 'public' });
    expect(other.deprecated).toBeUndefined();
    expect(Object.keys((other.responses['204'] as { headers: object }).headers)).not.toContain('Deprecation');
  });

  test.each(['{ since: soon }', 'true', "{ since: '2027-05-26', sunset: '2026-11-26' }"])(
    'cannot say %s',
    async (said) => {
      await expect(deprecated(said)).rejects.toThrow('GET /things has no valid x-deprecated');
    },
  );
});

describe('what changes something says what it is recorded as', () => {
  const changing = { method: 'put', permission: 'authenticated' };

  test.each([
    ['a type', 'division_created'],
    ['several', '[division_deleted, environment_deleted]'],
  ])('%s', async (_case, audit) => {
    await expect(operation({ ...changing, audit })).resolves.toBeDefined();
  });

  test('nothing, with the reason', async () => {
    const more = 'x-audit-reason: it only looks';
    await expect(operation({ ...changing, audit: 'none', more })).resolves.toBeDefined();
  });

  test.each([
    ['what does not say it', undefined, ''],
    ['an unknown type', 'division_painted', ''],
    ['a word that every object knows', 'constructor', ''],
    ['a type that is not recorded', 'invitation_created', ''],
    ['an unknown one among others', '[division_created, division_painted]', ''],
    ['an empty list', '[]', ''],
    ['none among others', '[division_created, none]', ''],
    ['none without a reason', 'none', ''],
    ['none with an empty reason', 'none', "x-audit-reason: ''"],
    ['a type with a reason why not', 'division_created', 'x-audit-reason: it only looks'],
  ])('but not %s', async (_case, audit, more) => {
    await expect(operation({ ...changing, audit, more })).rejects.toThrow(/PUT \/things .*x-audit/);
  });

  test('what reads and what agents send need not, and what reads says no more than what is recorded', async () => {
    await expect(operation({ permission: 'authenticated' })).resolves.toBeDefined();
    await expect(
      operation({ method: 'post', path: '/agent/v1/things', permission: 'agent', audit: undefined }),
    ).resolves.toBeDefined();
    const reading = { method: 'get', permission: 'authenticated' };
    await expect(operation({ ...reading, audit: 'credentials_read' })).resolves.toBeDefined();
    await expect(operation({ ...reading, audit: 'none' })).rejects.toThrow('a GET changes nothing');
  });
});

describe('the errors of an operation follow from its declaration', () => {
  test('open to anybody, without a body', async () => {
    expect((await operation({ permission: 'public' })).codes).toEqual({
      '400': ['invalid_request', 'unknown_parameter'],
      ...everywhere,
    });
  });

  test('a write in a tenant with a body, by keys and sessions', async () => {
    const { codes } = await operation({
      permission,
      method: 'post',
      path: '/tenants/{tenant_id}/things',
      more: 'requestBody: { content: { application/json: { schema: { type: object } } } }',
    });
    expect(codes).toEqual({
      '400': [
        'invalid_request',
        'unknown_parameter',
        'malformed_request',
        'malformed_id',
        'unknown_field',
        'body_required',
        'body_too_complex',
        'malformed_json',
      ],
      '401': ['unauthenticated', 'credential_frozen'],
      '403': ['ip_not_allowed', 'forbidden', 'csrf_token_invalid'],
      '404': ['not_found'],
      '408': ['request_timeout'],
      '409': ['idempotency_key_reused', 'idempotent_request_in_progress', 'idempotent_answer_lost'],
      '413': ['payload_too_large'],
      '415': ['unsupported_media_type'],
      ...everywhere,
    });
  });

  test.each([
    ['public', '16 KiB'],
    [permission, '1 MiB'],
  ])('%s: its body says how large it may be', async (declared, size) => {
    const { requestBody } = await operation({
      permission: declared,
      method: 'post',
      path: '/tenants/{tenant_id}/things',
      more: 'requestBody: { description: A thing., content: {} }',
    });
    expect(requestBody).toMatchObject({ description: `A thing. JSON of up to ${size}.`, required: false });
  });

  test('for people alone: no key can do it', async () => {
    const { codes, parameters = [] } = await operation({ permission: 'session', method: 'put' });
    expect(codes).toMatchObject({ '403': ['ip_not_allowed', 'session_required', 'csrf_token_invalid'] });
    expect(codes['409']).toContain('idempotency_key_reused');
    expect(parameters).toEqual([{ $ref: '#/components/parameters/IdempotencyKey' }]);
  });

  test('its own are added by their statuses', async () => {
    const { codes } = await operation({
      permission: 'public',
      more: 'x-errors: [name_taken, domain_claimed]',
    });
    expect(codes).toMatchObject({ '409': ['name_taken', 'domain_claimed'] });
  });

  test.each([
    ['[no_such_code]', 'is no code'],
    ['[invalid_request]', 'it follows from the rest'],
    ['name_taken', 'is not a list'],
  ])('but not %s', async (errors, message) => {
    await expect(operation({ permission: 'public', more: `x-errors: ${errors}` })).rejects.toThrow(message);
  });

  test('and any other problem is possible', async () => {
    const { responses } = await operation({ permission: 'public' });
    expect(responses['default']).toEqual({ $ref: '#/components/responses/Problem' });
  });
});

test('whoever writes by key can repeat it, and is told of limits', async () => {
  const { parameters, responses } = await operation({ permission, method: 'put' });
  expect(parameters).toEqual([{ $ref: '#/components/parameters/IdempotencyKey' }]);
  const { headers } = responses['204'] as { headers: object };
  expect(Object.keys(headers)).toEqual([
    'svc-request',
    'svc-release',
    'RateLimit-Limit',
    'RateLimit-Remaining',
    'RateLimit-Reset',
    'idempotent-replayed',
  ]);
});

const lists = `
  tags: [{ name: Things }]
  paths:
    /things:
      get:
        operationId: listThings
        x-permission: public
        responses:
          '200':
            description: things
            content: { application/json: { schema: { $ref: '#/components/schemas/ThingPage' } } }
  components:
    schemas:
      ThingPage: { x-page-of: Thing }
      Thing:
        type: object
        x-all-required: true
        properties: { id: { $ref: '#/components/schemas/Id' }, name: { type: string } }
        examples: [{ id: 1, name: first }]`;

describe('abbreviations', () => {
  test('a page of things, with an example, and Link where it is answered', async () => {
    const document = await loaded({ lists });
    expect(document.components?.['schemas']?.['ThingPage']).toMatchObject({
      required: ['items', 'page', 'total_results', 'total_pages'],
      properties: { items: { type: 'array', items: { $ref: '#/components/schemas/Thing' } } },
    });
    expect(document.paths['/things']?.get?.responses['200']).toMatchObject({
      headers: { Link: { $ref: '#/components/headers/Link' } },
      content: {
        'application/json': {
          example: { items: [{ id: 1, name: 'first' }], page: 1, total_results: 1, total_pages: 1 },
        },
      },
    });
  });

  test('all properties are required, and the tag of a file is that of its operations', async () => {
    const document = await loaded({ lists });
    expect(document.components?.['schemas']?.['Thing']).toMatchObject({ required: ['id', 'name'] });
    expect(document.paths['/things']?.get?.tags).toEqual(['Things']);
  });
});

describe('files are merged', () => {
  test('tags come in the order of their groups', async () => {
    const groups = 'x-tagGroups: [{ name: All, tags: [Second, First] }]\ntags: [{ name: First }]\n';
    const document = await loaded({ a: groups, b: 'tags: [{ name: Second }]' });
    expect(document.tags).toEqual([{ name: 'Second' }, { name: 'First' }]);
  });

  test('of what is shared, only what is used', async () => {
    const { components = {} } = await loaded({ lists });
    expect(components['schemas']).not.toHaveProperty('DivisionId');
    expect(components).not.toHaveProperty('securitySchemes');
  });

  test('two that define the same are refused', async () => {
    await expect(loaded({ a: lists, b: lists })).rejects.toThrow("define path '/things' twice");
  });

  test('a reference that leads nowhere is refused', async () => {
    const nowhere = lists.replace('schemas/Id', 'schemas/Nothing');
    await expect(loaded({ nowhere })).rejects.toThrow("has no '#/components/schemas/Nothing'");
  });
});
