import {
  getConfig,
  getConfigVersion,
  getPrimaryConfig,
  listConfigVersions,
  SluiceError,
  type Config,
} from '@sluice/client';
import { notFound } from '@sluice/terminal/errors';
import type { DeploymentCall } from '../entries/entries.ts';

export interface KindFlag {
  kind?: string;
}

export interface FoundConfig {
  config: Config;
  /** for `If-Match` */
  etag: string | null;
}

const broker = 'broker';

/** What a configuration is of: of `--kind`, or as its name says. */
export const kindOf = ({ kind }: KindFlag, name = broker): string =>
  kind ?? (name.startsWith('connector:') ? nameOf(name) : broker);

/** `broker` of `broker@2` */
export const nameOf = (text: string): string => text.split('@', 1)[0] ?? '';

/** As other commands take it. */
export const titleOf = ({ name, version }: Config): string => `${name}@${version}`;

/** A version by what was written: a name, `NAME@2`, `NAME@active`, or an id. @throws CliError not found */
export async function findConfig(call: DeploymentCall, text: string, kind: string): Promise<FoundConfig> {
  try {
    const found = await read(call, text, kind);
    if (found && (/^\d+$/.test(text) || found.config.name === nameOf(text))) return found;
  } catch (error) {
    if (!(error instanceof SluiceError) || error.code !== 'not_found') throw error;
  }
  throw notFound(
    `There is no configuration ${JSON.stringify(text)} of the kind ${kind}.`,
    `sluice configs list ${call.path.path}`,
  );
}

/** The active version of a kind, of whichever name. @returns undefined before one was activated */
export async function findActive(
  { path, ...call }: DeploymentCall,
  kind: string,
): Promise<Config | undefined> {
  try {
    return (await getPrimaryConfig({ ...call, path: { ...path, config_kind: kind } })).data;
  } catch (error) {
    if (error instanceof SluiceError && error.code === 'not_found') return undefined;
    throw error;
  }
}

async function read(
  { path, ...call }: DeploymentCall,
  text: string,
  config_kind: string,
): Promise<FoundConfig | undefined> {
  const ofKind = { ...path, config_kind };
  if (/^\d+$/.test(text))
    return found(await getConfig({ ...call, path: { ...ofKind, config_id: Number(text) } }));
  const config_name = nameOf(text);
  const version = text.slice(config_name.length + 1);
  if (version === 'active') return found(await getPrimaryConfig({ ...call, path: ofKind }));
  const newest = async () => {
    const { data } = await listConfigVersions({ ...call, path: { ...ofKind, config_name } });
    return data[0]?.version;
  };
  const number = text === config_name ? await newest() : version;
  if (number === undefined || !/^\d+$/.test(String(number))) return undefined;
  return found(
    await getConfigVersion({ ...call, path: { ...ofKind, config_name, version: String(number) } }),
  );
}

const found = ({ data, response }: { data: Config; response: Response }): FoundConfig => ({
  config: data,
  etag: response.headers.get('etag'),
});
