import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Outcome {
  code: number | null;
  /** both streams, as a terminal shows them */
  output: string;
}

/**
 * Runs a script with bash to its end, and ends what it leaves behind.
 * @param options.echo gets what it prints while it runs
 */
export async function runBash(
  script: string,
  options: { cwd: string; env: NodeJS.ProcessEnv; timeoutMs: number; echo?: (text: string) => void },
): Promise<Outcome> {
  const { cwd, env, timeoutMs, echo = () => undefined } = options;
  // a process group of its own
  const child = spawn('bash', ['-c', script], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      echo(text);
    });
  const end = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // nothing of it is left
    }
  };
  const timer = setTimeout(() => {
    output += `\nended after ${timeoutMs / 1000} s`;
    end();
  }, timeoutMs);
  child.once('exit', end);
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(timer);
  return { code, output };
}
