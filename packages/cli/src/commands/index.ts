import type { Command } from 'commander';
import type { Cli } from '../cli.ts';

/*
 * How a noun is made. `commands/<noun>.ts` has a default export `(command, cli) => void`, which adds the verbs to the Commander command
 * that is given, and a line in the table below, from which the help is written without loading anything. Errors of actions are thrown.
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
 * - `cli.output` (output/output.ts): `list(items, view)`, `item(item, view)`, `value(json)`, `raw(text)`. A `View` has columns, the fields of
 *   a single entry, and the name for `-o name`. Data goes there; words go to `cli.say(text)`, which is stderr.
 * - `options.ts`: `changes(command)` adds `--dry-run`, which needs nothing else: the first request that is no GET is shown and not sent.
 *   `destroys(command)` adds `--yes` too; call `confirm` (prompts.ts) before the request. `protectable(command)` adds `--code`; delete with
 *   `withCode` (prompts.ts). `waits(command)` adds `--wait` and `--timeout`; steps.ts shows what is waited for. `limited(command)` adds
 *   `--limit`; `first(items, limit)` ends a list. `integer`, `duration`, `list` parse values.
 * - prompts.ts also has `readSecret`: from a file, stdin or a prompt, never from arguments. files.ts has `writeSecretFile` for `--out`.
 * - errors.ts: throw `usageError(message, next)`, `notFound`, or a `CliError` with an exit code. A `SluiceError` is explained by itself: a
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

export const nouns: readonly Noun[] = [
  { name: 'login', group: 'Sign in', summary: 'Sign in with an API key', load: () => import('./login.ts') },
  {
    name: 'logout',
    group: 'Sign in',
    summary: 'Forget the key of a context',
    load: () => import('./logout.ts'),
  },
  {
    name: 'whoami',
    group: 'Sign in',
    summary: 'Show who you are, and what you may do',
    load: () => import('./whoami.ts'),
  },
  {
    name: 'context',
    group: 'Sign in',
    summary: 'Installations and who you are there',
    load: () => import('./context.ts'),
  },
  { name: 'tenants', group: 'Places', summary: 'Organizations', load: () => import('./tenants.ts') },
  {
    name: 'limits',
    group: 'Places',
    summary: 'What the plan allows, and what is used of it',
    load: () => import('./limits.ts'),
  },
  {
    name: 'plan',
    group: 'Places',
    summary: 'The plan of the tenant, and what it has',
    load: () => import('./plan.ts'),
  },
  {
    name: 'divisions',
    group: 'Places',
    summary: 'Divisions of a tenant',
    load: () => import('./divisions.ts'),
  },
  {
    name: 'environments',
    group: 'Places',
    summary: 'Environments of a division',
    load: () => import('./environments.ts'),
  },
  {
    name: 'deployments',
    group: 'Deployments',
    summary: 'Brokers: create, operate and delete them',
    load: () => import('./deployments.ts'),
  },
  {
    name: 'apply',
    group: 'Places',
    summary: 'Make the organization what a document says',
    load: () => import('./apply.ts'),
  },
  {
    name: 'diff',
    group: 'Places',
    summary: 'Show what apply would change',
    load: () => import('./diff.ts'),
  },
  {
    name: 'export',
    group: 'Places',
    summary: 'Write the organization as a document',
    load: () => import('./export.ts'),
  },
  {
    name: 'byoc',
    group: 'Deployments',
    summary: 'Deployments in your own account, or on your own machines',
    load: () => import('./byoc.ts'),
  },
  {
    name: 'nodes',
    group: 'Deployments',
    summary: 'Nodes of a deployment',
    load: () => import('./nodes.ts'),
  },
  {
    name: 'access',
    group: 'Deployments',
    summary: 'Rules by which clients may connect',
    load: () => import('./access.ts'),
  },
  {
    name: 'network',
    group: 'Deployments',
    summary: 'Addresses, peerings and private links',
    load: () => import('./network.ts'),
  },
  {
    name: 'credentials',
    group: 'Deployments',
    summary: 'The login of the clients of a deployment',
    load: () => import('./credentials.ts'),
  },
  {
    name: 'certificates',
    group: 'Deployments',
    summary: 'What a deployment proves itself by to its clients',
    load: () => import('./certificates.ts'),
  },
  {
    name: 'configs',
    group: 'Deployments',
    summary: 'Configurations of the broker and of connectors',
    load: () => import('./configs.ts'),
  },
  {
    name: 'connectors',
    group: 'Deployments',
    summary: 'What moves messages to other systems, and from them',
    load: () => import('./connectors.ts'),
  },
  {
    name: 'logs',
    group: 'Deployments',
    summary: 'Show and follow the logs of a deployment',
    load: () => import('./logs.ts'),
  },
  {
    name: 'backups',
    group: 'Deployments',
    summary: 'Copies of what brokers store, and their schedule',
    load: () => import('./backups.ts'),
  },
  {
    name: 'snapshots',
    group: 'Deployments',
    summary: 'Diagnostic reports of nodes',
    load: () => import('./snapshots.ts'),
  },
  {
    name: 'tasks',
    group: 'Deployments',
    summary: 'What nodes were given to do',
    load: () => import('./tasks.ts'),
  },
  {
    name: 'activities',
    group: 'Deployments',
    summary: 'Starts, stops and reconfigurations of nodes',
    load: () => import('./activities.ts'),
  },
  {
    name: 'streams',
    group: 'Messages',
    summary: 'Streams of a deployment',
    load: () => import('./streams.ts'),
  },
  {
    name: 'consumers',
    group: 'Messages',
    summary: 'How far the readers of a stream are',
    load: () => import('./consumers.ts'),
  },
  {
    name: 'messages',
    group: 'Messages',
    summary: 'What streams have stored',
    load: () => import('./messages.ts'),
  },
  { name: 'pub', group: 'Messages', summary: 'Publish messages', load: () => import('./pub.ts') },
  {
    name: 'sub',
    group: 'Messages',
    summary: 'Show messages as they are published',
    load: () => import('./sub.ts'),
  },
  {
    name: 'connect',
    group: 'Messages',
    summary: 'Lines by which a client connects, in six languages',
    load: () => import('./connect.ts'),
  },
  {
    name: 'members',
    group: 'People and keys',
    summary: 'Members of the tenant',
    load: () => import('./members.ts'),
  },
  {
    name: 'invitations',
    group: 'People and keys',
    summary: 'Invitations into the tenant',
    load: () => import('./invitations.ts'),
  },
  {
    name: 'join-requests',
    group: 'People and keys',
    summary: 'Who has asked to become a member',
    load: () => import('./join-requests.ts'),
  },
  {
    name: 'roles',
    group: 'People and keys',
    summary: 'What members and keys may do',
    load: () => import('./roles.ts'),
  },
  { name: 'keys', group: 'People and keys', summary: 'API keys', load: () => import('./keys.ts') },
  {
    name: 'cloud-accounts',
    group: 'People and keys',
    summary: 'Your own accounts at clouds',
    load: () => import('./cloud-accounts.ts'),
  },
  {
    name: 'channels',
    group: 'People and keys',
    summary: 'Where notifications of events go',
    load: () => import('./channels.ts'),
  },
  {
    name: 'subscriptions',
    group: 'People and keys',
    summary: 'Which events a channel gets',
    load: () => import('./subscriptions.ts'),
  },
  {
    name: 'audit',
    group: 'People and keys',
    summary: 'What was done in the tenant, by whom',
    load: () => import('./audit.ts'),
  },
  {
    name: 'doctor',
    group: 'Other',
    summary: 'Find out what is wrong, and what to do',
    load: () => import('./doctor.ts'),
  },
  {
    name: 'open',
    group: 'Other',
    summary: 'Open the console or an API description in the browser',
    load: () => import('./open.ts'),
  },
  {
    name: 'api',
    group: 'Other',
    summary: 'Call any operation of the three APIs',
    load: () => import('./api.ts'),
  },
  {
    name: 'completion',
    group: 'Other',
    summary: 'Print the completion of a shell',
    load: () => import('./completion.ts'),
  },
  {
    name: 'version',
    group: 'Other',
    summary: 'Show the releases of this program and of the server',
    load: () => import('./version.ts'),
  },
];
