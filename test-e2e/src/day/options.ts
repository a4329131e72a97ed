import { parseArgs } from 'node:util';
import { z } from 'zod';

export const usage = `Usage: KUBECONFIG=<file> npm run operators-day -- --registry <registry> [options]

Makes two releases of this checkout and does with them what a new operator does in a day: docs/operations/operators-day.md. The cluster has one machine,
whose ports this one reaches, and no Sluice. Needs docker, helm, kubectl, cosign, crane and oras. What was done before in the same folder is not done again.

  --registry <name>      where the releases go, such as localhost:5000
  --base <registry>      where their bases come from, as for npm run release
  --load <command>       gives an image to a cluster that cannot pull it: gets the name that manifests have, and the reference by digest
  --releases <folders>   two releases that are there, separated by a comma: none is made
  --key <cosign.pub>     with --releases: the key that they are signed with
  --folder <folder>      for the releases, the keys and the transcript (default: dist/operators-day)
  --prometheus <image>   default: prom/prometheus:v3.5.0
  --only <chapters>      those whose names begin so, separated by commas
  --page <file>          writes the transcript there
  --note <sentences>     what a reader of the transcript has to know besides
  --pause <ms>           between two requests of a client (default: 100)
  --minutes <number>     for how long a command may take (default: 45)
`;

const optionsSchema = z.object({
  registry: z.string().min(1),
  base: z.string().optional(),
  load: z.string().optional(),
  releases: z
    .string()
    .optional()
    .transform((folders) => folders?.split(',') ?? []),
  key: z.string().optional(),
  folder: z.string().default('dist/operators-day'),
  prometheus: z.string().default('prom/prometheus:v3.5.0'),
  only: z
    .string()
    .optional()
    .transform((names) => names?.split(',')),
  page: z.string().optional(),
  note: z.string().optional(),
  pause: z.coerce.number().int().min(1).default(100),
  minutes: z.coerce.number().min(1).default(45),
});
export type Options = z.output<typeof optionsSchema>;

/** @throws Error that says which option is missing or wrong */
export function readOptions(args: readonly string[]): Options {
  const names = Object.keys(optionsSchema.shape);
  const { values } = parseArgs({
    args: [...args],
    options: Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
  });
  const { data, error } = optionsSchema.safeParse(values);
  if (data === undefined) throw new Error(`${z.prettifyError(error)}\n\n${usage}`);
  return data;
}
