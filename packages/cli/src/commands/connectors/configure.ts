import { createConfig, getConfigSchema, type ConfigEntry } from '@sluice/client';
import type { Cli } from '../../cli.ts';
import { edit } from '../../editing.ts';
import { CliError, usageError } from '@sluice/terminal/errors';
import { readSecret, shownSecret } from '../../prompts.ts';
import { findConfig } from '../configs/find.ts';
import { notesOf } from '../configs/notes.ts';
import { view } from '../configs/read.ts';
import { connectors } from './connectors.ts';

interface ValueFlags {
  streams?: string[];
  set?: string[];
  secret?: string[];
  secretFile?: string[];
  secretEnv?: string[];
}

interface Flags extends ValueFlags {
  file?: string;
  on?: boolean;
  off?: boolean;
}

type Values = Record<string, unknown>;

/** Stores a version of the configuration of a connector and activates it: nodes take it up by themselves. */
export async function configure(
  cli: Cli,
  text: string,
  at: string | undefined,
  { file, on = false, off = false, ...flags }: Flags,
): Promise<void> {
  const isSet = Object.keys(flags).length > 0 || on || off;
  if (isSet && file !== undefined) throw usageError('--file has all values.', 'leave the other options out');
  const { call, item, title } = await connectors.find(cli, text, at);
  const kind = `connector:${item.connector_type}:${item.key}`;
  const { path, ...rest } = call;
  const ofKind = { ...path, config_kind: kind };
  const base = await findConfig(call, kind, kind).catch((error: unknown) => {
    if (error instanceof CliError) return undefined;
    throw error;
  });
  const before: Values = base?.config.values ?? {};
  const { data: schema } = await getConfigSchema({ ...rest, path: ofKind });
  const send = (values: Values) =>
    createConfig({
      ...rest,
      path: ofKind,
      body: { values, activate: true },
      ...(base?.etag && { headers: { 'If-Match': base.etag } }),
    });
  const changed = async () => ({
    ...before,
    ...(flags.streams && { streams: streamsOf(before, flags.streams) }),
    ...(await pluginOf(cli, before, schema['plugin_config']?.schema ?? [], flags)),
    ...((on || off) && { enabled: on }),
  });
  const made = isSet
    ? await send(await changed())
    : await edit(
        cli,
        { what: `${title} of ${path.path}`, value: before, notes: notesOf(schema, before), file },
        send,
      );
  if (!made) return;
  await cli.output.item(made.data, view);
  cli.say(`It is active. What comes of it: sluice connectors show ${item.key} ${path.path}`);
}

function streamsOf(before: Values, names: readonly string[]): Values[] {
  const known = (before['streams'] ?? []) as Values[];
  return names.map((stream) => known.find((one) => one['stream'] === stream) ?? { stream });
}

/** The values of the plugin with those that are given. */
async function pluginOf(
  cli: Cli,
  before: Values,
  entries: readonly ConfigEntry[],
  { set = [], secret = [], secretFile = [], secretEnv = [] }: ValueFlags,
): Promise<Values> {
  if ([...set, ...secret, ...secretFile, ...secretEnv].length === 0) return {};
  const values: Values = { ...(before['plugin_config'] as Values | undefined) };
  for (const one of set) {
    const [name, value] = pairOf('--set', one);
    if (entries.some(({ key, secret: isSecret }) => isSecret && key === name))
      throw usageError(
        `--set: ${name} is a secret, and others can see the arguments of a command.`,
        `pass --secret ${name}, --secret-file ${name}=FILE or --secret-env ${name}=VARIABLE`,
      );
    values[name] = valueOf(value);
  }
  for (const one of secretFile) {
    const [name, file] = pairOf('--secret-file', one);
    values[name] = await readSecret(cli, { message: name, file, flag: '--secret-file' });
  }
  for (const one of secretEnv) {
    const [name, variable] = pairOf('--secret-env', one);
    const value = cli.io.env[variable];
    if (!value) throw usageError(`--secret-env: the variable ${variable} is not set.`);
    values[name] = shownSecret(cli, value);
  }
  for (const name of secret)
    values[name] = await readSecret(cli, { message: name, flag: `--secret-file ${name}=` });
  return { plugin_config: values };
}

function pairOf(flag: string, text: string): [name: string, value: string] {
  const at = text.indexOf('=');
  if (at < 1) throw usageError(`${flag} ${text}: it has to be name=value.`);
  return [text.slice(0, at), text.slice(at + 1)];
}

/** JSON is read as such; anything else is text. */
function valueOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
