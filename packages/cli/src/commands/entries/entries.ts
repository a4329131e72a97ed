import type { SluiceClient } from '@sluice/client';
import type { Cli } from '../../cli.ts';
import { CliError, exitCodes, notFound } from '@sluice/terminal/errors';
import { first, type DestroyFlags } from '@sluice/terminal/options';
import type { View } from '@sluice/terminal/output';
import type { DeploymentPlace, DivisionPlace } from '../../places.ts';
import { confirm } from '../../prompts.ts';

/** What the operations of a place are called with. */
export interface Call<Path> {
  client: SluiceClient;
  path: Path;
  signal: AbortSignal;
}

export type TenantCall = Call<{ tenant_id: number }>;
export type DeploymentCall = Call<DeploymentPlace>;

export async function inTenant(cli: Cli): Promise<TenantCall> {
  const { client, tenantId } = await cli.session();
  return { client, path: { tenant_id: await tenantId() }, signal: cli.signal };
}

export async function inDivision(cli: Cli, place: string | undefined): Promise<Call<DivisionPlace>> {
  const { client, places } = await cli.session();
  return { client, path: await places.find('division', place), signal: cli.signal };
}

/** Its client is that of the deployment's region. */
export async function inDeployment(cli: Cli, place: string | undefined): Promise<DeploymentCall> {
  const { at, places } = await cli.session();
  const path = await places.find('deployment', place);
  return { client: at(path), path, signal: cli.signal };
}

/** What the commands of a noun are made of: entries with an id, and most often a name, which belong to a tenant or a deployment. */
export interface Kind<C, T, Detail = T> {
  /** the command, such as `access` */
  noun: string;
  /** what an entry is called, such as `access rule` */
  one: string;
  at: (cli: Cli, place: string | undefined) => Promise<C>;
  read: (call: C, filters: object) => AsyncIterable<T> | Promise<{ data: Iterable<T> }>;
  view: View<T>;
  id: (item: T) => number;
  /** what else it can be called by */
  name?: (item: T) => string;
  /** the whole of an entry; without it what the list has is shown */
  get?: (call: C, id: number) => Promise<{ data: Detail }>;
  detail?: View<Detail>;
  remove?: (call: C, id: number) => Promise<unknown>;
}

export interface Found<C, T> {
  call: C;
  id: number;
  item: T;
  /** as people call it */
  title: string;
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A field for people: `data_retention_usd` is `Data retention`. */
export const labelOf = (field: string): string =>
  capital(field.replace(/_(usd|enabled|limit)$/, '').replaceAll('_', ' '));

/** The verbs that most nouns have. */
export function verbsOf<C, T, Detail = T>(kind: Kind<C, T, Detail>) {
  async function* entries(call: C, filters: object): AsyncGenerator<T, void, undefined> {
    const read = kind.read(call, filters);
    yield* Symbol.asyncIterator in read ? read : (await read).data;
  }

  /** @throws CliError not found, or ambiguous with the candidates */
  async function find(cli: Cli, text: string, place?: string): Promise<Found<C, T>> {
    const call = await kind.at(cli, place);
    const named: T[] = [];
    const result = (item: T) => ({
      call,
      id: kind.id(item),
      item,
      title: `the ${kind.one} ${kind.name?.(item) ?? kind.id(item)}`,
    });
    for await (const item of entries(call, {})) {
      if (String(kind.id(item)) === text) return result(item);
      if (kind.name?.(item) === text) named.push(item);
    }
    const [item] = named;
    if (item === undefined)
      throw notFound(`There is no ${kind.one} ${JSON.stringify(text)}.`, `sluice ${kind.noun} list`);
    if (named.length === 1) return result(item);
    throw new CliError({
      exitCode: exitCodes.usage,
      message: `${JSON.stringify(text)} is the name of several:`,
      details: named.map((one) => `id ${kind.id(one)}`),
      next: 'give the id',
    });
  }

  return {
    find,

    async list(
      cli: Cli,
      place: string | undefined,
      { limit, ...filters }: { limit?: number } = {},
    ): Promise<void> {
      const call = await kind.at(cli, place);
      await cli.output.list(first(entries(call, filters), limit), kind.view);
    },

    async show(cli: Cli, text: string, place?: string): Promise<void> {
      const { call, id, item } = await find(cli, text, place);
      if (!kind.get) return cli.output.item(item, kind.view);
      const { data } = await kind.get(call, id);
      await cli.output.item(data, kind.detail ?? (kind.view as View<unknown> as View<Detail>));
    },

    async remove(cli: Cli, text: string, place: string | undefined, flags: DestroyFlags): Promise<void> {
      const { call, id, item, title } = await find(cli, text, place);
      await confirm(cli, { what: title, name: kind.name?.(item) ?? String(id) }, flags);
      await kind.remove?.(call, id);
      cli.say(capital(`${title} is deleted.`));
    },
  };
}
