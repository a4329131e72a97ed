import { join } from 'node:path';
import { buildOf } from '@sluice/system';
import type { Program } from '@sluice/system/control';

const pluginSources = join(import.meta.dirname, '../../../packages/connectors/src');

/** The programs that an agent starts. One that was built from other sources is replaced. */
export const gatewayProgram = () => programOf('gateway/main.ts');
export const connectorsProgram = () => programOf('connectors-runtime/main.ts', pluginSources);

async function programOf(file: string, ...moreSources: string[]): Promise<Program> {
  const program = join(import.meta.dirname, file);
  return { node: process.execPath, program, build: await buildOf(program, ...moreSources) };
}
