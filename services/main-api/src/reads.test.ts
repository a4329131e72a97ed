import { idOf, type DivisionId } from '@sluice/contracts';
import { loadApiDocument, operationsOf, type DeclaredOperation, type OpenApiDocument } from '@sluice/http';
import { currentContext } from '@sluice/service';
import { Statements, stepsWithoutIndex, type Answer, type Client } from '@sluice/testing';
import type { Browser } from '#test/browser.ts';
import { fillAround, type Crowd } from '#test/crowd.ts';
import { people } from '#test/people.ts';
import type { TestTenant } from '#test/tenants.ts';
import { Terminal } from '#test/terminal.ts';

const p = people({ replicas: 1 });
const statements = new Statements(p.on, () => currentContext()?.requestId);

let document: OpenApiDocument;
let acme: TestTenant;
let crowd: Crowd;
let paula: Browser;
/** has a key of the division */
let bound: Client;
let budget: number;
/** waits to be signed in */
let terminal: Terminal;
beforeAll(async () => {
  document = await loadApiDocument(new URL('../openapi/', import.meta.url));
  const overrides = { api_keys_limit: 200, notification_channels_limit: 50 };
  acme = await p.a.tenant({ plan: 'enterprise', overrides });
  paula = await p.signedUp();
  crowd = await fillAround(p.on, acme);
  for (const owner of [acme.path, `${acme.path}/divisions/${crowd.division}`])
    channels.push(await channelOf(owner));
  bound = await acme.with({}, crowd.division);
  await p.on.sql(
    `INSERT INTO billed_deployments (uid, deployment_id, tenant_id, division_id, environment_id, name, division_name,
       environment_name, cloud, region)
     SELECT uid, id, tenant_id, division_id, environment_id, name, 'division', 'environment', cloud, region
     FROM deployments WHERE tenant_id = $1`,
    [acme.id],
  );
  await p.on.sql(
    `INSERT INTO usage_intervals SELECT id, timestamp '2026-01-01', timestamp '2026-01-02', 1, 1, 1, 1, 1, 'small', 1, 'local_ssd'
     FROM billed_deployments WHERE tenant_id = $1`,
    [acme.id],
  );
  budget = Number(
    (await acme.admin.post(`${acme.path}/billing/budgets`, { name: 'Read', amount: '5' })).body['id'],
  );
  // in one transaction: lines are stored before their invoice
  await p.on.sql(`
    INSERT INTO invoice_lines (invoice_id, n, kind, month, amount, billed_id, closing, cloud, region)
    SELECT 1, row_number() OVER (), 'usage', '2026-01-01Z', 1, id, 0, cloud, region FROM billed_deployments
    WHERE tenant_id = ${acme.id};
    INSERT INTO invoices SELECT 1, ${acme.id}, 1, 'INV-000001', '2026-01-01Z', 'USD', 1, 0, 0, 0, 1, 'domestic', 'DE', 0,
      '{"name": "Sluice", "address": ["Berlin"], "country": "DE", "footer": []}', jsonb_build_object('name', NULL, 'company', NULL, 'address', NULL, 'city', NULL, 'state', NULL, 'postal_code', NULL, 'country', NULL, 'tax_id', NULL, 'email', NULL, 'phone', NULL), '[]', now(), now()
`);
  terminal = new Terminal(p.replica.url);
  await terminal.begin();
}, 60_000);

/** one of the tenant's own, and one of its division, with a subscription each */
const channels: { channel_id: number; subscription_id: number }[] = [];
async function channelOf(owner: string) {
  const input = { channel: 'email', name: 'Read', destination: 'ada@example.com' };
  const channel = await acme.admin.post(`${owner}/channels`, input);
  const subscription = { message_types: ['division_created'] };
  const path = `${channel.headers.get('location')}/subscriptions`;
  const subscribed = await acme.admin.post(path, subscription);
  return { channel_id: Number(channel.body['id']), subscription_id: Number(subscribed.body['id']) };
}

/** An operation that reads, with what it answered and how it was asked. */
interface Read {
  name: string;
  isList: boolean;
  answer: Answer;
}

/** What the parameters of paths stand for; a new one has to be added. */
const ids = (): Record<string, string | number> => ({
  tenant_id: acme.id,
  division_id: crowd.division,
  environment_id: crowd.environment,
  deployment_id: crowd.deployment,
  role_id: crowd.role,
  member_id: acme.owner.id,
  api_key_id: crowd.key,
  invitation_id: crowd.invitation,
  invoice_id: 1,
  line_id: 1,
  cloud_account_id: crowd.cloudAccount,
  cloud: 'cloud_a',
  region: 'us-east-1',
  user_code: terminal.userCode,
  report_id: 202601,
  budget_id: budget,
});

const pathOf = (template: string) =>
  template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = { ...ids(), ...channels[template.includes('{division_id}') ? 1 : 0] }[name];
    if (value === undefined) throw new Error(`This test knows no ${name} for ${template}`);
    return String(value);
  });

interface Schema {
  type?: string;
  enum?: string[];
}

interface Parameter {
  name: string;
  in: string;
  schema: Schema;
}

/** What stands here, or what it refers to. */
function resolved<T>(declared: T | { $ref: string }): T {
  if (typeof declared !== 'object' || declared === null || !('$ref' in declared)) return declared;
  const [, , kind = '', name = ''] = declared.$ref.split('/');
  return document.components?.[kind]?.[name] as T;
}

/** An operation's parameters in the query. */
function queryOf({ path, operation }: DeclaredOperation): Parameter[] {
  const declared = [...(document.paths[path]?.parameters ?? []), ...(operation.parameters ?? [])];
  return declared
    .map((parameter) => resolved(parameter as Parameter))
    .filter((parameter) => parameter.in === 'query');
}

/** Something to filter by: one of those that can be, or a part of many names. */
function valueFor({ name, schema }: Parameter): string {
  if (name === 'message_type') return 'division_created';
  if (name === 'from' || name === 'to') return daysFromNow(name === 'from' ? -1 : 1);
  const { type, enum: [first] = [] } = resolved(schema);
  return first ?? (type === 'boolean' ? 'true' : '7');
}

const daysFromNow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

/** The ways in which an operation is asked: as it is, at a later page, and by each of its filters. */
function queriesOf(operation: DeclaredOperation): string[] {
  const parameters = queryOf(operation);
  const later = parameters.some(({ name }) => name === 'page') ? ['?page=2&results=5'] : [];
  const filters = parameters.filter(({ name }) => !['page', 'results'].includes(name));
  return ['', ...later, ...filters.map((filter) => `?${filter.name}=${valueFor(filter)}`)];
}

/** Calls all operations that read, in all ways, with a key or a session as they need. */
async function allReads(): Promise<Read[]> {
  const reads: Read[] = [];
  for (const declared of operationsOf(document)) {
    const { 'x-permission': permission } = declared.operation;
    if (declared.method !== 'get' || permission === 'public') continue;
    // it has no end
    if (declared.path.endsWith('/events/stream')) continue;
    // lines, which its own test reads
    if (declared.path.endsWith('/usage/export') || declared.path.endsWith('/pdf')) continue;
    // the notifier keeps the history, and none runs here
    if (declared.path.endsWith('/notifications')) continue;
    const describesBound = declared.operation.operationId === 'getDivisionApiKeyContext';
    const caller = permission === 'session' ? paula : describesBound ? bound : acme.admin;
    for (const query of queriesOf(declared)) {
      const answer = await caller.get(pathOf(declared.path) + query);
      const isList = Array.isArray(answer.body) || 'items' in answer.body;
      reads.push({ name: `${declared.path}${query} ${answer.status}`, isList, answer });
    }
  }
  return reads;
}

const numbersOf = (reads: Read[]) =>
  Object.fromEntries(reads.map(({ name, answer }) => [name, statements.of(answer).length]));

const query = (text: string, values?: unknown[]) => p.on.sql(text, values);

const onlyReads = (text: string) =>
  /^\s*SELECT\b/i.test(text) || (/^\s*WITH\b/i.test(text) && !/\b(INSERT|UPDATE|DELETE)\b/i.test(text));

/** What the statements that read for an answer did without an index. */
async function steps(answer: Answer, rows: number): Promise<string[]> {
  const reading = statements.of(answer).filter(({ text }) => onlyReads(text));
  const found = [];
  for (const statement of reading)
    found.push(...(await stepsWithoutIndex(query, statement, { largeTable: 1000, rows })));
  return found;
}

test('the structure of a thousand deployments takes one statement, and so does the summary', async () => {
  const structure = await acme.admin.get(`${acme.path}/structure`);
  const { divisions } = structure.body as { divisions: { environments: { deployments: object[] }[] }[] };
  const environments = divisions.flatMap((division) => division.environments);
  const deployments = environments.flatMap((environment) => environment.deployments);
  expect([divisions.length, environments.length, deployments.length]).toEqual([10, 100, 1000]);
  const summary = await acme.admin.get(`${acme.path}/summary`);
  expect(summary.body).toEqual({ total_divisions: 10, total_environments: 100, total_deployments: 1000 });
  expect([structure, summary].map((answer) => statements.of(answer).length)).toEqual([1, 1]);
});

test('every list takes one statement or two, the catalogue three, however much there is', async () => {
  const reads = await allReads();
  expect(reads.filter(({ answer }) => answer.status !== 200).map(({ name }) => name)).toEqual([]);
  const lists = reads.filter(({ isList }) => isList);
  expect(lists.length).toBeGreaterThan(20);
  // what is listed without pages is short: the catalogue asks for the plan and the regions besides
  const most = ({ name, answer }: Read) => {
    // division, channel, subscriptions, and the names of what these are about
    if (name.includes('/subscriptions')) return 4;
    // each limit is counted as the refusal counts it
    if (name.includes('/limits')) return 25;
    // the line of the invoice
    if (name.includes('/intervals')) return 3;
    return 'items' in answer.body ? 2 : 3;
  };
  const many = lists.filter((read) => statements.of(read.answer).length > most(read));
  expect(numbersOf(many)).toEqual({});
}, 60_000);

test('no read changes a row', async () => {
  const reads = await allReads();
  expect(reads.flatMap(({ answer }) => statements.changing(answer))).toEqual([]);
  // the test would notice one that does
  const change = await acme.admin.put(acme.path, { description: 'changed again' });
  expect(statements.changing(change)).not.toEqual([]);
}, 60_000);

test('every read finds what it reads by an index, and every list has it in its order', async () => {
  const found: Record<string, string[]> = {};
  for (const { name, isList, answer } of await allReads()) {
    // what is not a list may read, and put in order, all that a tenant has; so do filters of a tenant's deployments, which its plan limits
    const filters = name.startsWith('/tenants/{tenant_id}/deployments?') && !name.includes('?page');
    // months are added up from all usage
    const sums = name.startsWith('/tenants/{tenant_id}/billing/');
    const bad = await steps(answer, isList && !filters && !sums ? 100 : 1000);
    if (bad.length > 0) found[name] = bad;
  }
  expect(found).toEqual({});
});

test('what a change asks before it is made is found by an index', async () => {
  const inDivision = `${acme.path}/divisions/${crowd.division}`;
  const inEnvironment = `${inDivision}/environments/${crowd.environment}`;
  const member = (role: number, change: string) => `${acme.path}/roles/${role}/members/${change}`;
  const place = { cloud: 'cloud_a', region: 'us-east-1' };
  const key = { name: 'new', role_id: crowd.role, expiry_at: new Date(Date.now() + 60_000).toISOString() };
  const account = { name: 'new', cloud: 'cloud_a', account_id: '123456789012' };
  const changes: [status: number, method: string, path: string, body?: object][] = [
    [409, 'DELETE', inEnvironment],
    [409, 'DELETE', inDivision],
    [409, 'DELETE', acme.path],
    [409, 'POST', `${inDivision}/environments`, { name: 'new' }],
    [409, 'POST', `${acme.path}/divisions`, { name: 'new' }],
    [204, 'PUT', inDivision, { description: 'changed' }],
    [409, 'POST', `${inDivision}/deployments/starter`, place],
    [204, 'PUT', `${inEnvironment}/deployments/${crowd.deployment}`, { description: 'changed' }],
    [204, 'PUT', `${acme.path}/roles/${crowd.role}`, { permissions: { tenant: ['info:read'] } }],
    [409, 'DELETE', `${acme.path}/roles/${crowd.role}`],
    [204, 'PUT', member(crowd.role, 'assign'), { members: [crowd.member] }],
    [204, 'PUT', member(crowd.role, 'revoke'), { members: [crowd.member] }],
    [204, 'PUT', `${acme.path}/members/${crowd.member}`, { active: false }],
    [204, 'DELETE', `${acme.path}/members/${crowd.member}`],
    [409, 'POST', `${acme.path}/invitations`, { email: 'new@invited.test', roles: [crowd.role] }],
    [204, 'DELETE', `${acme.path}/invitations/${crowd.invitation}`],
    [201, 'POST', `${acme.path}/api_keys`, key],
    [204, 'DELETE', `${acme.path}/api_keys/${crowd.key}`],
    [409, 'POST', `${acme.path}/cloud_accounts`, account],
    [204, 'PUT', acme.path, { description: 'changed' }],
  ];
  for (const [status, method, path, body] of changes) {
    const answer = await acme.admin.request(method, path, body);
    expect([method, path, answer.status, await steps(answer, 1000)]).toEqual([method, path, status, []]);
    expect(statements.of(answer).length).toBeGreaterThan(2);
  }
});

test('what no index serves is noticed', async () => {
  const bad = (text: string, ...values: unknown[]) =>
    stepsWithoutIndex(query, { text, values }, { largeTable: 1000, rows: 100 });
  expect(await bad('SELECT * FROM deployments WHERE description = $1', 'x')).toEqual([
    'reads all of deployments',
    expect.stringMatching(/^reads \d+ rows of deployments for nothing$/),
  ]);
  const byName = 'SELECT * FROM deployments WHERE environment_id = $1 ORDER BY description LIMIT 10';
  expect(await bad(byName, crowd.environment)).toEqual(['puts 505 rows in order']);
});

test('a division is deleted in as many statements with many things in it as with few', async () => {
  const other = crowd.division + 1;
  await acme.with({}, idOf<DivisionId>(other));
  await p.on.sql('DELETE FROM deployments WHERE division_id = ANY ($1)', [[crowd.division, other]]);
  // leaves one of ten environments in the other, which has one key where this has ten
  await p.on.sql('DELETE FROM environments WHERE division_id = $1 AND id % 10 > 0', [other]);
  const counts: number[] = [];
  for (const division of [other, crowd.division]) {
    const answer = await acme.admin.delete(`${acme.path}/divisions/${division}`);
    expect(answer.status).toBe(204);
    const texts = statements.of(answer).map(({ text }) => text);
    counts.push(texts.indexOf('COMMIT'));
  }
  expect(counts[0]).toBeGreaterThan(5);
  expect(counts[1]).toBe(counts[0]);
  const left =
    'SELECT FROM environments WHERE division_id = $1 UNION ALL SELECT FROM api_keys WHERE division_id = $1';
  expect(await p.on.sql(left, [crowd.division])).toEqual([]);
});
