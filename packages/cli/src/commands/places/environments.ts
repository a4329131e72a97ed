import {
  createEnvironment,
  deleteEnvironment,
  getEnvironment,
  listEnvironments,
  paginate,
  updateEnvironment,
  type Environment,
} from '@sluice/client';
import type { Cli } from '../../cli.ts';
import { usageError } from '@sluice/terminal/errors';
import { first, type DestroyFlags } from '@sluice/terminal/options';
import type { View } from '@sluice/terminal/output';
import { nameOf, pathOf, segmentsOf } from '@sluice/apply/place-path';
import type { DivisionPlace } from '../../places.ts';
import { confirm, withCode } from '../../prompts.ts';
import { changesOf, textsOf, type EditFlags } from './edits.ts';
import { changedLabels, labelFilter, labelsOf, labelText, type LabelFlags } from './labels.ts';

type Shown = Environment & { place: string };

const view: View<Shown> = {
  name: ({ place }) => place,
  empty: 'There is no environment that you may see. Create one: sluice environments create DIVISION/NAME',
  columns: [
    { header: 'PLACE', value: ({ place }) => place },
    { header: 'ID', value: ({ id }) => id },
    { header: 'DESCRIPTION', value: ({ description }) => description },
    { header: 'PROTECTED', value: (environment) => environment.protected },
    { header: 'LABELS', value: ({ labels }) => labelText(labels), wide: true },
    { header: 'CREATED', value: ({ created_at }) => created_at, wide: true },
  ],
};

export async function list(
  cli: Cli,
  division: string | undefined,
  { limit, ...flags }: LabelFlags & { limit?: number },
): Promise<void> {
  const { places, context } = await cli.session();
  const at = division ?? context.place?.split('/')[0];
  const divisions = at === undefined ? await places.list('division') : [await places.find('division', at)];
  await cli.output.list(first(environmentsOf(cli, divisions, flags), limit), view);
}

async function* environmentsOf(
  cli: Cli,
  divisions: readonly DivisionPlace[],
  flags: LabelFlags,
): AsyncGenerator<Shown, void, undefined> {
  const { client } = await cli.session();
  for (const division of divisions)
    for await (const environment of paginate(listEnvironments, {
      client,
      path: division,
      query: labelFilter(flags),
      signal: cli.signal,
    }))
      yield { ...environment, place: `${division.path}/${pathOf(environment.name)}` };
}

export async function show(cli: Cli, at: string | undefined): Promise<void> {
  const { client, places } = await cli.session();
  const place = await places.find('environment', at);
  const { data } = await getEnvironment({ client, path: place, signal: cli.signal });
  await cli.output.item({ ...data, place: place.path }, view);
}

export async function create(
  cli: Cli,
  at: string,
  { description, ...flags }: LabelFlags & { description?: string },
): Promise<void> {
  const { client, places } = await cli.session();
  const segments = segmentsOf(at);
  const last = segments.pop();
  if (last === undefined || segments.length > 1)
    throw usageError(`${at} is no place of an environment.`, 'write it such as payments/dev');
  const name = nameOf(last);
  const division = await places.find('division', segments[0]);
  const { data } = await createEnvironment({
    client,
    path: division,
    body: { name, ...textsOf({ description }), ...labelsOf(flags) },
  });
  await cli.output.item({ ...data, place: `${division.path}/${pathOf(name)}` }, view);
}

export async function edit(cli: Cli, at: string | undefined, flags: EditFlags): Promise<void> {
  const { client, places } = await cli.session();
  const body = changesOf(flags);
  const place = await places.find('environment', at);
  const labels = await changedLabels(flags, () =>
    getEnvironment({ client, path: place, signal: cli.signal }),
  );
  await updateEnvironment({ client, path: place, ...labels, body: { ...body, ...labels.body } });
  cli.say(`The environment ${place.path} is changed.`);
}

export async function destroy(cli: Cli, at: string, flags: DestroyFlags): Promise<void> {
  const { client, places } = await cli.session();
  const place = await places.find('environment', at);
  const { tenant_id, division_id, environment_id } = place;
  await confirm(cli, { what: `the environment ${place.path}`, name: place.path }, flags);
  const about = {
    action: {
      action_type: 'delete_environment' as const,
      payload: { tenant_id, division_id, environment_id },
    },
  };
  await withCode(cli, { tenantId: tenant_id, about }, flags, (code) =>
    deleteEnvironment({ client, path: place, ...(code !== undefined && { query: { code } }) }),
  );
  cli.say(`The environment ${place.path} is deleted.`);
}
