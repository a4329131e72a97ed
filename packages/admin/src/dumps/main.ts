#!/usr/bin/env node
import { ConfigError } from '@sluice/service';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { CliError, usageError } from '@sluice/terminal/errors';
import { settingsOf } from './config.ts';
import { createDumps, listDumps, restoreDump, verifyDump } from './dumps.ts';

const usage = `sluice-dumps: encrypted dumps of the databases, in a folder (DUMPS_DIR) or a bucket (DUMPS_BUCKET).

  create [<service>…]                dumps each database of DATABASE_URLS_DIR for DUMPS_RECIPIENTS
  list [<service>]
  verify <service> <name> | latest   reads it to its end, with the key DUMPS_IDENTITY
  restore <service> <name> | latest  into its database, which is empty, with that key
  new-key                            a secret key of age, with its public key`;

const say = (line: string) => process.stdout.write(`${line}\n`);

async function main([action, ...names]: readonly string[], signal: AbortSignal): Promise<void> {
  const [service = '', wanted = ''] = names;
  if (action === 'create') await createDumps(settingsOf.create(process.env), names, { say, signal });
  else if (action === 'list' && names.length <= 1)
    (await listDumps(settingsOf.list(process.env), names[0])).forEach(say);
  else if (action === 'verify' && names.length === 2)
    say(`${await verifyDump(settingsOf.verify(process.env), service, wanted)}: whole, the key opens it`);
  else if (action === 'restore' && names.length === 2)
    say(`${await restoreDump(settingsOf.restore(process.env), service, wanted)}: restored`);
  else if (action === 'new-key' && names.length === 0) {
    const identity = await generateX25519Identity();
    say(`# public key: ${await identityToRecipient(identity)}\n${identity}`);
  } else throw usageError(usage);
}

const stopping = new AbortController();
process.once('SIGTERM', () => stopping.abort(new Error('stopped by SIGTERM')));
process.once('SIGINT', () => stopping.abort(new Error('stopped by SIGINT')));
try {
  await main(process.argv.slice(2), stopping.signal);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = error instanceof CliError || error instanceof ConfigError ? 2 : 1;
}
