import type { Command } from 'commander';
import type { Cli } from '../cli.ts';

/*
 * How a noun is made. `commands/<noun>.ts` has a default export `(command, cli) => void`, which adds the verbs to the Commander command
 * that is given, and a line in the table of index.ts, from which the help is written without loading anything. Errors of actions are thrown.
 *
 *   export default function backups(command: Command, cli: Cli): void {
 *     command.command('list').description('List the backups of a deployment').argument('[deployment]', 'its place')
 *       .action(async (place: string | undefined) => {
 *         const { client, places } = await cli.session();
 *         const { deployment_id } = await places.find('deployment', place);
 *         await cli.output.list(paginate(listBackups, { client, path: { deployment_id }, signal: cli.signal }), view);
 *       });
 *   }
 *
 * Entries with an id that belong to a tenant or a deployment: `addVerbs` (verbs.ts) adds list, show and delete, and `verbsOf`
 * (entries/entries.ts) makes what they do, from the operations and a view.
 *
 * - `cli.session()` (session.ts): `client` of all layers, `places.find('division' | 'environment' | 'deployment', text)` with the ids of the
 *   place and of what is around it, `tenantId()`, `at(place)` (the client for a deployment's region, which saves a look-up).
 * - `cli.output` (@sluice/terminal/output): `list(items, view)`, `item(item, view)`, `value(json)`, `raw(text)`. A `View` has columns, the fields of
 *   a single entry, and the name for `-o name`. Data goes there; words go to `cli.say(text)`, which is stderr.
 * - `@sluice/terminal/options`: `changes(command)` adds `--dry-run`, which needs nothing else: the first request that is no GET is shown and not sent.
 *   `destroys(command)` adds `--yes` too; call `confirm` (prompts.ts) before the request. `protectable(command)` adds `--code`; delete with
 *   `withCode` (prompts.ts). `waits(command)` adds `--wait` and `--timeout`; steps.ts shows what is waited for. `limited(command)` adds
 *   `--limit`; `first(items, limit)` ends a list. `integer`, `duration`, `list` parse values.
 * - editing.ts: `edit` has a document changed in an editor or by `--file`. entries/fields.ts: `fieldsOf` for requests of which each cloud has
 *   other fields. entries/differences.ts shows what differs. entries/endless.ts for output without an end.
 * - `docs/cli/<noun>.md` is generated from the verbs, their options, and the transcript in `packages/cli/examples`, which a test runs.
 * - prompts.ts also has `readSecret`: from a file, stdin or a prompt, never from arguments. files.ts has `writeSecretFile` for `--out`.
 * - `@sluice/terminal/errors`: throw `usageError(message, next)`, `notFound`, or a `CliError` with an exit code. A `SluiceError` is explained by itself: a
 *   field of the body named `a/b` is shown as `--a-b` or `--b` where the command has that option.
 */

/** Adds the verbs of a noun. */
export type Build = (command: Command, cli: Cli) => void;

export interface Noun {
  name: string;
  summary: string;
  group: (typeof groups)[number];
  isHidden?: boolean;
  load: () => Promise<{ default: Build }>;
}

export const groups = ['Sign in', 'Places', 'Deployments', 'Messages', 'People and keys', 'Other'] as const;
