import { Option, type Command } from 'commander';
import { usageError } from '@sluice/terminal/errors';
import { fieldsOf, type FieldTable } from '../entries/fields.ts';
import type { CloudCommands, CloudOption } from './cloud.ts';
import { cloudA } from './cloud-a.ts';
import { cloudB } from './cloud-b.ts';

const clouds: Readonly<Record<string, CloudCommands>> = { cloud_a: cloudA, cloud_b: cloudB };

type OptionsOf = (cloud: CloudCommands) => readonly CloudOption[];

/** @throws CliError 2 for a cloud that this program does not know */
export function cloudOf(name: string): CloudCommands {
  const cloud = Object.hasOwn(clouds, name) ? clouds[name] : undefined;
  if (cloud) return cloud;
  throw usageError(`There is no cloud ${name}.`, `give one of ${Object.keys(clouds).join(', ')}`);
}

/** `the account on cloud_a, the project on cloud_b`. */
export const accounts = (article: string): string =>
  Object.entries(clouds)
    .map(([name, { account }]) => `${article} ${account} on ${name}`)
    .join(', ');

/**
 * Adds the options of each cloud, each once. The help says which clouds take one, unless all do.
 * @param what what the options are of, such as `peering`
 */
export function addCloudOptions(command: Command, optionsOf: OptionsOf, what = ''): Command {
  const found = new Map<string, { names: string[]; option: CloudOption }>();
  for (const [name, cloud] of Object.entries(clouds))
    for (const option of optionsOf(cloud)) {
      const { names } = found.get(option[0]) ?? { names: [] };
      found.set(option[0], { names: [...names, name], option });
    }
  // what several take comes last
  for (const { names, option } of [...found.values()].sort((a, b) => a.names.length - b.names.length)) {
    const [flags, description, parse] = option;
    const on = names.length === Object.keys(clouds).length ? '' : names.join(', ');
    const title = [what, on].filter(Boolean).join(' on ');
    const added = new Option(flags, title ? `${title}: ${description}` : description);
    command.addOption(parse ? added.argParser(parse) : added);
  }
  return command;
}

/** Of what a command was given: the options of any cloud, by the names under which Commander keeps them. */
export function cloudOptionsIn(flags: object, optionsOf: OptionsOf): Record<string, unknown> {
  const options = Object.values(clouds).flatMap((cloud) => optionsOf(cloud));
  const names = new Set(options.map(([text]) => new Option(text).attributeName()));
  return Object.fromEntries(Object.entries(flags).filter(([name]) => names.has(name)));
}

/** Fields of a request from options, by the table of its cloud. */
export const cloudFields = (
  what: string,
  cloud: string,
  tableOf: (cloud: CloudCommands) => FieldTable,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> => fieldsOf(`${what} on ${cloud}`, tableOf(cloudOf(cloud)), given);
