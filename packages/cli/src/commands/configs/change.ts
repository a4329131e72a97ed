import {
  activateConfig,
  createConfig,
  deleteConfig,
  getConfigSchema,
  listConfigsOfKind,
  listConfigVersions,
  type Config,
} from '@sluice/client';
import type { Cli } from '../../cli.ts';
import { CliError, exitCodes, notFound } from '@sluice/terminal/errors';
import { edit as editDocument } from '../../editing.ts';
import type { DestroyFlags } from '@sluice/terminal/options';
import { confirm } from '../../prompts.ts';
import { capital, inDeployment, type DeploymentCall } from '../entries/entries.ts';
import { findActive, findConfig, kindOf, nameOf, titleOf, type KindFlag } from './find.ts';
import { notesOf } from './notes.ts';
import { view } from './read.ts';

interface EditFlags extends KindFlag {
  file?: string;
  activate?: boolean;
}

/** Makes a version of the values that a person has changed, unless there is another newest one meanwhile. */
export async function edit(
  cli: Cli,
  text: string,
  at: string | undefined,
  { file, activate = false, ...flags }: EditFlags,
): Promise<void> {
  const { path, ...call } = await inDeployment(cli, at);
  const kind = kindOf(flags, text);
  const name = nameOf(text);
  const base = await findBase({ path, ...call }, text, kind);
  const ofKind = { ...path, config_kind: kind };
  const schema = file === undefined ? (await getConfigSchema({ ...call, path: ofKind })).data : {};
  const of = base ? `version ${base.config.version}` : 'which is new';
  const editing = {
    what: `the configuration ${name} of ${path.path}, ${of}`,
    value: base?.config.values ?? {},
    notes: notesOf(schema, base?.config.values),
    file,
  };
  const created = await editDocument(cli, editing, (values) =>
    createConfig({
      ...call,
      path: ofKind,
      body: { name, values, activate },
      ...(base?.etag && { headers: { 'If-Match': base.etag } }),
    }),
  );
  if (!created) {
    if (activate && base && !base.config.primary) await makeActive(cli, { path, ...call }, base.config);
    return;
  }
  await cli.output.item(created.data, view);
  if (activate) cli.say(takenUp(kind, path.path));
  else cli.say(`Activate it: sluice configs activate ${titleOf(created.data)} ${path.path}`);
}

/** The newest version, by which a change meanwhile is noticed, with the values to begin with. Undefined for a new name. */
async function findBase(call: DeploymentCall, text: string, kind: string) {
  if (/^\d+$/.test(text))
    throw new CliError({ exitCode: exitCodes.usage, message: 'What is edited is given by its name.' });
  const newest = await findConfig(call, nameOf(text), kind).catch((error: unknown) => {
    if (error instanceof CliError && text === nameOf(text)) return undefined;
    throw error;
  });
  if (!newest || text === nameOf(text)) return newest;
  const { config } = await findConfig(call, text, kind);
  return { config, etag: newest.etag };
}

export async function activate(
  cli: Cli,
  text: string,
  at: string | undefined,
  flags: KindFlag,
): Promise<void> {
  const call = await inDeployment(cli, at);
  const { config } = await findConfig(call, text, kindOf(flags, text));
  await makeActive(cli, call, config);
}

async function makeActive(cli: Cli, { path, ...call }: DeploymentCall, config: Config): Promise<void> {
  const { kind: config_kind, name: config_name, version } = config;
  await activateConfig({ ...call, path: { ...path, config_kind, config_name, version: String(version) } });
  cli.say(`${titleOf(config)} is active. ${takenUp(config_kind, path.path)}`);
}

const takenUp = (kind: string, place: string): string =>
  kind === 'broker'
    ? `Have the nodes take it up: sluice tasks reconfigure broker ${place}`
    : 'Nodes take it up by themselves.';

/** Activates what was active last before the present one, and was not rejected by nodes. */
export async function rollback(cli: Cli, at: string | undefined, flags: KindFlag): Promise<void> {
  const call = await inDeployment(cli, at);
  const kind = kindOf(flags);
  const active = await findActive(call, kind);
  if (!active) throw notFound(`No configuration of the kind ${kind} is active.`, 'sluice configs list');
  const { path, ...rest } = call;
  const ofKind = { ...path, config_kind: kind };
  const [same, others] = await Promise.all([
    listConfigVersions({ ...rest, path: { ...ofKind, config_name: active.name } }),
    listConfigsOfKind({ ...rest, path: ofKind }),
  ]);
  const before = [...same.data, ...others.data]
    .filter(
      ({ id, activated_at, rejection }) => id !== active.id && activated_at !== null && rejection === null,
    )
    .reduce<Config | undefined>(
      (last, one) => (last && activation(last) >= activation(one) ? last : one),
      undefined,
    );
  if (!before)
    throw notFound(`No other configuration of the kind ${kind} was active before.`, 'sluice configs list');
  await makeActive(cli, call, before);
}

const activation = ({ activated_at }: Config): number => Date.parse(activated_at ?? '');

export async function destroy(
  cli: Cli,
  text: string,
  at: string | undefined,
  flags: DestroyFlags & KindFlag,
): Promise<void> {
  const call = await inDeployment(cli, at);
  const { config } = await findConfig(call, text, kindOf(flags, text));
  const title = titleOf(config);
  await confirm(cli, { what: `the configuration ${title}`, name: title }, flags);
  const { path, ...rest } = call;
  await deleteConfig({ ...rest, path: { ...path, config_kind: config.kind, config_id: config.id } });
  cli.say(capital(`the configuration ${title} is deleted.`));
}
