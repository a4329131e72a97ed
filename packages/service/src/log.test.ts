import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** What a program writes that logs a line as a part of a request, and one outside of any. */
async function linesOf(): Promise<unknown[]> {
  const module = (name: string) => JSON.stringify(join(import.meta.dirname, name));
  const program = `
    import { createLog } from ${module('log.ts')};
    import { withContext } from ${module('request-context.ts')};
    const log = createLog('orders', 'info');
    withContext({ requestId: 'r1', traceparent: 't1' }, () => log.info('inside', { token: 'hunter2' }));
    log.info('outside');`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
}

test('a line carries the ids of the request that it belongs to, and no secret', async () => {
  const common = { level: 'info', service: 'orders', timestamp: expect.any(String) as string };
  expect(await linesOf()).toEqual([
    { ...common, message: 'inside', token: '***', request_id: 'r1', traceparent: 't1' },
    { ...common, message: 'outside' },
  ]);
});
