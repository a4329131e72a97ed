import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import envPaths from 'env-paths';
import { notFound, usageError } from '@sluice/terminal/errors';
import { notSignedIn } from '../errors.ts';
import { checkName, namesIn, readIfThere, writePrivately } from './files.ts';
import { keysIn, type KeyPlace } from './keys.ts';

/** An installation and who one is there. The key is kept apart. */
export interface StoredContext {
  /** the address of the Main API */
  url: string;
  tenant: { id: number; name: string } | null;
  /** what shorter places begin with, such as `payments/dev` */
  place: string | null;
  key: KeyPlace;
}

/** The context that a command runs in. */
export interface ActiveContext {
  /** null where the environment gives address and key */
  name: string | null;
  source: 'environment' | 'context' | 'stack';
  url: string;
  tenant: { id: number; name?: string } | null;
  place: string | null;
  /** @throws CliError where the key is gone */
  key: () => Promise<string>;
}

/** The stack that `npm start` runs: its file holds address and key. */
export const localName = 'local';

interface StackFile {
  base_url: string;
  tenant_id: number;
  api_key: string;
}

export type Contexts = ReturnType<typeof openContexts>;

/** The contexts in the user's configuration folder: a file for each, so that two programs can write at a time. */
export function openContexts(env: NodeJS.ProcessEnv) {
  const folder = env['SLUICE_CONFIG_DIR'] || envPaths('sluice', { suffix: '' }).config;
  const keys = keysIn(folder, env);
  const fileOf = (name: string) => join(folder, 'contexts', `${checkName(name)}.json`);
  const currentFile = join(folder, 'current');

  async function readStack(): Promise<StackFile | undefined> {
    const path = env['SLUICE_LOCAL_STACK'];
    const text = path ? await readIfThere(path) : undefined;
    return text === undefined ? undefined : (JSON.parse(text) as StackFile);
  }

  async function find(name: string): Promise<StoredContext | undefined> {
    const text = await readIfThere(fileOf(name));
    if (text === undefined) return undefined;
    try {
      return JSON.parse(text) as StoredContext;
    } catch {
      throw usageError(
        `${fileOf(name)} cannot be read.`,
        `delete it and sign in: sluice login --context ${name}`,
      );
    }
  }

  async function get(name: string): Promise<StoredContext> {
    const found = await find(name);
    if (!found) throw notFound(`There is no context ${JSON.stringify(name)}.`, 'sluice context list');
    return found;
  }

  function active(name: string, { url, tenant, place, key: at }: StoredContext): ActiveContext {
    const key = async () => {
      const found = await keys.read(name, url, at);
      if (found) return found;
      throw notSignedIn(`The key of the context ${name} is gone.`, `sluice login --context ${name}`);
    };
    return { name, source: 'context', url, tenant, place, key };
  }

  async function activeStack(): Promise<ActiveContext | undefined> {
    const stack = await readStack();
    if (!stack) return undefined;
    const tenant = { id: stack.tenant_id };
    return {
      name: localName,
      source: 'stack',
      url: stack.base_url,
      tenant,
      place: null,
      key: async () => stack.api_key,
    };
  }

  async function named(name: string): Promise<ActiveContext> {
    const found = await find(name);
    if (found) return active(name, found);
    const stack = name === localName ? await activeStack() : undefined;
    if (!stack) await get(name);
    return stack as ActiveContext;
  }

  async function current(): Promise<string | undefined> {
    return (await readIfThere(currentFile))?.trim() || undefined;
  }

  return {
    folder,
    find,
    get,
    current,
    use: (name: string) => writePrivately(currentFile, `${checkName(name)}\n`),
    async list(): Promise<(StoredContext & { name: string })[]> {
      const files = (await namesIn(join(folder, 'contexts'))).filter((file) => /^[^.].*\.json$/.test(file));
      const names = files.map((file) => file.slice(0, -'.json'.length));
      return Promise.all(names.map(async (name) => ({ name, ...(await get(name)) })));
    },
    stack: activeStack,
    /** Stores a context with its key. @returns where the key is */
    async save(name: string, context: Omit<StoredContext, 'key'>, key: string): Promise<KeyPlace> {
      checkName(name);
      const at = await keys.write(name, context.url, key);
      await writePrivately(fileOf(name), `${JSON.stringify({ ...context, key: at }, null, 2)}\n`);
      return at;
    },
    async change(name: string, changes: Partial<Pick<StoredContext, 'place'>>): Promise<void> {
      await writePrivately(
        fileOf(name),
        `${JSON.stringify({ ...(await get(name)), ...changes }, null, 2)}\n`,
      );
    },
    /** Forgets the key of a context. */
    async forgetKey(name: string): Promise<void> {
      await keys.remove(name, (await get(name)).key);
    },
    /** Forgets a context and its key. */
    async remove(name: string): Promise<void> {
      await keys.remove(name, (await get(name)).key);
      await rm(fileOf(name), { force: true });
      if ((await current()) === name) await rm(currentFile, { force: true });
    },
    /**
     * The context for a command: a key in SLUICE_API_KEY goes before all, then `--context`, SLUICE_CONTEXT, the stack of this checkout,
     * and the one that is in use.
     * @throws CliError where there is none
     */
    async choose(option?: string): Promise<ActiveContext> {
      const place = env['SLUICE_PLACE'];
      const chosen = await chooseContext(option);
      return place ? { ...chosen, place } : chosen;
    },
  };

  async function chooseContext(option?: string): Promise<ActiveContext> {
    const { SLUICE_API_KEY: key, SLUICE_URL: url, SLUICE_CONTEXT: variable } = env;
    const name = option ?? (variable || undefined);
    if (!key && url)
      throw usageError('SLUICE_URL needs SLUICE_API_KEY: keys of contexts are not sent to other addresses.');
    if (key && url)
      return {
        name: null,
        source: 'environment',
        url: checkUrl(url),
        tenant: null,
        place: null,
        key: async () => key,
      };
    const chosen =
      name !== undefined
        ? await named(name)
        : ((await activeStack()) ?? (await inUse(await current(), named)));
    if (!chosen)
      throw notSignedIn('You are not signed in.', key ? 'set SLUICE_URL beside SLUICE_API_KEY' : undefined);
    return key ? { ...chosen, source: 'environment', tenant: null, key: async () => key } : chosen;
  }
}

const inUse = async (name: string | undefined, read: (name: string) => Promise<ActiveContext>) =>
  name === undefined ? undefined : read(name);

/** @returns the address as it is kept, without what a credential could hide in */
export function checkUrl(text: string): string {
  const url = parsed(text);
  const isFit = url && ['http:', 'https:'].includes(url.protocol) && !url.username && !url.password;
  if (!isFit || url.search || url.hash)
    throw usageError(
      `${JSON.stringify(text)} is no address of a Main API.`,
      'give one such as https://api.example.com',
    );
  return url.href.replace(/\/$/, '');
}

function parsed(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
