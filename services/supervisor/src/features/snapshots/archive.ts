import type { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import type { Deployment } from '../../stores/deployments.store.ts';
import type { Snapshot } from '../../stores/snapshots.store.ts';
import { findingsOf } from './findings.ts';
import { renderReport } from './report/report.ts';

/** The ZIP of a snapshot that is complete: the report for people, and the same as data. */
export function archiveOf(deployment: Deployment, snapshot: Snapshot): AsyncIterable<Uint8Array> {
  const findings = findingsOf(deployment, snapshot);
  const zip = new ZipFile();
  // whoever reads it is told; nobody else is hurt
  zip.on('error', (error) => (zip.outputStream as Readable).destroy(error as Error));
  const options = { mtime: snapshot.completed_at ?? snapshot.created_at };
  zip.addBuffer(Buffer.from(renderReport(findings)), 'report.html', options);
  zip.addBuffer(Buffer.from(JSON.stringify(findings, null, 2)), 'findings.json', options);
  zip.end();
  return zip.outputStream as Readable;
}
