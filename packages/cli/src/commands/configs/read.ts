import {
  getConfigSchema,
  listConfigs,
  listConfigsOfKind,
  listConfigVersions,
  type Config,
  type ConfigEntry,
  type ConfigRule,
} from '@sluice/client';
import { parse } from 'yaml';
import type { Cli } from '../../cli.ts';
import { CliError, exitCodes, usageError } from '@sluice/terminal/errors';
import { readText } from '../../files.ts';
import type { View } from '@sluice/terminal/output';
import { differences, differenceView, textOf, type Difference } from '../entries/differences.ts';
import { inDeployment, type DeploymentCall } from '../entries/entries.ts';
import { findActive, findConfig, kindOf, titleOf, type KindFlag } from './find.ts';

/** what the server shows in the place of a secret */
const mask = '***';

const stateOf = ({ primary, in_force, rejection }: Config): string =>
  [primary && 'active', in_force && 'in force', rejection && 'rejected'].filter(Boolean).join(', ');

export const view: View<Config> = {
  name: titleOf,
  empty: 'There is none: everything has its default. sluice configs schema shows what can be configured.',
  columns: [
    { header: 'NAME', value: titleOf },
    { header: 'KIND', value: ({ kind }) => kind },
    { header: 'STATE', value: stateOf },
    { header: 'CREATED', value: ({ created_at }) => created_at },
    { header: 'ID', value: ({ id }) => id },
    { header: 'ACTIVATED', value: ({ activated_at }) => activated_at, wide: true },
    { header: 'FOR VERSION', value: ({ runtime_version }) => runtime_version, wide: true },
    { header: 'REVALIDATE', value: ({ needs_revalidation }) => needs_revalidation, wide: true },
    { header: 'BY', value: ({ author_id }) => author_id, wide: true },
  ],
  fields: (config) => [
    ['Name', titleOf(config)],
    ['Id', config.id],
    ['Kind', config.kind],
    ['State', stateOf(config)],
    ...(config.rejection ? [['Rejected', config.rejection.reason] as const] : []),
    ['Created', config.created_at],
    ...Object.entries(config.values).map(([key, value]) => [key, textOf(value)] as const),
  ],
};

export async function list(
  cli: Cli,
  at: string | undefined,
  { kind, versionsOf: name }: KindFlag & { versionsOf?: string },
): Promise<void> {
  const { path, ...call } = await inDeployment(cli, at);
  const ofName = (config_name: string) =>
    listConfigVersions({
      ...call,
      path: { ...path, config_kind: kind ?? kindOf({}, config_name), config_name },
    });
  const { data } =
    name !== undefined
      ? await ofName(name)
      : kind !== undefined
        ? await listConfigsOfKind({ ...call, path: { ...path, config_kind: kind } })
        : await listConfigs({ ...call, path });
  await cli.output.list(data, view);
}

export async function show(cli: Cli, text: string, at: string | undefined, flags: KindFlag): Promise<void> {
  const { config } = await findConfig(await inDeployment(cli, at), text, kindOf(flags, text));
  await cli.output.item(config, view);
}

type Shown = ConfigEntry & { section: string };

const schemaView: View<Shown> = {
  name: ({ key }) => key,
  columns: [
    { header: 'KEY', value: ({ key }) => key },
    { header: 'KIND', value: ({ kind }) => kind },
    { header: 'DEFAULT', value: ({ default_value }) => textOf(default_value) },
    { header: 'RULES', value: ({ rules }) => rules.map(ruleOf).join(', ') },
    { header: 'EDITABLE', value: ({ editable }) => editable },
    { header: 'DESCRIPTION', value: ({ description }) => description },
    { header: 'SECTION', value: ({ section }) => section, wide: true },
    { header: 'NEEDS', value: ({ requirements }) => requirements.join('; '), wide: true },
  ],
};

const ruleOf = ({ rule, value, values, key }: ConfigRule): string =>
  [rule, value ?? values?.join('|') ?? key].filter((part) => part !== undefined).join(' ');

export async function schema(cli: Cli, at: string | undefined, flags: KindFlag): Promise<void> {
  const { path, ...call } = await inDeployment(cli, at);
  const { data } = await getConfigSchema({ ...call, path: { ...path, config_kind: kindOf(flags) } });
  const entries = Object.entries(data).flatMap(([section, { schema: its }]) =>
    its.map((entry): Shown => ({ section, ...entry })),
  );
  await cli.output.list(entries, schemaView);
}

/** From the first to the other one or the file; without either from the active one to the first. */
export async function diff(
  cli: Cli,
  text: string,
  at: string | undefined,
  { with: other, file, ...flags }: KindFlag & { with?: string; file?: string },
): Promise<void> {
  if (other !== undefined && file !== undefined)
    throw usageError('There is one thing to compare with.', 'pass --with or --file');
  const call = await inDeployment(cli, at);
  const kind = kindOf(flags, text);
  const values = async (one: string) => (await findConfig(call, one, kind)).config.values;
  const first = await values(text);
  const [from, to] =
    file !== undefined
      ? [first, valuesOf(await readText(cli, file, '--file'))]
      : other !== undefined
        ? [first, await values(other)]
        : [(await findActive(call, kind))?.values ?? {}, first];
  if (JSON.stringify([from, to]).includes(`"${mask}"`)) cli.say('Values of secrets are not compared.');
  const secrets = file === undefined ? new Set<string>() : await secretsOf(call, kind);
  const found = differences(from, to).flatMap((one) => withoutSecret(one, secrets));
  await cli.output.list(found, differenceView);
}

/** The keys of secrets, which a file can have as they are. */
async function secretsOf({ path, ...call }: DeploymentCall, config_kind: string): Promise<Set<string>> {
  const { data } = await getConfigSchema({ ...call, path: { ...path, config_kind } });
  const entries = Object.values(data).flatMap(({ schema: its }) => its);
  return new Set(entries.filter(({ secret }) => secret).map(({ key }) => key));
}

/** A secret on both sides is no difference that is known, and one that is new is not shown. */
function withoutSecret(one: Difference, secrets: ReadonlySet<string>): Difference[] {
  const { key, from, to } = one;
  if (from !== mask && to !== mask && !secrets.has(key.split('.').at(-1) ?? '')) return [one];
  if (from !== undefined && to !== undefined) return [];
  return [{ key, ...(from !== undefined && { from: mask }), ...(to !== undefined && { to: mask }) }];
}

function valuesOf(text: string): unknown {
  try {
    return parse(text) as unknown;
  } catch (error) {
    throw new CliError({
      exitCode: exitCodes.badInput,
      message: `--file: this is neither YAML nor JSON: ${(error as Error).message.split('\n')[0]}`,
    });
  }
}
