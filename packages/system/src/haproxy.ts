import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** The oldest that still gets fixes. */
export const oldestHaproxy = [2, 6] as const;

/** The version of an HAProxy that a gateway can be made of: new enough, and with Lua. Null where the program is none. */
export async function haproxyVersion(program: string): Promise<string | null> {
  const { stdout } = await promisify(execFile)(program, ['-vv'], { timeout: 10_000 }).catch(() => ({
    stdout: '',
  }));
  const [, version = '', major, minor] = /^HAProxy version ((\d+)\.(\d+)\S*)/.exec(stdout) ?? [];
  const isNew =
    Number(major) > oldestHaproxy[0] ||
    (Number(major) === oldestHaproxy[0] && Number(minor) >= oldestHaproxy[1]);
  return isNew && stdout.includes(' +LUA ') ? version : null;
}
