import { Command, Option } from 'commander';
import type { Cli } from '../../cli.ts';
import { usageError } from '@sluice/terminal/errors';
import { gather } from '@sluice/terminal/options';
import { operationById, operationsOf, type Field, type Operation } from '../../operations.ts';
import { flagOf, request, type CallFlags } from './request.ts';

const methods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'];

/** Finds the operation, reads the options that it has, and calls it. */
export async function callOperation(
  cli: Cli,
  parent: Command,
  name: string,
  rest: readonly string[],
): Promise<void> {
  const byPath = methods.includes(name.toUpperCase());
  const [path = '', ...others] = rest;
  if (byPath && !path.startsWith('/')) throw usageError(`sluice api ${name} needs a path, such as /context.`);
  const { operation, given } = byPath ? operationAt(name.toUpperCase(), path, others) : named(name);
  const command = commandFor(operation, parent, given);
  let flags: CallFlags | undefined;
  command.action((options: CallFlags) => {
    flags = options;
  });
  await command.parseAsync([...(byPath ? others : rest)], { from: 'user' });
  if (flags) await request(cli, operation, { ...flags, ...given });
}

function named(name: string): { operation: Operation; given: Partial<CallFlags> } {
  const operation = operationById(name);
  if (!operation)
    throw usageError(`There is no operation ${JSON.stringify(name)}.`, `sluice api list ${name}`);
  return { operation, given: {} };
}

/** The operation of a path in which ids are written out or left as `{tenant_id}`. A path of the query is kept. */
function operationAt(
  method: string,
  text: string,
  rest: readonly string[],
): { operation: Operation; given: Partial<CallFlags> } {
  const url = new URL(text, 'http://any.invalid');
  const path = decodeURI(url.pathname);
  const fitting = operationsOf(method, path);
  const layer = rest[rest.indexOf('--layer') + 1];
  const operation =
    fitting.length > 1 && rest.includes('--layer') ? fitting.find((one) => one.layer === layer) : fitting[0];
  if (!operation)
    throw usageError(
      `There is no operation ${method} ${path}.`,
      `sluice api list ${path.split('/').at(-1) ?? ''}`,
    );
  const isKnown = (name: string) =>
    operation.parameters.some((parameter) => parameter.in === 'query' && parameter.name === name);
  const foreign = [...url.searchParams.keys()].find((name) => !isKnown(name));
  if (foreign !== undefined)
    throw usageError(
      `${operation.id} takes no ${foreign} in its query.`,
      `sluice api ${operation.id} --help`,
    );
  const wanted = operation.path.split('/');
  const ids = path
    .split('/')
    .flatMap((segment, at): [string, string][] =>
      wanted[at]?.startsWith('{') && segment !== wanted[at] ? [[wanted[at].slice(1, -1), segment]] : [],
    );
  return { operation, given: { fixed: Object.fromEntries([...ids, ...url.searchParams]) } };
}

function commandFor(operation: Operation, parent: Command, { fixed = {} }: Partial<CallFlags>): Command {
  const { method, path, summary, description, permission, body, layer } = operation;
  const command = new Command(`sluice api ${operation.id}`)
    .copyInheritedSettings(parent)
    .helpOption('-h, --help', 'show this');
  command.description(
    `${summary}.\n\n${method} ${path} (${layer})${permission ? `\nNeeds ${permission}.` : ''}\n\n${description}`.trim(),
  );
  for (const parameter of operation.parameters) {
    if (fixed[parameter.name] !== undefined || isOurs(operation, parameter.name)) continue;
    const option = new Option(`--${flagOf(parameter.name)} <value>`, wordsOf(parameter));
    command.addOption(parameter.values ? option.choices(parameter.values) : option);
  }
  if (operation.path.includes('{division_id}') || operation.path.includes('{deployment_id}'))
    command.option('--place <place>', 'the division, environment or deployment whose ids the path takes');
  if (body) {
    command
      .option('--body <file>', 'the body as JSON or YAML: a file, or - for stdin')
      .option(
        '-f, --field <name=value>',
        'a field of the body; a.b is within a, and JSON is read as such',
        gather,
        [],
      )
      .addHelpText('after', helpOfBody(body));
  }
  if (operation.paged) command.option('--all', 'all pages');
  if (layer === 'supervisor' && !operation.path.includes('{deployment_id}'))
    command.option('--region <cloud/region>', 'the region to ask, such as cloud_a/us-east-1');
  command.addOption(new Option('--layer <layer>').choices(['main-api', 'supervisor', 'audit']).hideHelp());
  command
    .option('--out <file>', 'write the answer to this file, which only you can read')
    .option('-i, --include', 'say on stderr the status and the headers of the answer');
  return command;
}

/** The region of an operation that names no deployment is ours to find; the program makes keys for repetition by itself. */
const isOurs = ({ layer, path }: Operation, name: string): boolean =>
  name === 'Idempotency-Key' || (layer === 'supervisor' && name === 'region' && !path.includes('{region}'));

const wordsOf = ({ description, required }: Field): string =>
  `${description}${required ? ' (required)' : ''}`;

function helpOfBody({ required, fields, example }: NonNullable<Operation['body']>): string {
  const width = Math.max(0, ...fields.map(({ name }) => name.length)) + 2;
  const lines = fields.map(
    (field) =>
      `  ${field.name.padEnd(width)}${wordsOf(field)}${field.values ? ` (${field.values.join(', ')})` : ''}`,
  );
  const shown = example === undefined ? '' : `\n\nExample:\n  --body - <<< '${JSON.stringify(example)}'`;
  return `\nFields of the body${required ? '' : ', which can be left out'}:\n${lines.join('\n')}${shown}`;
}
