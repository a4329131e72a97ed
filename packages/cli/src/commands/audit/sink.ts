import {
  deleteAuditSink,
  getAuditSink,
  putAuditSink,
  SluiceError,
  testAuditSink,
  type AuditSink,
  type AuditSinkTest,
} from '@sluice/client';
import type { Cli } from '../../cli.ts';
import { edit as editDocument } from '../../editing.ts';
import { CliError, exitCodes, notFound } from '@sluice/terminal/errors';
import type { DestroyFlags } from '@sluice/terminal/options';
import type { View } from '@sluice/terminal/output';
import { confirm } from '../../prompts.ts';
import { inTenant } from '../entries/entries.ts';

const destinationOf = ({ https, s3 }: AuditSink): string =>
  https?.url ?? [s3?.endpoint, s3?.bucket, s3?.prefix].filter(Boolean).join(' ');

const view: View<AuditSink> = {
  name: destinationOf,
  columns: [],
  fields: (sink) => [
    ['Kind', sink.kind],
    ['Destination', destinationOf(sink)],
    ['Enabled', sink.enabled],
    ['Sent every', `${sink.interval_seconds} s`],
    ['State', sink.status.state],
    ['Last entry', sink.status.position],
    ['Waiting', sink.status.behind],
    ['Delivered', sink.status.delivered],
    ['Missed', sink.status.missed],
    ['Last delivery', sink.status.last_delivery_at],
    ['Failing since', sink.status.failing_since],
    ['Next attempt', sink.status.next_attempt_at],
    ['Last error', sink.status.last_error],
  ],
};

async function find(cli: Cli): Promise<AuditSink | undefined> {
  try {
    return (await getAuditSink(await inTenant(cli))).data;
  } catch (error) {
    if (error instanceof SluiceError && error.code === 'not_found') return undefined;
    throw error;
  }
}

async function get(cli: Cli): Promise<AuditSink> {
  const sink = await find(cli);
  if (sink) return sink;
  throw notFound('The log is sent nowhere.', 'sluice audit sink edit');
}

export async function show(cli: Cli): Promise<void> {
  await cli.output.item(await get(cli), view);
}

const notes = [
  'Exactly one of https (url, headers, format, signing_secret, tls_ca) and',
  's3 (bucket, access_key_id, secret_access_key, endpoint, region, prefix, path_style, tls_ca).',
  '*** keeps a secret as long as the destination stays.',
];

export async function edit(cli: Cli, { file }: { file?: string }): Promise<void> {
  const before = await find(cli);
  const { enabled = true, interval_seconds = 10, https, s3 } = before ?? {};
  const value = { enabled, interval_seconds, ...(https && { https }), ...(s3 && { s3 }) };
  const call = await inTenant(cli);
  const what = before ? 'the audit sink' : 'an audit sink, which is new';
  const done = await editDocument(cli, { what, value, notes, file }, (body) =>
    putAuditSink({ ...call, body }),
  );
  if (done) await cli.output.item(await get(cli), view);
}

const testView: View<AuditSinkTest> = {
  name: ({ taken }) => String(taken),
  columns: [
    { header: 'Taken', value: ({ taken }) => taken },
    { header: 'Reason', value: ({ reason }) => reason },
  ],
};

/** @throws CliError 1 where the sink does not take it */
export async function test(cli: Cli): Promise<void> {
  const { data } = await testAuditSink(await inTenant(cli));
  await cli.output.item(data, testView);
  if (!data.taken)
    throw new CliError({
      exitCode: exitCodes.unexpected,
      message: `The sink has not taken it: ${data.reason ?? 'no reason is known'}.`,
    });
}

export async function destroy(cli: Cli, flags: DestroyFlags): Promise<void> {
  const destination = destinationOf(await get(cli));
  await confirm(cli, { what: `the audit sink ${destination}`, name: destination }, flags);
  await deleteAuditSink(await inTenant(cli));
  cli.say('The log is sent nowhere any more.');
}
