import { getCertificates, rotateCertificates, waitFor, type Certificates } from '@sluice/client';
import type { Cli } from '../../cli.ts';
import { notFound } from '@sluice/terminal/errors';
import { writeSecretFile } from '../../files.ts';
import type { WaitFlags } from '@sluice/terminal/options';
import type { View } from '@sluice/terminal/output';
import { inDeployment } from '../entries/entries.ts';
import { withSteps } from '../entries/with-steps.ts';

const view: View<Certificates> = {
  name: ({ serial }) => serial ?? '',
  columns: [],
  fields: ({ serial, not_before, not_after, authority }) => [
    ['Serial', serial],
    ['Valid from', not_before],
    ['Valid until', not_after],
    ['Authorities', authority?.match(/-----BEGIN CERTIFICATE-----/g)?.length ?? 0],
  ],
};

export async function show(cli: Cli, at: string | undefined): Promise<void> {
  await cli.output.item((await getCertificates(await inDeployment(cli, at))).data, view);
}

export async function authority(cli: Cli, at: string | undefined, { out }: { out?: string }): Promise<void> {
  const call = await inDeployment(cli, at);
  const { data } = await getCertificates(call);
  if (data.authority === null)
    throw notFound(`${call.path.path} has no certificate yet.`, `sluice deployments wait ${call.path.path}`);
  if (out === undefined) return cli.output.raw(data.authority);
  await writeSecretFile(out, data.authority);
  cli.say(`The certificates are in ${out}.`);
}

export async function rotate(cli: Cli, at: string | undefined, { wait, timeout }: WaitFlags): Promise<void> {
  const call = await inDeployment(cli, at);
  const before = (await getCertificates(call)).data.serial;
  await rotateCertificates(call);
  if (!wait) return cli.say(`${call.path.path} gets another certificate. It is ${before} now.`);
  const { client, path, signal } = call;
  const after = await withSteps(cli, (steps) =>
    waitFor<Certificates>(
      (look) => getCertificates({ ...look, path }),
      ({ serial }) => serial !== before,
      { client, signal, timeoutMs: timeout, onProgress: ({ serial }) => steps.now(`certificate ${serial}`) },
    ),
  );
  await cli.output.item(after, view);
}
