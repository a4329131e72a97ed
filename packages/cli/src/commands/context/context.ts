import type { Cli } from '../../cli.ts';
import { localName } from '../../context/contexts.ts';
import { notFound, usageError } from '@sluice/terminal/errors';
import { segmentsOf } from '@sluice/apply/place-path';
import type { View } from '@sluice/terminal/output';

interface Shown {
  name: string | null;
  /** whether commands run in it */
  current: boolean;
  url: string;
  tenant: { id: number; name?: string } | null;
  place: string | null;
  /** where its key is */
  key: 'keyring' | 'file' | 'stack' | 'environment';
}

const view: View<Shown> = {
  name: ({ name }) => name ?? '',
  empty: 'There is no context. Make one: sluice login',
  columns: [
    { header: 'CURRENT', value: ({ current }) => (current ? '*' : '') },
    { header: 'NAME', value: ({ name }) => name },
    { header: 'ADDRESS', value: ({ url }) => url },
    { header: 'TENANT', value: ({ tenant }) => tenant && (tenant.name ?? tenant.id) },
    { header: 'PLACE', value: ({ place }) => place },
    { header: 'KEY', value: ({ key }) => key },
  ],
};

export async function list(cli: Cli): Promise<void> {
  const contexts = await cli.contexts();
  const stored: Shown[] = (await contexts.list()).map((one) => ({ ...one, current: false }));
  const stack = await contexts.stack();
  if (stack && !stored.some(({ name }) => name === localName))
    stored.push({
      name: localName,
      current: false,
      url: stack.url,
      tenant: stack.tenant,
      place: null,
      key: 'stack',
    });
  const current = await contexts.choose(cli.options.context).catch(() => undefined);
  await cli.output.list(
    stored.map((one) => ({ ...one, current: one.name === current?.name })),
    view,
  );
  if (current?.source === 'environment') cli.say('Commands use the key in SLUICE_API_KEY.');
}

export async function show(cli: Cli, name: string | undefined): Promise<void> {
  const contexts = await cli.contexts();
  const current = await contexts.choose(cli.options.context).catch((error: unknown) => {
    if (name === undefined) throw error;
    return undefined;
  });
  if (name === undefined || name === current?.name) {
    if (!current) return;
    const { source, ...rest } = current;
    const stored =
      source === 'context' && current.name !== null ? await contexts.find(current.name) : undefined;
    const key = stored?.key ?? (source === 'stack' ? 'stack' : 'environment');
    await cli.output.item<Shown>(
      { name: rest.name, current: true, url: rest.url, tenant: rest.tenant, place: rest.place, key },
      view,
    );
    return;
  }
  const stored = await contexts.get(name);
  await cli.output.item<Shown>(
    { name, current: false, url: stored.url, tenant: stored.tenant, place: stored.place, key: stored.key },
    view,
  );
}

export async function use(
  cli: Cli,
  name: string | undefined,
  { place }: { place?: string | false },
): Promise<void> {
  const contexts = await cli.contexts();
  const wanted = name ?? (await contexts.current());
  if (wanted === undefined) throw usageError('Which context?', 'sluice context list');
  if (name === undefined && place === undefined)
    throw usageError('What shall change?', 'name a context, or pass --place');
  if (!(await contexts.find(wanted))) {
    if (wanted === localName && (await contexts.stack()))
      throw usageError(
        'Commands in this checkout run in the context local anyway.',
        'set SLUICE_PLACE for a default place',
      );
    throw notFound(`There is no context ${JSON.stringify(wanted)}.`, 'sluice context list');
  }
  if (place !== undefined)
    await contexts.change(wanted, { place: place === false ? null : await existing(cli, wanted, place) });
  if (name !== undefined) await contexts.use(wanted);
  const now = (await contexts.get(wanted)).place;
  cli.say(
    `The context ${wanted}${now === null ? '' : ` with the place ${now}`} is ${name === undefined ? 'changed' : 'in use'}.`,
  );
  const active = await contexts.choose().catch(() => undefined);
  if (active?.name !== wanted)
    cli.say(`Here goes before it: ${active?.name ?? 'the key in SLUICE_API_KEY'}. Pass --context ${wanted}.`);
}

/** A place as it is written in full. */
async function existing(cli: Cli, context: string, place: string): Promise<string> {
  const { openSession } = await import('../../session.ts');
  const { places } = await openSession({ ...cli, options: { ...cli.options, context }, output: cli.output });
  const kind = (['division', 'environment', 'deployment'] as const)[segmentsOf(place).length - 1];
  if (!kind) throw usageError(`--place ${place} is no place.`, 'write it such as payments/dev');
  return (await places.find(kind, place)).path;
}

export async function remove(cli: Cli, name: string): Promise<void> {
  await (await cli.contexts()).remove(name);
  cli.say(`The context ${name} and its key are forgotten.`);
}
