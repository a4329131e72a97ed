import { paginate, type SluiceClient } from '@sluice/client';
import type { Cli } from '../../cli.ts';
import { usageError } from '@sluice/terminal/errors';
import { readText, writeSecretFile } from '../../files.ts';
import type { Operation } from '../../operations.ts';
import { bodyOf } from './body.ts';

export interface CallFlags {
  /** parameters that the path or its query has */
  fixed?: Record<string, string>;
  place?: string;
  body?: string;
  field?: string[];
  all?: boolean;
  region?: string;
  out?: string;
  include?: boolean;
  [parameter: string]: unknown;
}

/** Calls an operation and writes its answer: JSON in the format that was asked for, anything else as it is. */
export async function request(cli: Cli, operation: Operation, flags: CallFlags): Promise<void> {
  if (cli.options.dryRun && operation.method === 'GET')
    throw usageError('--dry-run is for what changes something.', 'leave it out');
  if (flags.all && (flags.out !== undefined || flags.include))
    throw usageError('--all writes entries to stdout.', 'leave --out and --include out');
  const { path, query, headers } = await parametersOf(cli, operation, flags);
  const body =
    operation.body &&
    bodyOf(flags.body === undefined ? undefined : await readText(cli, flags.body, '--body'), flags.field);
  const client = await clientFor(cli, operation, flags);
  const url = `/${operation.layer}${operation.path}`;
  const call = { url, path, query, headers: { ...headers }, signal: cli.signal };
  if (flags.all) {
    const page = (one: object) => client.get<{ 200: Page }, unknown, true>({ ...call, ...one });
    return cli.output.list(paginate(page, { query }), { name: nameOf, columns: [] });
  }
  async function send(): Promise<Response> {
    const { response, data } = await client.request<{ 200: ReadableStream<Uint8Array> }, unknown, true>({
      ...call,
      method: operation.method as 'GET',
      ...(body !== undefined && { body, headers: { ...headers, 'content-type': 'application/json' } }),
      parseAs: 'stream',
    });
    if (flags.include) {
      const lines = [
        `${response.status} ${response.statusText}`,
        ...[...response.headers].map(([name, value]) => `${name}: ${value}`),
      ];
      cli.say(lines.join('\n'));
    }
    return new Response(data ?? null, { headers: response.headers });
  }
  if (flags.out === undefined) return writeAnswer(cli, await send());
  // nothing is sent where the file cannot be: the answer can be a secret that comes once
  async function* content() {
    yield* (await send()).body ?? [];
  }
  await writeSecretFile(flags.out, content());
}

interface Page {
  items: unknown[];
  total_results: number;
}

const nameOf = (item: unknown): string => JSON.stringify((item as { id?: unknown }).id ?? item);

async function writeAnswer({ output, io }: Cli, answer: Response): Promise<void> {
  const type = answer.headers.get('content-type') ?? '';
  if (/[/+]json\b/.test(type) && !type.includes('ndjson')) {
    const text = await answer.text();
    return text === '' ? undefined : output.value(JSON.parse(text));
  }
  if (!answer.body) return;
  const isText = /^text\/|json|yaml|csv/.test(type);
  if (!isText && io.columns !== undefined)
    throw usageError(`The answer is ${type || 'no text'}, which a terminal cannot show.`, 'pass --out FILE');
  await output.pieces(answer.body);
}

/** Values of all parameters: of the path, of options, of the place, and the tenant of the context. */
async function parametersOf(cli: Cli, { parameters, path: pattern }: Operation, flags: CallFlags) {
  const path: Record<string, string> = {};
  const query: Record<string, string> = {};
  const headers: Record<string, string> = {};
  const ofPlace: Record<string, string> =
    flags.place === undefined ? {} : await placeOf(cli, pattern, flags.place);
  for (const { name, in: where, required } of parameters) {
    const given = flags.fixed?.[name] ?? (flags[camel(flagOf(name))] as string | undefined);
    const value = given ?? ofPlace[name] ?? (await fallback(cli, name, where));
    if (value === undefined && required)
      throw usageError(`--${flagOf(name)} is missing.`, 'add --help to see what the operation takes');
    if (value === undefined) continue;
    const target = where === 'path' ? path : where === 'query' ? query : headers;
    target[name] = value;
  }
  return { path, query, headers };
}

async function fallback(cli: Cli, name: string, where: string): Promise<string | undefined> {
  return name === 'tenant_id' && where === 'path'
    ? String(await (await cli.session()).tenantId())
    : undefined;
}

async function placeOf(cli: Cli, pattern: string, text: string): Promise<Record<string, string>> {
  const { places } = await cli.session();
  const kind = pattern.includes('{deployment_id}')
    ? 'deployment'
    : pattern.includes('{environment_id}')
      ? 'environment'
      : 'division';
  const ids = Object.entries(await places.find(kind, text)).map(([name, id]) => [name, String(id)]);
  return Object.fromEntries(ids) as Record<string, string>;
}

async function clientFor(cli: Cli, { layer, path }: Operation, { region }: CallFlags): Promise<SluiceClient> {
  const { client } = await cli.session();
  if (layer !== 'supervisor' || path.includes('{deployment_id}')) return client;
  const [cloud, key, ...more] = region?.split('/') ?? [];
  if (!cloud || !key || more.length > 0)
    throw usageError('The operation is of a region: which one?', 'pass --region, such as cloud_a/us-east-1');
  return client.at({ cloud, region: key });
}

/** The name under which Commander keeps an option. */
const camel = (flag: string): string =>
  flag.replaceAll(/-(\w)/g, (_match, letter: string) => letter.toUpperCase());

/** `division_id` is given as `--division-id`. */
export const flagOf = (name: string): string => name.replaceAll('_', '-').toLowerCase();
