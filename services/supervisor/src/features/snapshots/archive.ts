import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import type { Database } from '@sluice/region-store/tables';
import type { Deployment } from '@sluice/region-store/deployments.store';
import { readPieces, type Snapshot } from '@sluice/region-store/snapshots.store';
import { findingsOf } from '@sluice/diagnostics/findings';
import { renderReport } from '@sluice/diagnostics/report/report';

/** The ZIP of a snapshot that is complete: the report for people, the same as data, and with `includesBroker` what the broker stores. */
export function archiveOf(
  database: Database,
  deployment: Deployment,
  snapshot: Snapshot,
  includesBroker: boolean,
): AsyncIterable<Uint8Array> {
  const findings = findingsOf(deployment, snapshot, includesBroker);
  const zip = new ZipFile();
  // its reader gets an error; no other is affected
  zip.on('error', (error) => (zip.outputStream as Readable).destroy(error as Error));
  const options = { mtime: snapshot.completed_at ?? snapshot.created_at };
  zip.addBuffer(Buffer.from(renderReport(findings)), 'report.html', options);
  zip.addBuffer(Buffer.from(JSON.stringify(findings, null, 2)), 'findings.json', options);
  if (includesBroker) addBroker(zip, database, snapshot, options);
  zip.end();
  return zip.outputStream as Readable;
}

/** A piece after the other as the client takes them: none is held longer. */
function addBroker(zip: ZipFile, database: Database, snapshot: Snapshot, options: { mtime: Date }): void {
  const size = snapshot.archive_bytes;
  zip.addReadStreamLazy('broker-data.zip', { ...options, size, compress: false }, (ready) =>
    ready(null, Readable.from(readPieces(database, snapshot), { objectMode: false })),
  );
}
