import { glob, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { serviceEnvironment } from '@sluice/service';
import { format, resolveConfig } from 'prettier';
import { z } from 'zod';
import type { GeneratedFile } from './generated-file.ts';
import { markdownFile, table } from './markdown.ts';
import { repository } from './settings.ts';

/** `docs/settings.md`: the environment variables of all services, from the shapes that they are read by. */

interface Setting {
  name: string;
  description: string;
  /** undefined when the variable has to be given */
  fallback: string | undefined;
}

const valuesSchema = z.object({ enum: z.array(z.string()).optional(), const: z.string().optional() });

type Branch = z.ZodObject<Record<string, z.core.$ZodType>>;

/** The settings of one shape: those of an object, or of all branches of a union. */
export function settingsOf(shape: z.ZodType): Setting[] {
  const branches = branchesOf(shape);
  const names = new Set(branches.flatMap((branch) => Object.keys(branch.shape)));
  return [...names].map((name) => settingOf(name, branches));
}

function branchesOf(shape: z.core.$ZodType): Branch[] {
  if (shape instanceof z.ZodObject) return [shape];
  if (shape instanceof z.ZodUnion) return shape.options.flatMap(branchesOf);
  throw new Error('Settings are a zod object or a union of such.');
}

function settingOf(name: string, branches: readonly Branch[]): Setting {
  const fields = branches.flatMap((branch) => branch.shape[name] ?? []);
  const [description] = fields.flatMap((field) => z.globalRegistry.get(field)?.description ?? []);
  if (description === undefined)
    throw new Error(`${name} has no description: add .describe('…') to its shape.`);
  const values = [...new Set(fields.flatMap(valuesOf))];
  const whenAbsent = fields.map((field) => z.safeParse(field, undefined));
  return {
    name,
    description: values.length > 0 ? `${description}: ${values.map(code).join(', ')}` : description,
    fallback: whenAbsent.every(({ success }) => success) ? describe(whenAbsent[0]?.data) : undefined,
  };
}

/** The closed set of values that a setting takes; empty when there is none. */
function valuesOf(field: z.core.$ZodType): string[] {
  const schema = valuesSchema.parse(z.toJSONSchema(field, { io: 'input', unrepresentable: 'any' }));
  return schema.enum ?? (schema.const === undefined ? [] : [schema.const]);
}

function describe(fallback: unknown): string {
  if (fallback === undefined || fallback === '' || (Array.isArray(fallback) && fallback.length === 0))
    return '';
  const text = typeof fallback === 'string' ? fallback : JSON.stringify(fallback);
  return text.replace(`${repository}/`, '');
}

/**
 * The settings of a service: of the shapes that the `config.ts` in `src/`, and those of its parts further down, export
 * under names that end in `Environment`.
 */
async function settingsOfService(service: string): Promise<Setting[]> {
  const folder = join(repository, 'services', service, 'src');
  const settings: Setting[] = [];
  for await (const file of glob('**/config.ts', { cwd: folder })) {
    const exported = z.looseObject({}).parse(await import(pathToFileURL(join(folder, file)).href));
    const shapes = Object.entries(exported).flatMap(([name, value]) =>
      name.endsWith('Environment') && value instanceof z.ZodType ? [value] : [],
    );
    if (shapes.length === 0) throw new Error(`${service}: ${file} exports no zod shape named …Environment.`);
    settings.push(...shapes.flatMap(settingsOf));
  }
  return settings;
}

const code = (text: string) => `\`${text}\``;
const tableOf = (settings: readonly Setting[]) =>
  table(
    ['variable', 'meaning', 'default'],
    settings.map(({ name, description, fallback }) => [
      code(name),
      description,
      fallback === undefined ? 'required' : fallback === '' ? '' : code(fallback),
    ]),
  );

/** Whether a program reads the common settings, all of them. */
const isCommon = (common: readonly Setting[], settings: readonly Setting[]): boolean =>
  common.every(({ name }) => settings.some((setting) => setting.name === name));

/** What a service reads beyond the common settings; all, for a program that does not read those. */
function beyond(common: readonly Setting[], settings: readonly Setting[]): readonly Setting[] {
  if (!isCommon(common, settings)) return settings;
  return settings.filter(({ name }) => !common.some((setting) => setting.name === name));
}

/** `infra/src/generated/setting-names.ts`: which variables each service reads, for who starts it. */
export async function settingNames(): Promise<GeneratedFile> {
  const common = settingsOf(serviceEnvironment);
  const services = (await readdir(join(repository, 'services')))
    .filter((name) => name !== 'node-agent')
    .sort();
  const names = await Promise.all(
    services.map(async (service) => {
      const own = await settingsOfService(service);
      const settings = isCommon(common, own) ? [...common, ...own] : own;
      return [service, [...new Set(settings.map(({ name }) => name))]] as const;
    }),
  );
  const file = join(repository, 'infra/src/generated/setting-names.ts');
  const text = `/** The variables that each service reads. */
export const settingNames = ${JSON.stringify(Object.fromEntries(names))} as const;`;
  const style = await resolveConfig(file);
  return { file, text: await format(text, { ...style, filepath: file }) };
}

export async function settingsTables(): Promise<GeneratedFile> {
  const common = settingsOf(serviceEnvironment);
  const services = (await readdir(join(repository, 'services'))).sort();
  const sections = await Promise.all(
    services.map(async (service) => {
      const own = beyond(common, await settingsOfService(service));
      return own.length > 0 ? [`## ${service}`, tableOf(own)] : [];
    }),
  );
  return await markdownFile(join(repository, 'docs/settings.md'), [
    '# Settings',
    'Programs read environment variables and refuse to start with a list of all errors, without printing values. An empty variable is absent. ' +
      '`<NAME>_FILE` names a file with the value, as Docker and Kubernetes provide secrets. [Operations](operations.md) describes their use.',
    '## All services',
    'The node agent and the console, without database and NATS, read only their own sections.',
    tableOf(common),
    ...sections.flat(),
  ]);
}
