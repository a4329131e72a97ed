import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '@sluice/testing';
import type { AuditService } from './audit-service.ts';

/** The service as a process of its own; resolves when it is ready. @param logs the folder for its log, if that is to be kept */
export async function startProcess({ environment }: AuditService, logs?: string) {
  const program = fileURLToPath(new URL('../src/main.ts', import.meta.url));
  const child = spawn(process.execPath, [program], {
    env: { ...environment, LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (logs !== undefined) child.stdout.pipe(createWriteStream(join(logs, `${child.pid}.log`)));
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  await eventually(() => expect(said).toContain('"message":"ready"'), { timeoutMs: 60_000 });
  return child;
}
