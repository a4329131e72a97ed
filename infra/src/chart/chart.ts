import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { configTemplates } from './config.ts';
import { defaultValues } from './defaults.ts';
import type { Reference } from './images.ts';
import { cluster, controlPlane, data, regions } from './layers.ts';
import { valuesText } from './values-file.ts';
import { valuesSchema } from './values.ts';

const files = join(import.meta.dirname, 'files');

/** What Kubernetes a chart is for: docs/versions.md. */
export const kubernetesVersion = '>=1.33.0-0';

/**
 * The files of the chart, by their paths in it.
 *
 * @param references where its images are
 * @throws Error without kubectl, or when a base has what the chart has no place for
 */
export async function chartFiles(
  version: string,
  references: ReadonlyMap<string, Reference>,
): Promise<Map<string, string>> {
  const layers = {
    cluster: await cluster(),
    'control-plane': await controlPlane(),
    regions: await regions(),
    data: await data(),
  };
  const schema = z.toJSONSchema(valuesSchema, { io: 'input', target: 'draft-7' });
  const read = async (name: string) => await readFile(join(files, name), 'utf8');
  return new Map([
    ['Chart.yaml', chartYaml(version)],
    ['README.md', (await read('README.md')).replaceAll('VERSION', version)],
    ['values.yaml', valuesText(schema, await defaultValues(references))],
    ['values.schema.json', `${JSON.stringify(schema, null, 2)}\n`],
    ['templates/NOTES.txt', await read('NOTES.txt')],
    ['templates/_helpers.tpl', await read('_helpers.tpl')],
    ['templates/_settings.tpl', configTemplates()],
    ...Object.entries(layers).map(([name, { text }]): [string, string] => [`templates/${name}.yaml`, text]),
    ...Object.values(layers).flatMap((layer) => [...layer.files]),
    ...(await Promise.all(
      (await readdir(join(files, 'examples'))).map(async (name): Promise<[string, string]> => [
        `examples/${name}`,
        await read(`examples/${name}`),
      ]),
    )),
  ]);
}

const chartYaml = (version: string) =>
  [
    'apiVersion: v2',
    'name: sluice',
    'description: The control plane of a managed message-streaming service',
    'type: application',
    `version: ${version}`,
    `appVersion: ${JSON.stringify(version)}`,
    `kubeVersion: ${JSON.stringify(kubernetesVersion)}`,
    '',
  ].join('\n');
