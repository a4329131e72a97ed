import { join } from 'node:path';
import { buildOf } from '@sluice/system';
import type { Program } from '@sluice/system/control';

const packages = join(import.meta.dirname, '../../../packages');

/** The programs that an agent starts. One that was built from other sources is replaced. */
export const gatewayProgram = () => programOf('gateway/main.ts');
export const connectorsProgram = () =>
  programOf(
    'connectors-runtime/main.ts',
    join(import.meta.dirname, 'runtimes'),
    join(packages, 'connectors/src'),
    join(packages, 'controller/src'),
  );

async function programOf(file: string, ...moreSources: string[]): Promise<Program> {
  const program = join(import.meta.dirname, file);
  return { node: process.execPath, program, build: await buildOf(program, ...moreSources) };
}
